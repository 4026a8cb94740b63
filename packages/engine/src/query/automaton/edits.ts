// Which terms are at most k edits from a word? Edits: insert, delete, replace a character, swap two neighbours (each
// character edited once: optimal string alignment, as Lucene's Levenshtein automata). A state is the set of places in
// the word that may have been reached, each with the fewest edits, and places with half a swap behind them.

import { type Automaton, DEAD } from './automaton.ts';

const UNKNOWN = -2;
const NEVER = 127;

/** Place i is `fewest[i]` edits away; a swap begun at i needs character i next. */
interface Places {
  readonly fewest: Int8Array;
  readonly swapping: Int8Array;
}

/** Automaton of the words within some edits of another. States: O(length · 30^k) at most, in practice far fewer. */
export class Edits implements Automaton {
  readonly key: string;
  readonly start: number;
  readonly #word: readonly number[];
  readonly #edits: number;
  readonly #fixed: number;
  readonly #swaps: boolean;
  readonly #symbols = new Map<number, number>();
  readonly #places: Places[] = [];
  readonly #next: Int32Array[] = [];
  readonly #states = new Map<string, number>();

  /** `fixed`: characters at the beginning that must be equal. */
  constructor(word: string, edits: number, fixed: number, swaps: boolean) {
    this.key = `e${edits},${fixed},${swaps}:${word}`;
    this.#word = Array.from(word, (c) => c.codePointAt(0)!);
    this.#edits = edits;
    this.#fixed = Math.min(fixed, this.#word.length);
    this.#swaps = swaps;
    for (const c of this.#word) if (!this.#symbols.has(c)) this.#symbols.set(c, this.#symbols.size + 1);
    const places = this.#blank();
    places.fewest[0] = 0;
    this.start = this.#state(places);
  }

  step(state: number, codePoint: number): number {
    const symbol = this.#symbols.get(codePoint) ?? 0;
    const known = this.#next[state]![symbol]!;
    if (known !== UNKNOWN) return known;
    const next = this.#state(this.#after(this.#places[state]!, symbol === 0 ? -1 : codePoint));
    this.#next[state]![symbol] = next;
    return next;
  }

  accepts(state: number): number {
    const edits = this.#places[state]!.fewest[this.#word.length]!;
    return edits <= this.#edits ? edits : -1;
  }

  #blank(): Places {
    const size = this.#word.length + 1;
    return { fewest: new Int8Array(size).fill(NEVER), swapping: new Int8Array(size).fill(NEVER) };
  }

  #after(places: Places, c: number): Places {
    const word = this.#word;
    const out = this.#blank();
    const reach = (to: Int8Array, i: number, edits: number): void => {
      if (edits <= this.#edits && edits < to[i]!) to[i] = edits;
    };
    for (let i = 0; i <= word.length; i++) {
      const swapping = places.swapping[i]!;
      if (swapping <= this.#edits && word[i] === c) reach(out.fewest, i + 2, swapping);
      const edits = places.fewest[i]!;
      if (edits > this.#edits) continue;
      if (i < word.length && word[i] === c) reach(out.fewest, i + 1, edits);
      if (i < this.#fixed) continue;
      reach(out.fewest, i, edits + 1);
      if (i < word.length) reach(out.fewest, i + 1, edits + 1);
      if (this.#swaps && i + 1 < word.length && word[i + 1] === c) reach(out.swapping, i, edits + 1);
    }
    return out;
  }

  /** The number of a state, deletions included; DEAD when no place is left. */
  #state(places: Places): number {
    const { fewest, swapping } = places;
    const parts: string[] = [];
    for (let i = 0; i < fewest.length; i++) {
      if (i > this.#fixed && fewest[i - 1]! + 1 <= this.#edits) {
        fewest[i] = Math.min(fewest[i]!, fewest[i - 1]! + 1);
      }
      if (fewest[i]! < NEVER) parts.push(`${i}.${fewest[i]}`);
      if (swapping[i]! < NEVER) parts.push(`${i}s${swapping[i]}`);
    }
    if (parts.length === 0) return DEAD;
    const key = parts.join();
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const state = this.#places.length;
    this.#places.push(places);
    this.#next.push(new Int32Array(this.#symbols.size + 1).fill(UNKNOWN));
    this.#states.set(key, state);
    return state;
  }
}
