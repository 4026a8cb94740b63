// Finds the terms of a dictionary that an automaton accepts. In a sorted dictionary neighbours share
// beginnings: the states along the last term are kept, and a dead beginning skips every term that has it. An
// unsorted dictionary is read through.

import { compareByteRanges as compareRanges } from '../../kernels/sorted-search.ts';
import { type Automaton, DEAD } from '../../patterns/automaton/automaton.ts';
import { byteKey } from '../node/cache-key.ts';
import type { TermDictionary, TermSource } from '../query-terms.ts';
import type { Steps } from '../steps.ts';

/** Receives an accepted term, and how far it is from exact. */
type OnTerm = (ordinal: number, distance: number) => void;

/** The path of states along a term, one for each byte that ends a code point. */
class Path {
  readonly #automaton: Automaton;
  readonly #states: number[];
  /** Bytes that the states are good for. */
  #good = 0;
  /** The state after the last term followed to its end. */
  #last: number;
  /** Where the last dead beginning died: before its byte `from`, in `state`, by `codePoint`. */
  from = 0;
  state = 0;
  codePoint = 0;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#states = [automaton.start];
    this.#last = automaton.start;
  }

  /**
   * Steps along the term at bytes[start … end), whose first `shared` bytes are those of the term before.
   * Returns the length of the beginning that is dead, or -1 when the whole term has been stepped over, or as
   * much of it as matters.
   */
  follow(bytes: Uint8Array, start: number, end: number, shared: number): number {
    const automaton = this.#automaton;
    const states = this.#states;
    const length = end - start;
    let i = Math.min(shared, this.#good);
    while (i > 0 && (bytes[start + i]! & 0xc0) === 0x80) i--;
    let state = states[i]!;
    while (i < length && !automaton.acceptsAll(state)) {
      const from = i;
      const first = bytes[start + i]!;
      const codePoint = first < 0x80 ? first : decode(bytes, start + i);
      i += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
      const before = state;
      state = automaton.step(state, codePoint);
      if (state === DEAD) {
        this.#good = from;
        this.from = from;
        this.state = before;
        this.codePoint = codePoint;
        return Math.min(i, length);
      }
      states[i] = state;
    }
    this.#good = i;
    this.#last = state;
    return -1;
  }

  /** How far the last term that was followed to its end is from exact; -1 where it is not accepted. */
  distance(): number {
    return this.#automaton.accepts(this.#last);
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

const encoder = new TextEncoder();

/** Terms looked at between two yields: well under a millisecond of work. */
const SLICE = 512;

/** Calls `found` for every term that the automaton accepts. Yields as it goes. */
export function walkTerms(terms: TermDictionary, automaton: Automaton, found: OnTerm): Steps<void> {
  return terms.sorted ? walkSorted(terms, automaton, found) : walkScattered(terms, automaton, found);
}

function* walkScattered(terms: TermDictionary, automaton: Automaton, found: OnTerm): Steps<void> {
  const path = new Path(automaton);
  let looked = 0;
  for (const ordinal of terms.ordinals()) {
    if (++looked % SLICE === 0) yield;
    const term = terms.term(ordinal);
    if (path.follow(term, 0, term.length, 0) >= 0) continue;
    const distance = path.distance();
    if (distance >= 0) found(ordinal, distance);
  }
}

function* walkSorted(terms: TermDictionary, automaton: Automaton, found: OnTerm): Steps<void> {
  const flat = flatOf(terms);
  const { bytes, starts, count } = flat;
  const path = new Path(automaton);
  let last = 0;
  let looked = 0;
  for (let ordinal = 0; ordinal < count; ) {
    if (++looked % SLICE === 0) yield;
    const start = starts[ordinal]!;
    const end = starts[ordinal + 1]!;
    const before = starts[last]!;
    const most = looked === 1 ? 0 : Math.min(starts[last + 1]! - before, end - start);
    let shared = 0;
    while (shared < most && bytes[before + shared] === bytes[start + shared]) shared++;
    last = ordinal++;
    const dead = path.follow(bytes, start, end, shared);
    if (dead < 0) {
      const distance = path.distance();
      if (distance >= 0) found(ordinal - 1, distance);
      continue;
    }
    const { from, state, codePoint } = path;
    const live = automaton.liveAfter(state, codePoint);
    if (live < 0 || live === codePoint + 1) {
      const beginning = bytes.subarray(start, start + (live < 0 ? from : dead));
      ordinal = gallop(flat, ordinal, (at) => beginsWith(flat, at, beginning));
    } else {
      const next = appendCharacter(bytes.subarray(start, start + from), live);
      ordinal = gallop(flat, ordinal, (at) => isBelow(flat, at, next));
    }
  }
}

/** A sorted dictionary as it lies in memory: terms one after the other, and where each begins. */
interface Flat {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly count: number;
}

function flatOf(terms: TermDictionary): Flat {
  const { count } = terms;
  if (terms.bytes !== undefined && terms.starts !== undefined) {
    return { bytes: terms.bytes, starts: terms.starts, count };
  }
  const starts = new Uint32Array(count + 1);
  for (let o = 0; o < count; o++) starts[o + 1] = starts[o]! + terms.term(o).length;
  const bytes = new Uint8Array(starts[count]!);
  for (let o = 0; o < count; o++) bytes.set(terms.term(o), starts[o]!);
  return { bytes, starts, count };
}

function beginsWith({ bytes, starts }: Flat, ordinal: number, beginning: Uint8Array): boolean {
  const start = starts[ordinal]!;
  if (starts[ordinal + 1]! - start < beginning.length) return false;
  for (let i = 0; i < beginning.length; i++) if (bytes[start + i] !== beginning[i]) return false;
  return true;
}

function isBelow({ bytes, starts }: Flat, ordinal: number, bound: Uint8Array): boolean {
  return compareRanges(bytes, starts[ordinal]!, starts[ordinal + 1]!, bound, 0, bound.length) < 0;
}

/** Some bytes followed by a character. */
function appendCharacter(beginning: Uint8Array, codePoint: number): Uint8Array {
  const character = encoder.encode(String.fromCodePoint(codePoint));
  const out = new Uint8Array(beginning.length + character.length);
  out.set(beginning);
  out.set(character, beginning.length);
  return out;
}

/**
 * The first ordinal from `from` on for which a monotone test is false. Gallops, because most such runs are
 * short.
 */
function gallop({ count }: Flat, from: number, holds: (ordinal: number) => boolean): number {
  let low = from;
  let step = 1;
  while (low + step <= count && holds(low + step - 1)) {
    low += step;
    step *= 2;
  }
  let high = Math.min(count, low + step - 1);
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (holds(mid)) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** The terms that an automaton accepts, as a set. */
export function automatonTerms(automaton: Automaton): TermSource {
  return {
    get key() {
      return `a${byteKey('', new TextEncoder().encode(automaton.key))}`;
    },
    *ordinals(terms) {
      const out: number[] = [];
      yield* walkTerms(terms, automaton, (ordinal) => out.push(ordinal));
      return out;
    },
  };
}
