// The shapes of an edit automaton: which places of the word can have been reached after some characters of a
// text, relative to the first of them, each with the fewest edits. There are few shapes, and they are the
// same for all words: what follows a shape depends only on which of the next 2k + 2 characters of the word
// equal the character read, and on how many there are. All words share one table, which is filled as needed.
//
// Source: Schulz, Mihov, Fast string correction with Levenshtein automata (2002), with the neighbour swaps of
// Lucene.

import { DEAD } from '../../patterns/automaton/automaton.ts';

/** The edits of a place that is not reached. */
const NEVER = 127;

/** Place i is `fewest[i]` edits away; a swap begun at i needs character i next. */
interface Shape {
  readonly fewest: readonly number[];
  readonly swapping: readonly number[];
}

/** The shapes of one number of edits. */
export class EditShapes {
  /** Characters of the word that decide what comes next. */
  readonly window: number;
  readonly #edits: number;
  readonly #swaps: boolean;
  readonly #shapes: Shape[] = [];
  readonly #numbers = new Map<string, number>();
  /** What follows, by shape, characters left and which are equal: shape · 8 + places passed, or DEAD. */
  readonly #next = new Map<number, number>();

  constructor(edits: number, swaps: boolean) {
    this.#edits = edits;
    this.#swaps = swaps;
    this.window = 2 * edits + 2;
  }

  /** The shape at the beginning of a word of `left` characters. */
  start(left: number): number {
    const fewest = this.#blank();
    fewest[0] = 0;
    return this.#named(fewest, this.#blank(), left) >> 3;
  }

  /** The shape after a character, and how many places its first one moved, as shape · 8 + places; or DEAD. */
  after(shape: number, left: number, equal: number): number {
    const near = Math.min(left, this.window);
    const key = ((shape * 8 + near) << this.window) | equal;
    let next = this.#next.get(key);
    if (next === undefined) this.#next.set(key, (next = this.#follow(this.#shapes[shape]!, near, equal)));
    return next;
  }

  /** The fewest edits that reach a place; -1 when it is not reached. */
  reached(shape: number, place: number): number {
    const edits = this.#shapes[shape]!.fewest[place] ?? NEVER;
    return edits <= this.#edits ? edits : -1;
  }

  #blank(): number[] {
    return new Array<number>(this.window + 2).fill(NEVER);
  }

  #follow({ fewest, swapping }: Shape, left: number, equal: number): number {
    const to = this.#blank();
    const swaps = this.#blank();
    const reach = (out: number[], i: number, edits: number): void => {
      if (edits <= this.#edits && edits < out[i]!) out[i] = edits;
    };
    for (let i = 0; i <= Math.min(left, 2 * this.#edits); i++) {
      const isNext = i < left && ((equal >>> i) & 1) === 1;
      if (isNext) reach(to, i + 2, swapping[i]!);
      const edits = fewest[i]!;
      if (edits > this.#edits) continue;
      if (isNext) reach(to, i + 1, edits);
      reach(to, i, edits + 1);
      if (i < left) reach(to, i + 1, edits + 1);
      if (this.#swaps && i + 1 < left && ((equal >>> (i + 1)) & 1) === 1) reach(swaps, i, edits + 1);
    }
    return this.#named(to, swaps, left);
  }

  /** The number of a shape, characters of the word left out included, moved so that its first place is 0. */
  #named(fewest: number[], swapping: number[], left: number): number {
    for (let i = 1; i <= left && i < fewest.length; i++) {
      if (fewest[i - 1]! < this.#edits) fewest[i] = Math.min(fewest[i]!, fewest[i - 1]! + 1);
    }
    const passed = fewest.findIndex((edits, i) => edits < NEVER || swapping[i]! < NEVER);
    if (passed < 0) return DEAD;
    const shape: Shape = { fewest: fewest.slice(passed), swapping: swapping.slice(passed) };
    const key = `${shape.fewest.slice(0, this.window)}|${shape.swapping.slice(0, this.window)}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#shapes.length;
      this.#numbers.set(key, number);
      const padding = new Array<number>(passed).fill(NEVER);
      this.#shapes.push({
        fewest: [...shape.fewest, ...padding],
        swapping: [...shape.swapping, ...padding],
      });
    }
    return number * 8 + passed;
  }
}
