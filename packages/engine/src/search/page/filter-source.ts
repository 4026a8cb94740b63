// Filters a source by the includes and excludes of `_source`. The bytes of what stays are copied as they are:
// numbers keep their digits and strings their escapes, because nothing is parsed and printed again.
//
// - A pattern names a path and everything below it. `*` stands for any characters, dots too.
// - Without includes everything is included. A key with dots is a path with dots.
// - As on the peer empty objects and lists stay in a list, unless an exclude could name something below the list.

import { stringValue } from '../../json/parse.ts';
import {
  ARRAY_END,
  ARRAY_START,
  KEY,
  NUMBER,
  OBJECT_END,
  OBJECT_START,
  Scanner,
  STRING,
} from '../../json/scanner.ts';

const EMPTY = new TextEncoder().encode('{}');
const COMMA = 44;
const COLON = 58;

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

/** Shared: one filter is done before the next one begins. */
const scanner = new Scanner();

class Filter {
  readonly #scanner: Scanner;
  readonly #source: Uint8Array;
  readonly #includes: readonly string[];
  readonly #excludes: readonly string[];
  /** What stays; never longer than the source. */
  readonly #out: Uint8Array;
  #length = 0;

  constructor(source: Uint8Array, includes: readonly string[], excludes: readonly string[]) {
    this.#scanner = scanner;
    this.#scanner.reset(source, 0, source.length);
    this.#source = source;
    this.#includes = includes;
    this.#excludes = excludes;
    this.#out = new Uint8Array(source.length);
  }

  run(): Uint8Array {
    if (this.#scanner.next() !== OBJECT_START) return this.#source;
    this.#object('', this.#includes.length === 0);
    return this.#out.slice(0, this.#length);
  }

  /** Reads an object whose `{` has been read, and writes what stays of it. Returns whether anything did. */
  #object(prefix: string, included: boolean): boolean {
    const scanner = this.#scanner;
    const start = this.#length;
    this.#out[this.#length++] = 123;
    while (scanner.next() === KEY) {
      const path = prefix + stringValue(scanner);
      const keyStart = scanner.start - 1;
      const keyEnd = scanner.stop + 1;
      scanner.next();
      const here = included || this.#includes.some((p) => matchesPath(p, path));
      if (this.#excludes.some((p) => matchesPath(p, path))) {
        this.#skip();
        continue;
      }
      const before = this.#length;
      if (before > start + 1) this.#out[this.#length++] = COMMA;
      this.#copy(keyStart, keyEnd);
      this.#out[this.#length++] = COLON;
      if (!this.#value(path, here)) this.#length = before;
    }
    this.#out[this.#length++] = 125;
    return this.#length > start + 2;
  }

  /**
   * Reads the value that the current token begins, and writes what stays of it. False when the whole member
   * is dropped.
   */
  #value(path: string, included: boolean): boolean {
    const { token } = this.#scanner;
    const container = token === OBJECT_START || token === ARRAY_START;
    if (!container || (included && !this.#excludes.some((p) => reachesBelow(p, path)))) {
      const from = this.#startOfToken();
      this.#skip();
      if (included) this.#copy(from, this.#scanner.position);
      return included;
    }
    const any = token === OBJECT_START ? this.#object(`${path}.`, included) : this.#array(path, included);
    return any || included;
  }

  /** Reads an array whose `[` has been read. Elements of which nothing stays are dropped. */
  #array(path: string, included: boolean): boolean {
    const start = this.#length;
    this.#out[this.#length++] = 91;
    for (let token = this.#scanner.next(); token !== ARRAY_END; token = this.#scanner.next()) {
      const before = this.#length;
      if (before > start + 1) this.#out[this.#length++] = COMMA;
      let kept = false;
      if (token === OBJECT_START) kept = this.#object(`${path}.`, included);
      else if (token === ARRAY_START) kept = this.#array(path, included);
      else kept = this.#value(path, included);
      if (!kept) this.#length = before;
    }
    this.#out[this.#length++] = 93;
    return this.#length > start + 2;
  }

  #startOfToken(): number {
    const scanner = this.#scanner;
    if (scanner.token === STRING) return scanner.start - 1;
    if (scanner.token === NUMBER) return scanner.start;
    if (scanner.token === OBJECT_START || scanner.token === ARRAY_START) return scanner.position - 1;
    // true, false or null: the literal ends where the scanner stands.
    return scanner.position - (this.#source[scanner.position - 2] === 115 ? 5 : 4);
  }

  /** Moves to the end of the value that the current token begins. */
  #skip(): void {
    const scanner = this.#scanner;
    if (scanner.token !== OBJECT_START && scanner.token !== ARRAY_START) return;
    let depth = 1;
    while (depth > 0) {
      const token = scanner.next();
      if (token === OBJECT_START || token === ARRAY_START) depth++;
      else if (token === OBJECT_END || token === ARRAY_END) depth--;
    }
  }

  #copy(from: number, to: number): void {
    this.#out.set(this.#source.subarray(from, to), this.#length);
    this.#length += to - from;
  }
}

/**
 * The members of a source that the includes name (all, when empty) and the excludes do not. The source itself
 * where nothing is filtered. REQUIRES: source is valid JSON.
 */
export function filterSource(
  source: Uint8Array,
  includes: readonly string[],
  excludes: readonly string[],
): Uint8Array {
  if (includes.length === 0 && excludes.length === 0) return source;
  if (excludes.includes('*')) return EMPTY.slice();
  return new Filter(source, includes, excludes).run();
}
