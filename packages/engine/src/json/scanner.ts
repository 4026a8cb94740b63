// A strict pull scanner for JSON (grammar, UTF-8, nesting, duplicate keys). It returns byte ranges, so
// mapping a document creates no objects and no strings.
//
//   state      legal next
//   VALUE      a value                      (after `:` or `,` in an array, or at the root)
//   FIRST_KEY  a key or `}`                 FIRST_ITEM  a value or `]`
//   AFTER      `,` or the end of what is open
//   DONE       nothing but white space

import type { EngineError } from '../errors.ts';
import { ByteScratch } from './bytes.ts';
import { hexDigit, isWord, unescapeInto, wordAt } from './escapes.ts';
import { charName, jsonFault, lineAndColumn } from './json-fault.ts';
import { MAX_NESTING, MAX_NUMBER_LENGTH, USUAL_NESTING, withMaxNesting } from './json-limits.ts';
import { FEW_KEYS, KeyTable } from './key-table.ts';
import { skipPlainBytes } from './plain-bytes.ts';

export const END = 0;
export const OBJECT_START = 1;
export const OBJECT_END = 2;
export const ARRAY_START = 3;
export const ARRAY_END = 4;
export const KEY = 5;
export const STRING = 6;
export const NUMBER = 7;
export const TRUE = 8;
export const FALSE = 9;
export const NULL = 10;

/** A small integer, for speed; more values than any body has. */
const UNLIMITED_VALUES = 0x3fff_ffff;

const VALUE = 0;
const FIRST_KEY = 1;
const FIRST_ITEM = 2;
const AFTER = 3;
const DONE = 4;

/** A pull scanner over one byte range. Reusable by `reset`; holds no reference to strings. */
export class Scanner {
  bytes: Uint8Array = new Uint8Array(0);
  /** Kind of the current token. */
  token: number = END;
  /** Byte range of the current key, string (without quotes) or number. */
  start = 0;
  stop = 0;
  /** Whether the current key or string contains escapes, or bytes beyond ASCII. */
  escaped = false;
  ascii = true;
  /** Whether the current number is written without fraction and exponent. */
  integer = false;
  /** Number of the current key in `keys`. */
  key = -1;
  /** Objects and arrays that are open. */
  depth = 0;
  /** How many values a tree of this value may still have (`parseJson`). */
  valuesLeft: number = UNLIMITED_VALUES;
  readonly keys: KeyTable;
  #maxDepth = MAX_NESTING;
  #origin = 0;
  #position = 0;
  #end = 0;
  #state = VALUE;
  /** Per depth: 1 for an object, 0 for an array; where its keys begin in #seen. */
  #isObject = new Int32Array(USUAL_NESTING);
  #base = new Int32Array(USUAL_NESTING);
  #opened = new Int32Array(USUAL_NESTING);
  #seen = new Int32Array(64);
  #seenCount = 0;
  readonly #sets: (Set<number> | undefined)[] = [];
  readonly #scratch = new ByteScratch();
  constructor(keys: KeyTable = new KeyTable()) {
    this.keys = keys;
  }

  /** Starts a new value. `maxDepth`: the deepest nesting of objects and arrays that it may have. */
  reset(bytes: Uint8Array, start: number, end: number, maxDepth: number = MAX_NESTING): void {
    this.#maxDepth = Math.min(maxDepth, MAX_NESTING);
    this.bytes = bytes;
    this.#origin = this.#position = start;
    this.#end = end;
    this.#state = VALUE;
    this.depth = 0;
    this.valuesLeft = UNLIMITED_VALUES;
    this.#seenCount = 0;
    this.token = END;
    this.keys.begin();
  }

  /** Byte position behind the current token. */
  get position(): number {
    return this.#position;
  }

  /**
   * Advances and returns the kind of the next token; END after the root value. Throws json_parse_exception.
   */
  next(): number {
    const bytes = this.bytes;
    const end = this.#end;
    let p = this.#position;
    let c = p < end ? bytes[p]! : -1;
    while (c === 32 || c === 10 || c === 13 || c === 9) c = ++p < end ? bytes[p]! : -1;
    const state = this.#state;
    if (state === AFTER) {
      const object = this.#isObject[this.depth] === 1;
      if (c === 44) {
        c = ++p < end ? bytes[p]! : -1;
        while (c === 32 || c === 10 || c === 13 || c === 9) c = ++p < end ? bytes[p]! : -1;
        return object ? this.#key(p, c) : this.#value(p, c);
      }
      if (c === (object ? 125 : 93)) return this.#close(p);
      this.#position = p;
      throw this.#unexpected(p, `was expecting comma to separate ${object ? 'Object' : 'Array'} entries`);
    }
    if (state === VALUE) return this.#value(p, c);
    if (state === FIRST_KEY) return c === 125 ? this.#close(p) : this.#key(p, c);
    if (state === FIRST_ITEM) return c === 93 ? this.#close(p) : this.#value(p, c);
    if (c >= 0) throw this.#trailing(p, c);
    this.#position = p;
    return (this.token = END);
  }

  /** Skips the value that the current token begins (nothing to do for scalars). */
  skip(): void {
    if (this.token !== OBJECT_START && this.token !== ARRAY_START) return;
    const depth = this.depth;
    while (this.depth >= depth) this.next();
  }

  /**
   * As `skip`, in a text that was checked before: looks at quotes and brackets only, which takes a tenth of the
   * time.
   */
  skipChecked(): void {
    if (this.token !== OBJECT_START && this.token !== ARRAY_START) return;
    const { bytes } = this;
    let p = this.#position;
    for (let open = 1; p < this.#end; p++) {
      let c = bytes[p]!;
      if (c === 34) for (p++; p < this.#end && (c = bytes[p]!) !== 34; p++) if (c === 92) p++;
      // The bit that tells [ from { and ] from }.
      c |= 32;
      if (c === 123) open++;
      else if (c === 125 && --open === 0) break;
    }
    this.#close(p);
  }

  /** Skips the value of the current key: a string that was checked before and ends at `end`. */
  skipTo(end: number): void {
    this.#position = end;
    this.#state = AFTER;
    this.token = STRING;
  }

  /**
   * The current string or key as UTF-8 without escapes: `scratch.bytes[0 … length)`. Valid until the next
   * call.
   */
  unescape(): ByteScratch {
    const out = this.#scratch;
    out.length = 0;
    const to = out.reserve(this.stop - this.start);
    out.length = unescapeInto(this.bytes, this.start, this.stop, to);
    return out;
  }

  /** An error at a position. */
  fault(position: number, what: string): EngineError {
    const type =
      position >= this.#end && what.startsWith('Unexpected end')
        ? 'json_e_o_f_exception'
        : 'json_parse_exception';
    return jsonFault(this.bytes, this.#origin, position, what, type);
  }

  #key(at: number, c: number): number {
    if (c !== 34) throw this.#unexpected(at, 'was expecting double-quote to start field name');
    let p = this.#string(at + 1);
    const { bytes } = this;
    const end = this.#end;
    if (this.escaped) {
      const plain = this.unescape();
      this.key = this.keys.intern(plain.bytes, 0, plain.length);
    } else this.key = this.keys.intern(bytes, this.start, this.stop);
    this.#note(this.key);
    let d = p < end ? bytes[p]! : -1;
    while (d === 32 || d === 10 || d === 13 || d === 9) d = ++p < end ? bytes[p]! : -1;
    if (d !== 58) throw this.#unexpected(p, 'was expecting a colon to separate field name and value');
    this.#position = p + 1;
    this.#state = VALUE;
    return (this.token = KEY);
  }

  /** Throws if the object already has the key. */
  #note(key: number): void {
    const base = this.#base[this.depth]!;
    const seen = this.#seen;
    const count = this.#seenCount;
    if (count - base < FEW_KEYS) {
      for (let i = base; i < count; i++) if (seen[i] === key) throw this.#duplicate(key);
    } else {
      let set = this.#sets[this.depth];
      if (set === undefined) {
        set = new Set(seen.subarray(base, count));
        this.#sets[this.depth] = set;
      }
      if (set.has(key)) throw this.#duplicate(key);
      set.add(key);
    }
    if (count === seen.length) {
      this.#seen = new Int32Array(count * 2);
      this.#seen.set(seen);
    }
    this.#seen[count] = key;
    this.#seenCount = count + 1;
  }

  #duplicate(key: number): Error {
    return this.fault(this.stop + 1, `Duplicate field '${this.keys.text(key)}'`);
  }

  #value(p: number, c: number): number {
    if (c === 34) {
      this.#position = this.#string(p + 1);
      this.#state = this.depth === 0 ? DONE : AFTER;
      return (this.token = STRING);
    }
    if (c === 123) return this.#open(p, 1);
    if (c === 91) return this.#open(p, 0);
    if (c === 45 || (c >= 48 && c <= 57)) {
      this.#position = this.#number(p, c);
      this.#state = this.depth === 0 ? DONE : AFTER;
      return (this.token = NUMBER);
    }
    const b = this.bytes;
    let token = 0;
    if (c === 116 && b[p + 1] === 114 && b[p + 2] === 117 && b[p + 3] === 101) token = TRUE;
    else if (c === 110 && b[p + 1] === 117 && b[p + 2] === 108 && b[p + 3] === 108) token = NULL;
    else if (c === 102 && b[p + 1] === 97 && b[p + 2] === 108 && b[p + 3] === 115 && b[p + 4] === 101)
      token = FALSE;
    const stop = p + (token === FALSE ? 5 : 4);
    if (token === 0 || stop > this.#end || (stop < this.#end && isWord(b[stop]!))) throw this.#notValue(p, c);
    this.start = p;
    this.stop = this.#position = stop;
    this.#state = this.depth === 0 ? DONE : AFTER;
    return (this.token = token);
  }

  #open(p: number, object: 0 | 1): number {
    if (this.depth >= this.#maxDepth) {
      throw this.fault(
        p,
        `Document nesting depth (${this.depth + 1}) exceeds the maximum allowed (${this.#maxDepth})`,
      );
    }
    const depth = ++this.depth;
    if (depth === this.#base.length) {
      this.#isObject = withMaxNesting(this.#isObject);
      this.#base = withMaxNesting(this.#base);
      this.#opened = withMaxNesting(this.#opened);
    }
    this.#isObject[depth] = object;
    this.#base[depth] = this.#seenCount;
    this.#opened[depth] = p;
    this.#sets[depth] = undefined;
    this.start = p;
    this.#position = this.stop = p + 1;
    this.#state = object ? FIRST_KEY : FIRST_ITEM;
    return (this.token = object ? OBJECT_START : ARRAY_START);
  }

  #close(p: number): number {
    const object = this.#isObject[this.depth] === 1;
    this.#seenCount = this.#base[this.depth]!;
    this.depth--;
    this.start = p;
    this.#position = this.stop = p + 1;
    this.#state = this.depth === 0 ? DONE : AFTER;
    return (this.token = object ? OBJECT_END : ARRAY_END);
  }

  /** Reads a string from behind its opening quote; returns the position behind the closing one. */
  #string(from: number): number {
    const bytes = this.bytes;
    const end = this.#end;
    let p = from;
    this.escaped = false;
    this.ascii = true;
    for (;;) {
      p = skipPlainBytes(bytes, p, end);
      if (p >= end) throw this.fault(p, 'Unexpected end-of-input in a string');
      const c = bytes[p]!;
      if (c === 34) break;
      if (c >= 128) {
        this.ascii = false;
        p = this.#wide(p, c);
      } else if (c === 92) {
        this.escaped = true;
        p = this.#escape(p);
      } else {
        throw this.fault(
          p,
          `Illegal unquoted character ${charName(bytes, p, end)}: has to be escaped using backslash`,
        );
      }
    }
    this.start = from;
    this.stop = p;
    return p + 1;
  }

  /** Checks one UTF-8 sequence (RFC 3629: shortest form, no surrogates, up to U+10FFFF). */
  #wide(p: number, c: number): number {
    const bytes = this.bytes;
    const length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if (c < 0xc2 || c > 0xf4) throw this.fault(p, `Invalid UTF-8 start byte 0x${c.toString(16)}`);
    for (let i = 1; i < length; i++) {
      const d = p + i < this.#end ? bytes[p + i]! : -1;
      const low = i > 1 ? 0x80 : c === 0xe0 ? 0xa0 : c === 0xf0 ? 0x90 : 0x80;
      const high = i > 1 ? 0xbf : c === 0xed ? 0x9f : c === 0xf4 ? 0x8f : 0xbf;
      if (d < low || d > high) {
        throw this.fault(
          p + i,
          d < 0 ? 'Unexpected end-of-input in a string' : `Invalid UTF-8 middle byte 0x${d.toString(16)}`,
        );
      }
    }
    return p + length;
  }

  #escape(p: number): number {
    const bytes = this.bytes;
    const e = p + 1 < this.#end ? bytes[p + 1]! : -1;
    if (e === 117) {
      for (let i = 2; i < 6; i++) {
        if (p + i >= this.#end || hexDigit(bytes[p + i]!) < 0) {
          throw this.fault(p + i, 'Unexpected character: expected a hex-digit for character escape sequence');
        }
      }
      return p + 6;
    }
    if (e === 34 || e === 92 || e === 47 || e === 98 || e === 102 || e === 110 || e === 114 || e === 116)
      return p + 2;
    if (e < 0) throw this.fault(p + 1, 'Unexpected end-of-input in a string');
    throw this.fault(
      p + 1,
      `Unrecognized character escape ${charName(bytes, p + 1, this.#end).slice(1, -1)}`,
    );
  }

  #number(from: number, first: number): number {
    const bytes = this.bytes;
    const end = this.#end;
    let p = from;
    let c = first;
    if (c === 45) c = ++p < end ? bytes[p]! : -1;
    if (c < 48 || c > 57)
      throw this.#unexpected(p, 'expected digit (0-9) to follow minus sign, for valid numeric value');
    if (c === 48) {
      c = ++p < end ? bytes[p]! : -1;
      if (c >= 48 && c <= 57) throw this.fault(p, 'Invalid numeric value: Leading zeroes not allowed');
    }
    while (c >= 48 && c <= 57) c = ++p < end ? bytes[p]! : -1;
    this.integer = true;
    if (c === 46) {
      this.integer = false;
      c = ++p < end ? bytes[p]! : -1;
      if (c < 48 || c > 57) throw this.#unexpected(p, 'Decimal point not followed by a digit');
      while (c >= 48 && c <= 57) c = ++p < end ? bytes[p]! : -1;
    }
    if (c === 101 || c === 69) {
      this.integer = false;
      c = ++p < end ? bytes[p]! : -1;
      if (c === 43 || c === 45) c = ++p < end ? bytes[p]! : -1;
      if (c < 48 || c > 57) throw this.#unexpected(p, 'Exponent indicator not followed by a digit');
      while (c >= 48 && c <= 57) c = ++p < end ? bytes[p]! : -1;
    }
    if (p - from > MAX_NUMBER_LENGTH) {
      throw this.fault(
        from,
        `Number value length (${p - from}) exceeds the maximum allowed (${MAX_NUMBER_LENGTH})`,
      );
    }
    if (c >= 0 && isWord(c)) throw this.#unexpected(p, 'Expected space separating root-level values');
    this.start = from;
    this.stop = p;
    return p;
  }

  #trailing(p: number, c: number): EngineError {
    if (c === 125 || c === 93) {
      const { line } = lineAndColumn(this.bytes, this.#origin, this.#origin);
      const wanted = c === 125 ? ']' : '}';
      return this.fault(
        p,
        `Unexpected close marker '${String.fromCharCode(c)}': expected '${wanted}' (for root starting at [line: ${line}])`,
      );
    }
    if (isWord(c) && c > 57) return this.#notValue(p, c);
    return this.fault(p, `Unexpected content after the root value: ${charName(this.bytes, p, this.#end)}`);
  }

  #notValue(p: number, c: number): EngineError {
    if (c >= 0 && !isWord(c))
      return this.#unexpected(
        p,
        "expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
      );
    if (c < 0) return this.#unexpected(p, '');
    return this.fault(
      p,
      `Unrecognized token '${wordAt(this.bytes, p, this.#end)}': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')`,
    );
  }

  #unexpected(p: number, expected: string): EngineError {
    if (p < this.#end)
      return this.fault(p, `Unexpected character ${charName(this.bytes, p, this.#end)}: ${expected}`);
    if (this.depth === 0) return this.fault(p, 'No content to map due to end-of-input');
    const what = this.#isObject[this.depth] === 1 ? 'Object' : 'Array';
    const { message } = this.fault(this.#opened[this.depth]!, 'start marker');
    const place = message.slice(message.indexOf('[line'));
    return this.fault(
      p,
      `Unexpected end-of-input: expected close marker for ${what} (start marker at ${place})`,
    );
  }
}
