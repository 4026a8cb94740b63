// An automaton of the words within k edits of another: insert, delete or replace a character, swap two
// neighbours, each character edited once (optimal string alignment, as Lucene's Levenshtein automata). A
// state is a shape (edit-shapes.ts) and its place in the word, so that nothing is built per word.

import { type Automaton, DEAD } from '../../patterns/automaton/automaton.ts';
import { EditShapes } from './edit-shapes.ts';

const tables = new Map<string, EditShapes>();

function shapesOf(edits: number, swaps: boolean): EditShapes {
  const key = `${edits}${swaps}`;
  let shapes = tables.get(key);
  if (shapes === undefined) tables.set(key, (shapes = new EditShapes(edits, swaps)));
  return shapes;
}

/** Automaton of the words within at most two edits of another. */
export class EditAutomaton implements Automaton {
  readonly key: string;
  readonly start: number;
  /** The characters that have to be equal, then those that may be edited. */
  readonly #word: readonly number[];
  readonly #fixed: number;
  readonly #shapes: EditShapes;
  /** States up to `fixed` count equal characters; those behind are fixed + shape · width + place. */
  readonly #width: number;

  /** `fixed`: characters at the beginning that must be equal. */
  constructor(word: string, edits: number, fixed: number, swaps: boolean) {
    this.key = `e${edits},${fixed},${swaps}:${word}`;
    this.#word = Array.from(word, (c) => c.codePointAt(0)!);
    this.#fixed = Math.min(fixed, this.#word.length);
    this.#shapes = shapesOf(edits, swaps);
    this.#width = this.#word.length + 1;
    this.start = this.#fixed > 0 ? 0 : this.#begin();
  }

  step(state: number, codePoint: number): number {
    const fixed = this.#fixed;
    const word = this.#word;
    if (state < fixed) {
      if (word[state] !== codePoint) return DEAD;
      return state + 1 < fixed ? state + 1 : this.#begin();
    }
    const shapes = this.#shapes;
    const place = (state - fixed) % this.#width;
    const shape = (state - fixed - place) / this.#width;
    const left = word.length - place;
    let equal = 0;
    for (let i = Math.min(left, shapes.window) - 1; i >= 0; i--) {
      equal = (equal << 1) | (word[place + i] === codePoint ? 1 : 0);
    }
    const next = shapes.after(shape, left, equal);
    return next === DEAD ? DEAD : fixed + (next >> 3) * this.#width + place + (next & 7);
  }

  accepts(state: number): number {
    if (state < this.#fixed) return -1;
    const place = (state - this.#fixed) % this.#width;
    const shape = (state - this.#fixed - place) / this.#width;
    return this.#shapes.reached(shape, this.#word.length - place);
  }

  /** Few characters lead on where no edit is left; else any character does. */
  liveAfter(state: number, codePoint: number): number {
    const from = state < this.#fixed ? state : (state - this.#fixed) % this.#width;
    const to = state < this.#fixed ? state + 1 : from + this.#shapes.window;
    if (state >= this.#fixed && this.step(state, FOREIGN_CHARACTER) !== DEAD) return codePoint + 1;
    let least = -1;
    for (const c of this.#word.slice(from, to)) {
      if (c > codePoint && (least < 0 || c < least) && this.step(state, c) !== DEAD) least = c;
    }
    return least;
  }

  acceptsAll(): boolean {
    return false;
  }

  #begin(): number {
    const place = this.#fixed;
    return this.#fixed + this.#shapes.start(this.#word.length - place) * this.#width + place;
  }
}

/** A character that no word has. */
const FOREIGN_CHARACTER = -1;
