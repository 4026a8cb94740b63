// Sets of terms: exact terms, a prefix, or a range. Sorted dictionaries are searched, unsorted ones (the
// tail's) are read through.

import type { TermDictionary, TermSource } from '../../query-terms.ts';
import { byteKey } from '../cache-key.ts';

/** Terms looked at between two yields. */
const SLICE = 512;

/** -1, 0, 1 as a sorts before, with or after b, bytewise. */
export function compareTerms(a: Uint8Array, b: Uint8Array): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    const d = a[i]! - b[i]!;
    if (d !== 0) return d < 0 ? -1 : 1;
  }
  return Math.sign(a.length - b.length);
}

/** Whether `bytes` begins with `prefix`. */
export function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  if (bytes.length < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (bytes[i] !== prefix[i]) return false;
  return true;
}

/** The smallest string above everything that begins with the prefix; undefined where there is none. */
export function prefixEnd(prefix: Uint8Array): Uint8Array | undefined {
  for (let i = prefix.length - 1; i >= 0; i--) {
    if (prefix[i] === 255) continue;
    const end = prefix.slice(0, i + 1);
    end[i]!++;
    return end;
  }
  return undefined;
}

/** Some terms by their bytes. */
export function exactTerms(list: readonly Uint8Array[]): TermSource {
  const sorted = [...list]
    .sort(compareTerms)
    .filter((b, i, all) => i === 0 || compareTerms(all[i - 1]!, b) !== 0);
  let key: string | undefined;
  return {
    exact: sorted,
    get key() {
      // Of many terms it takes milliseconds, and every leaf asks for it.
      return (key ??= `=${sorted.map((b) => byteKey('', b)).join('')}`);
    },
    *ordinals(terms) {
      const out: number[] = [];
      let looked = 0;
      for (const bytes of sorted) {
        if (++looked % SLICE === 0) yield;
        const ordinal = terms.find(bytes, 0, bytes.length);
        if (ordinal >= 0) out.push(ordinal);
      }
      return out;
    },
  };
}

/** The first ordinal above a bound. */
function firstBeyond(terms: TermDictionary, max: Uint8Array, open: boolean): number {
  const at = terms.lowerBound(max);
  return !open && at < terms.count && compareTerms(terms.term(at), max) === 0 ? at + 1 : at;
}

/** Terms from `min` (inclusive) to `max` (inclusive unless `open`; undefined: no bound). */
export function termRange(min: Uint8Array, max: Uint8Array | undefined, open: boolean = false): TermSource {
  const below = (bytes: Uint8Array): boolean => {
    if (max === undefined) return true;
    const order = compareTerms(bytes, max);
    return open ? order < 0 : order <= 0;
  };
  return {
    get key() {
      return `r${byteKey('', min)}${max === undefined ? '' : byteKey(open ? 'o' : '', max)}`;
    },
    *ordinals(terms) {
      const out: number[] = [];
      let looked = 0;
      if (terms.sorted) {
        const end = max === undefined ? terms.count : firstBeyond(terms, max, open);
        for (let o = terms.lowerBound(min); o < end; o++) {
          if (++looked % (SLICE * 8) === 0) yield;
          out.push(o);
        }
      } else {
        for (const o of terms.ordinals()) {
          if (++looked % SLICE === 0) yield;
          const bytes = terms.term(o);
          if (compareTerms(bytes, min) >= 0 && below(bytes)) out.push(o);
        }
      }
      return out;
    },
  };
}

/** Terms that begin with some bytes. */
export function prefixTerms(prefix: Uint8Array): TermSource {
  const range = termRange(prefix, prefixEnd(prefix), true);
  return { key: range.key, prefix, ordinals: range.ordinals };
}

/** Terms that a test accepts. `key` names the test. O(terms). */
export function matchingTerms(key: string, matches: (term: Uint8Array) => boolean): TermSource {
  return {
    key: `m${key}`,
    *ordinals(terms) {
      const out: number[] = [];
      let looked = 0;
      for (const ordinal of terms.ordinals()) {
        if (++looked % SLICE === 0) yield;
        if (matches(terms.term(ordinal))) out.push(ordinal);
      }
      return out;
    },
  };
}
