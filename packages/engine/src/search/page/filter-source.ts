// Filters a source by the includes and excludes of `_source`. The bytes of what stays are copied as they are:
// numbers keep their digits and strings their escapes, because nothing is parsed and printed again.
//
// - A pattern names a path and everything below it. `*` stands for any characters, dots too.
// - Without includes everything is included. A key with dots is a path with dots.
// - As on the peer empty objects and lists stay in a list, unless an exclude could name something below the list.

import type { KeyTable } from '../../json/key-table.ts';
import { ARRAY_END, ARRAY_START, KEY, NUMBER, OBJECT_START, Scanner, STRING } from '../../json/scanner.ts';

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

/** Shared: one filter is done before the next one begins. */
const scanner = new Scanner();

class Filter {
  readonly #scanner: Scanner;
  readonly #source: Uint8Array;
  /** What stays; never longer than the source. */
  readonly #out: Uint8Array;
  #length = 0;

  constructor(source: Uint8Array) {
    this.#scanner = scanner;
    this.#scanner.reset(source, 0, source.length);
    this.#source = source;
    this.#out = new Uint8Array(source.length);
  }

  run(rule: PathRule): Uint8Array {
    if (this.#scanner.next() !== OBJECT_START) return this.#source;
    this.#object(rule);
    return this.#out.slice(0, this.#length);
  }

  /** Reads an object whose `{` has been read, and writes what stays of it. Returns whether anything did. */
  #object(rule: PathRule): boolean {
    const scanner = this.#scanner;
    const start = this.#length;
    this.#out[this.#length++] = 123;
    while (scanner.next() === KEY) {
      const member = rule.child(scanner.key, scanner.keys);
      const keyStart = scanner.start - 1;
      const keyEnd = scanner.stop + 1;
      scanner.next();
      if (member.excluded) {
        scanner.skipChecked();
        continue;
      }
      const before = this.#length;
      if (before > start + 1) this.#out[this.#length++] = COMMA;
      this.#copy(keyStart, keyEnd);
      this.#out[this.#length++] = COLON;
      if (!this.#value(member)) this.#length = before;
    }
    this.#out[this.#length++] = 125;
    return this.#length > start + 2;
  }

  /**
   * Reads the value that the current token begins, and writes what stays of it. False when the whole member
   * is dropped.
   */
  #value(rule: PathRule): boolean {
    const { token } = this.#scanner;
    const container = token === OBJECT_START || token === ARRAY_START;
    const { included } = rule;
    if (!container || !rule.isMixed) {
      const from = this.#startOfToken();
      this.#scanner.skipChecked();
      if (included) this.#copy(from, this.#scanner.position);
      return included;
    }
    return (token === OBJECT_START ? this.#object(rule) : this.#array(rule)) || included;
  }

  /** Reads an array whose `[` has been read. Elements of which nothing stays are dropped. */
  #array(rule: PathRule): boolean {
    const start = this.#length;
    this.#out[this.#length++] = 91;
    for (let token = this.#scanner.next(); token !== ARRAY_END; token = this.#scanner.next()) {
      const before = this.#length;
      if (before > start + 1) this.#out[this.#length++] = COMMA;
      let kept = false;
      if (token === OBJECT_START) kept = this.#object(rule);
      else if (token === ARRAY_START) kept = this.#array(rule);
      else kept = this.#value(rule);
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
export function filterSource(
  source: Uint8Array,
  includes: readonly string[],
  excludes: readonly string[],
): Uint8Array {
  if (includes.length === 0 && excludes.length === 0) return source;
  if (excludes.includes('*')) return EMPTY.slice();
  return new Filter(source).run(new PathRule(includes, excludes));
}
