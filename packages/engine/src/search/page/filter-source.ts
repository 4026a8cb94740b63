// Filters a source by the includes and excludes of `_source`. The bytes of what stays are copied as they are:
// numbers keep their digits and strings their escapes, because nothing is parsed and printed again.
//
// - A pattern names a path and everything below it. `*` stands for any characters, dots too.
// - Without includes everything is included. A key with dots is a path with dots.
// - As on the peer empty objects and lists stay in a list, unless an exclude could name something below the list.

import type { KeyTable } from '../../json/key-table.ts';
import { ARRAY_END, ARRAY_START, KEY, NUMBER, OBJECT_START, Scanner, STRING } from '../../json/scanner.ts';
import type { Steps } from '../../query/steps.ts';

const EMPTY = new TextEncoder().encode('{}');
const COMMA = 44;
const COLON = 58;
/** Up to so many bytes are copied one by one. */
const SHORT = 32;

/**
 * True when the pattern names the path or something above it. O(pattern · path), no backtracking beyond one
 * star.
 */
export function matchesPath(pattern: string, path: string): boolean {
  let p = 0;
  let s = 0;
  let star = -1;
  let mark = 0;
  for (;;) {
    if (p === pattern.length && (s === path.length || path[s] === '.')) return true;
    if (p < pattern.length && pattern[p] === '*') {
      star = p++;
      mark = s;
    } else if (s < path.length && p < pattern.length && pattern[p] === path[s]) {
      p++;
      s++;
    } else if (star >= 0 && mark < path.length) {
      p = star + 1;
      s = ++mark;
    } else return false;
  }
}

/** Whether a pattern can name something below the path. */
function reachesBelow(pattern: string, path: string): boolean {
  const below = `${path}.`;
  const [start = ''] = pattern.split('*', 1);
  return start.startsWith(below) || (start !== pattern && below.startsWith(start));
}

/** What the patterns say of a path: decided once, however many objects of a list have it. */
class PathRule {
  readonly included: boolean;
  readonly excluded: boolean;
  /** Whether something below it may be decided otherwise. */
  readonly isMixed: boolean;
  readonly #prefix: string;
  readonly #includes: readonly string[];
  readonly #excludes: readonly string[];
  /** By number of the key. */
  readonly #children = new Map<number, PathRule>();

  /** The rule of the whole source, without a path. */
  constructor(includes: readonly string[], excludes: readonly string[], path?: string, included?: boolean) {
    const names = (p: string): boolean => path !== undefined && matchesPath(p, path);
    const reaches = (p: string): boolean => path === undefined || reachesBelow(p, path);
    this.included = included ?? (includes.length === 0 || includes.some(names));
    this.excluded = excludes.some(names);
    this.isMixed = (this.included ? excludes : includes).some(reaches);
    this.#prefix = path === undefined ? '' : `${path}.`;
    this.#includes = includes;
    this.#excludes = excludes;
  }

  /** The rule of a member. */
  child(key: number, keys: KeyTable): PathRule {
    let child = this.#children.get(key);
    if (child === undefined) {
      const path = this.#prefix + keys.text(key);
      child = new PathRule(this.#includes, this.#excludes, path, this.included || undefined);
      this.#children.set(key, child);
    }
    return child;
  }
}

/** An object or a list that is being read. */
interface OpenValue {
  readonly rule: PathRule;
  readonly isList: boolean;
  /** Length of the output before its value. */
  readonly start: number;
  /** Length of the output before its key, or before the comma of an element. */
  readonly before: number;
  /** Whether it stays if nothing is left in it. */
  readonly staysEmpty: boolean;
}

/** Members and elements that are read between two yields. */
const VALUES_AT_ONCE = 1_024;

/** Reused: making one takes longer than filtering a short source. */
let spare: Scanner | undefined;

class Filter {
  readonly #scanner: Scanner;
  readonly #source: Uint8Array;
  /** What stays; never longer than the source. */
  readonly #out: Uint8Array;
  #length = 0;
  readonly #open: OpenValue[] = [];

  constructor(source: Uint8Array, scanner: Scanner) {
    this.#scanner = scanner;
    this.#scanner.reset(source, 0, source.length);
    this.#source = source;
    this.#out = new Uint8Array(source.length);
  }

  *run(rule: PathRule): Steps<Uint8Array> {
    if (this.#scanner.next() !== OBJECT_START) return this.#source;
    this.#begin(rule, 0, true);
    for (let count = 1; ; count++) {
      const open = this.#open.at(-1);
      if (open === undefined) return this.#out.slice(0, this.#length);
      if (open.isList) this.#element(open);
      else this.#member(open);
      if (count % VALUES_AT_ONCE === 0) yield;
    }
  }

  /** Begins the object or list whose opening has been read. */
  #begin(rule: PathRule, before: number, staysEmpty: boolean): void {
    const isList = this.#scanner.token === ARRAY_START;
    this.#open.push({ rule, isList, start: this.#length, before, staysEmpty });
    this.#out[this.#length++] = isList ? 91 : 123;
  }

  #end({ isList, start, before, staysEmpty }: OpenValue): void {
    this.#open.pop();
    this.#out[this.#length++] = isList ? 93 : 125;
    if (!staysEmpty && this.#length === start + 2) this.#length = before;
  }

  /** Reads the next member of an object, or its end. */
  #member(open: OpenValue): void {
    const scanner = this.#scanner;
    if (scanner.next() !== KEY) {
      this.#end(open);
      return;
    }
    const rule = open.rule.child(scanner.key, scanner.keys);
    const keyStart = scanner.start - 1;
    const keyEnd = scanner.stop + 1;
    scanner.next();
    if (rule.excluded) {
      scanner.skipChecked();
      return;
    }
    const before = this.#separate(open);
    this.#copy(keyStart, keyEnd);
    this.#out[this.#length++] = COLON;
    if (rule.isMixed && this.#isContainer()) this.#begin(rule, before, rule.included);
    else this.#whole(rule, before);
  }

  /** Reads the next element of a list, or its end. Elements of which nothing stays are dropped. */
  #element(open: OpenValue): void {
    if (this.#scanner.next() === ARRAY_END) {
      this.#end(open);
      return;
    }
    const before = this.#separate(open);
    if (this.#isContainer()) this.#begin(open.rule, before, false);
    else this.#whole(open.rule, before);
  }

  /** Writes a comma behind what stays before; returns the length without it. */
  #separate({ start }: OpenValue): number {
    const before = this.#length;
    if (before > start + 1) this.#out[this.#length++] = COMMA;
    return before;
  }

  #isContainer(): boolean {
    const { token } = this.#scanner;
    return token === OBJECT_START || token === ARRAY_START;
  }

  /** Copies the value that the current token begins, or drops it with its key. */
  #whole({ included }: PathRule, before: number): void {
    const from = this.#startOfToken();
    this.#scanner.skipChecked();
    if (included) this.#copy(from, this.#scanner.position);
    else this.#length = before;
  }

  #startOfToken(): number {
    const scanner = this.#scanner;
    if (scanner.token === STRING) return scanner.start - 1;
    if (scanner.token === NUMBER) return scanner.start;
    if (scanner.token === OBJECT_START || scanner.token === ARRAY_START) return scanner.position - 1;
    // true, false or null: the literal ends where the scanner stands.
    return scanner.position - (this.#source[scanner.position - 2] === 115 ? 5 : 4);
  }

  #copy(from: number, to: number): void {
    const out = this.#out;
    const source = this.#source;
    if (to - from > SHORT) out.set(source.subarray(from, to), this.#length);
    else for (let i = from, at = this.#length; i < to; i++) out[at++] = source[i]!;
    this.#length += to - from;
  }
}

/**
 * The members of a source that the includes name (all, when empty) and the excludes do not. The source itself
 * where nothing is filtered. REQUIRES: source is valid JSON.
 */
export function* filterSource(
  source: Uint8Array,
  includes: readonly string[],
  excludes: readonly string[],
): Steps<Uint8Array> {
  if (includes.length === 0 && excludes.length === 0) return source;
  if (excludes.includes('*')) return EMPTY.slice();
  const scanner = spare ?? new Scanner();
  spare = undefined;
  try {
    return yield* new Filter(source, scanner).run(new PathRule(includes, excludes));
  } finally {
    spare = scanner;
  }
}
