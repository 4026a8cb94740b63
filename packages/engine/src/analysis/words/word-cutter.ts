// Cuts words from UTF-8: UAX #29 word boundaries as Lucene's StandardTokenizer applies them. Ideographs
// and Hiragana one by one; Katakana, Hangul and Thai in runs; emoji sequences whole. ASCII words never
// leave the first loop.

import {
  breakClass,
  COMPLEX,
  DOUBLE_QUOTE,
  EMOJI,
  EXTEND,
  HANGUL,
  HEBREW,
  HIRAGANA,
  IDEOGRAPH,
  JOINER,
  KATAKANA,
  LETTER,
  MID_BOTH,
  MID_LETTER,
  MID_NUM,
  NUMERIC,
  REGIONAL,
  SINGLE_QUOTE,
} from './word-breaks.ts';

/** Token types by number, as Lucene names them. */
export const WORD_TYPES: readonly string[] = [
  '<ALPHANUM>',
  '<NUM>',
  '<IDEOGRAPHIC>',
  '<HIRAGANA>',
  '<KATAKANA>',
  '<HANGUL>',
  '<SOUTHEAST_ASIAN>',
  '<EMOJI>',
];

/** Classes of ASCII: 1 letter, 2 digit, 3 `_`, 0 everything else. */
const ASCII = new Uint8Array(256);
for (let c = 0; c < 26; c++) ASCII[65 + c] = ASCII[97 + c] = 1;
for (let c = 0; c < 10; c++) ASCII[48 + c] = 2;
ASCII[95] = 3;

/** A pull tokenizer over one byte range: `while (words.next()) … words.start, words.stop, words.type`. */
export class WordCutter {
  start = 0;
  stop = 0;
  /** Index into WORD_TYPES. */
  type = 0;
  /** Whether the word is pure ASCII. */
  ascii = true;

  /** Longest word, in bytes where it is ASCII, else in UTF-16 units. */
  get max(): number {
    return this.#max;
  }

  readonly #max: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #end = 0;
  /** Class of the code point at the cursor, and the position behind it. */
  #class = 0;
  #next = 0;
  /** Where a word of a script without spaces was cut: the rest may begin with a mark. */
  #cut = -1;

  constructor(maxTokenLength = 255) {
    this.#max = maxTokenLength;
  }

  reset(bytes: Uint8Array, start: number, end: number): void {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#cut = -1;
  }

  /** Moves to the next word; false at the end. */
  next(): boolean {
    const bytes = this.#bytes;
    const end = this.#end;
    let p = this.#at;
    for (;;) {
      let c = 0;
      while (p < end && (c = bytes[p]!) < 128 && ASCII[c] === 0) p++;
      if (p >= end) return this.#finish(end);
      if (c >= 128) {
        if (this.#wide(p)) return true;
        p = this.#at;
        continue;
      }
      const from = p;
      let last = ASCII[c]!;
      let letters = last === 1;
      let digits = last === 2;
      // Read no further than the longest word: the rest is read when its turn comes, not again for every
      // piece.
      const limit = Math.min(end, from + this.#max);
      for (p++; p < limit; p++) {
        c = bytes[p]!;
        const kind = ASCII[c]!;
        if (kind !== 0) {
          if (kind === 1) letters = true;
          else if (kind === 2) digits = true;
          last = kind;
          continue;
        }
        // One byte between letters (: . ') or between digits (, ; . ') does not break the word.
        const after = p + 1 < end ? bytes[p + 1]! : 0;
        const bridge =
          last === 1
            ? c === 39 || c === 46 || c === 58
            : last === 2 && (c === 39 || c === 46 || c === 44 || c === 59);
        if (!bridge || (after < 128 && ASCII[after] !== last)) break;
        if (after >= 128) {
          c = 128;
          break;
        }
      }
      if (p < limit && c >= 128) {
        if (this.#wide(from)) return true;
        p = this.#at;
        continue;
      }
      if (!letters && !digits) continue;
      // A word that is cut does not end with what joins its parts.
      if (p === limit && ASCII[bytes[p - 1]!] === 0) p--;
      this.start = from;
      this.stop = this.#at = p;
      this.type = letters ? 0 : 1;
      this.ascii = true;
      return true;
    }
  }

  #finish(at: number): false {
    this.#at = at;
    return false;
  }

  /**
   * Reads the class of the code point at `p`; #next is the position behind it. REQUIRES p < #end. Bad bytes
   * are OTHER.
   */
  #read(p: number): number {
    const bytes = this.#bytes;
    const c = bytes[p]!;
    if (c < 128) {
      this.#next = p + 1;
      return (this.#class = breakClass(c));
    }
    const length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
    if (length === 1 || p + length > this.#end) {
      this.#next = p + 1;
      return (this.#class = 0);
    }
    let code = length === 4 ? c & 7 : length === 3 ? c & 15 : c & 31;
    for (let i = 1; i < length; i++) code = (code << 6) | (bytes[p + i]! & 63);
    this.#next = p + length;
    return (this.#class = code > 0x10ffff ? 0 : breakClass(code));
  }

  /** Position behind the marks that follow `p`. */
  #marks(p: number): number {
    let at = p;
    while (at < this.#end && this.#read(at) === EXTEND) at = this.#next;
    return at;
  }

  #emit(start: number, stop: number, type: number): true {
    this.start = start;
    this.stop = this.#at = stop;
    this.type = type;
    this.ascii = false;
    return true;
  }

  /** A token that begins at `p`; where there is none, moves #at behind the code point and returns false. */
  #wide(p: number): boolean {
    const kind = this.#read(p);
    const behind = this.#next;
    if (p === this.#cut) return this.#complex(p, behind);
    if (this.#keycap(p)) return true;
    switch (kind) {
      case IDEOGRAPH:
        return this.#emit(p, this.#marks(behind), 2);
      case HIRAGANA:
        return this.#emit(p, this.#marks(behind), 3);
      case COMPLEX:
        return this.#complex(p, behind);
      case EMOJI:
        return this.#emit(p, this.#pictographs(behind), 7);
      case REGIONAL: {
        const mark = this.#marks(behind);
        if (mark < this.#end && this.#read(mark) === REGIONAL)
          return this.#emit(p, this.#marks(this.#next), 7);
        break;
      }
      case LETTER:
      case HANGUL:
      case HEBREW:
      case NUMERIC:
      case KATAKANA:
      case JOINER:
        if (this.#word(p)) return true;
        return false;
      default:
    }
    this.#at = behind;
    return false;
  }

  /** A `#`, `*` or digit with U+20E3 (COMBINING ENCLOSING KEYCAP), U+FE0F between them or not. */
  #keycap(p: number): boolean {
    const b = this.#bytes;
    let base = p;
    const first = b[p]!;
    if (first >= 128 && p > 0 && (b[p - 1] === 35 || b[p - 1] === 42)) base = p - 1;
    else if (first < 48 || first > 57) return false;
    let at = base + 1;
    if (b[at] === 0xef && b[at + 1] === 0xb8 && b[at + 2] === 0x8f) at += 3;
    if (at + 3 > this.#end || b[at] !== 0xe2 || b[at + 1] !== 0x83 || b[at + 2] !== 0xa3) return false;
    return this.#emit(base, this.#marks(at + 3), 7);
  }

  #complex(start: number, from: number): true {
    let at = from;
    let units = this.#units(start, from);
    while (at < this.#end && (this.#read(at) === COMPLEX || this.#class === EXTEND)) {
      units += this.#units(at, this.#next);
      if (units > this.#max) {
        this.#cut = at;
        break;
      }
      at = this.#next;
    }
    return this.#emit(start, at, 6);
  }

  /** The length of some bytes in UTF-16 units. */
  #units(from: number, to: number): number {
    let units = 0;
    for (let at = from; at < to; at++) {
      const c = this.#bytes[at]!;
      if ((c & 0xc0) !== 0x80) units += c >= 0xf0 ? 2 : 1;
    }
    return units;
  }

  #pictographs(from: number): number {
    let at = this.#marks(from);
    const b = this.#bytes;
    // A zero width joiner (E2 80 8D) at the end of the marks joins the next pictograph.
    while (
      b[at - 3] === 0xe2 &&
      b[at - 2] === 0x80 &&
      b[at - 1] === 0x8d &&
      at < this.#end &&
      this.#read(at) === EMOJI
    ) {
      at = this.#marks(this.#next);
    }
    return at;
  }

  /** Rules WB5 to WB13b. */
  #word(start: number): boolean {
    let at = start;
    let last = 0;
    let units = 0;
    let letters = 0;
    let hangul = 0;
    let numbers = 0;
    let kana = 0;
    let joiners = 0;
    // Where the last part of the word ended, right behind what joins it to the next one.
    let part = -1;
    while (at < this.#end) {
      const kind = this.#read(at);
      const behind = this.#next;
      if (kind !== EXTEND) {
        if (last !== 0 && !joins(last, kind)) {
          const to = this.#bridge(last, kind, behind);
          if (to < 0) break;
          units += this.#units(at, to);
          part = at;
          at = to;
          // A quote that only belongs to the Hebrew letter before it ends the word.
          if (last === HEBREW && kind === SINGLE_QUOTE && (to >= this.#end || !isLetter(this.#read(to))))
            break;
          continue;
        }
        if (kind === HANGUL) hangul++;
        else if (kind === LETTER || kind === HEBREW) letters++;
        else if (kind === NUMERIC) numbers++;
        else if (kind === KATAKANA) kana++;
        else joiners++;
        last = kind;
      }
      const width = behind - at === 4 ? 2 : 1;
      if (units + width > this.#max) {
        if (part >= 0) at = part;
        break;
      }
      units += width;
      part = -1;
      at = behind;
    }
    if (letters + hangul + numbers + kana === 0) {
      this.#at = at > start ? at : this.#next;
      return false;
    }
    const type =
      letters > 0 ||
      (hangul > 0 && numbers + kana + joiners > 0) ||
      (numbers > 0 && kana > 0) ||
      (kana > 0 && joiners > 0)
        ? 0
        : hangul > 0
          ? 5
          : numbers > 0
            ? 1
            : 4;
    return this.#emit(start, at, type);
  }

  /** Position where the word goes on behind a middle character, or -1 where it breaks. */
  #bridge(last: number, kind: number, behind: number): number {
    const letter = last === LETTER || last === HANGUL || last === HEBREW;
    if (last === HEBREW && kind === SINGLE_QUOTE) {
      const to = this.#marks(behind);
      return to < this.#end && isLetter(this.#read(to)) ? to : behind;
    }
    const fits = letter
      ? kind === MID_LETTER ||
        kind === MID_BOTH ||
        kind === SINGLE_QUOTE ||
        (last === HEBREW && kind === DOUBLE_QUOTE)
      : last === NUMERIC && (kind === MID_NUM || kind === MID_BOTH || kind === SINGLE_QUOTE);
    if (!fits) return -1;
    const to = this.#marks(behind);
    if (to >= this.#end) return -1;
    const next = this.#read(to);
    if (kind === DOUBLE_QUOTE) return next === HEBREW ? to : -1;
    return (letter ? isLetter(next) : next === NUMERIC) ? to : -1;
  }
}

function isLetter(kind: number): boolean {
  return kind === LETTER || kind === HANGUL || kind === HEBREW;
}

/** Whether a code point of class `kind` belongs to the word that one of class `last` is in. */
function joins(last: number, kind: number): boolean {
  if (kind === JOINER) return true;
  if (last === JOINER) return isLetter(kind) || kind === NUMERIC || kind === KATAKANA;
  if (isLetter(kind) || kind === NUMERIC) return isLetter(last) || last === NUMERIC;
  return kind === KATAKANA && last === KATAKANA;
}
