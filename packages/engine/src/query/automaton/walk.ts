// Which terms of a dictionary does an automaton accept? In a sorted dictionary neighbours share their beginnings: states
// along the last term are kept, and a dead beginning skips every term that has it. A scattered one is looked through.

import { byteKey } from '../node/key.ts';
import { prefixEnd, startsWith } from '../node/sources.ts';
import type { Dictionary, TermSource } from '../node/termset.ts';
import { type Automaton, DEAD } from './automaton.ts';

/** Receives a term and how far it is from exact. */
export type Found = (ordinal: number, distance: number) => void;

/** The path of states along a term, one for each byte that ends a code point. */
class Path {
  readonly #automaton: Automaton;
  readonly #states: number[];
  /** Bytes that the states are good for. */
  #good = 0;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#states = [automaton.start];
  }

  /**
   * Steps along `term`, whose first `shared` bytes are those of the term before. Returns the length of the beginning
   * that is dead, or -1 when the whole term has been stepped over.
   */
  follow(term: Uint8Array, shared: number): number {
    let i = Math.min(shared, this.#good);
    while (i > 0 && (term[i]! & 0xc0) === 0x80) i--;
    let state = this.#states[i]!;
    while (i < term.length) {
      const from = i;
      const codePoint = decode(term, i);
      i += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
      state = this.#automaton.step(state, codePoint);
      if (state === DEAD) {
        this.#good = from;
        return Math.min(i, term.length);
      }
      this.#states[i] = state;
    }
    this.#good = term.length;
    return -1;
  }

  /** What the last term followed to its end comes to. */
  distance(term: Uint8Array): number {
    return this.#automaton.accepts(this.#states[term.length]!);
  }
}

/** The code point at byte i of valid UTF-8. */
function decode(bytes: Uint8Array, i: number): number {
  const a = bytes[i]!;
  if (a < 0x80) return a;
  const b = (bytes[i + 1] ?? 0) & 63;
  if (a < 0xe0) return ((a & 31) << 6) | b;
  const c = (bytes[i + 2] ?? 0) & 63;
  if (a < 0xf0) return ((a & 15) << 12) | (b << 6) | c;
  return ((a & 7) << 18) | (b << 12) | (c << 6) | ((bytes[i + 3] ?? 0) & 63);
}

function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  const n = Math.min(a.length, b.length);
  let i = 0;
  while (i < n && a[i] === b[i]) i++;
  return i;
}

/** Calls `found` for every term that the automaton accepts. */
export function walk(terms: Dictionary, automaton: Automaton, found: Found): void {
  const path = new Path(automaton);
  if (!terms.sorted) {
    for (const ordinal of terms.ordinals()) {
      const term = terms.term(ordinal);
      if (path.follow(term, 0) >= 0) continue;
      const distance = path.distance(term);
      if (distance >= 0) found(ordinal, distance);
    }
    return;
  }
  let before: Uint8Array = new Uint8Array();
  for (let ordinal = 0; ordinal < terms.count; ) {
    const term = terms.term(ordinal);
    const dead = path.follow(term, sharedBytes(before, term));
    before = term;
    if (dead < 0) {
      const distance = path.distance(term);
      if (distance >= 0) found(ordinal, distance);
      ordinal++;
      continue;
    }
    ordinal++;
    if (ordinal < terms.count && startsWith(terms.term(ordinal), term.subarray(0, dead))) {
      const end = prefixEnd(term.subarray(0, dead));
      ordinal = end === undefined ? terms.count : terms.lowerBound(end);
    }
  }
}

/** The terms that an automaton accepts, as a set. */
export function automatonTerms(automaton: Automaton): TermSource {
  return {
    get key() {
      return `a${byteKey('', new TextEncoder().encode(automaton.key))}`;
    },
    ordinals(terms) {
      const out: number[] = [];
      walk(terms, automaton, (ordinal) => out.push(ordinal));
      return out;
    },
  };
}
