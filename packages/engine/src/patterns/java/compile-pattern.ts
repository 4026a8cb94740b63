// Turns the tree of a pattern into instructions. Those of a look behind read forwards, those of a look ahead backwards, so that
// one pass over a text finds all places where it holds.

import { illegalArgument } from '../../errors.ts';
import type { CharSet } from './char-set.ts';
import type { PatternNode, PlaceKind } from './pattern-tree.ts';

type Instruction =
  | { readonly op: 'chars'; readonly set: CharSet }
  /** Both ways are tried; the first has precedence. */
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'place'; readonly place: PlaceKind }
  | { readonly op: 'look'; readonly look: Look }
  | { readonly op: 'match' };

export type Program = readonly Instruction[];

export interface Look {
  readonly program: Program;
  readonly isAhead: boolean;
  readonly isNegative: boolean;
}

const MAX_INSTRUCTIONS = 20_000;

export function patternProgram(root: PatternNode): Program {
  return new Compiler(false).compile(root);
}

class Compiler {
  readonly #out: Instruction[] = [];
  readonly #isBackwards: boolean;

  constructor(isBackwards: boolean) {
    this.#isBackwards = isBackwards;
  }

  compile(root: PatternNode): Program {
    this.#add(root);
    this.#push({ op: 'match' });
    return this.#out;
  }

  #push<T extends Instruction>(instruction: T): T {
    if (this.#out.length >= MAX_INSTRUCTIONS)
      throw illegalArgument(`A pattern may have at most ${MAX_INSTRUCTIONS} instructions: use fewer repeats`);
    this.#out.push(instruction);
    return instruction;
  }

  #add(node: PatternNode): void {
    switch (node.kind) {
      case 'chars':
        this.#push({ op: 'chars', set: node.set });
        return;
      case 'sequence':
        for (const one of this.#isBackwards ? node.of.toReversed() : node.of) this.#add(one);
        return;
      case 'choice':
        this.#addChoice(node.of);
        return;
      case 'group':
        this.#push({ op: 'save', slot: node.number * 2 });
        this.#add(node.of);
        this.#push({ op: 'save', slot: node.number * 2 + 1 });
        return;
      case 'repeat':
        for (let i = 0; i < node.min; i++) this.#add(node.of);
        this.#addOptional(node.of, node.max - node.min, node.isLazy);
        return;
      case 'place':
        this.#push({ op: 'place', place: node.place });
        return;
      case 'look': {
        const { isAhead, isNegative } = node;
        const program = new Compiler(isAhead).compile(node.of);
        this.#push({ op: 'look', look: { program, isAhead, isNegative } });
      }
    }
  }

  #addChoice(of: readonly PatternNode[]): void {
    const ends: { op: 'jump'; to: number }[] = [];
    for (const [i, one] of of.entries()) {
      if (i === of.length - 1) {
        this.#add(one);
        break;
      }
      const split = this.#push({ op: 'split', first: this.#out.length + 1, second: 0 });
      this.#add(one);
      ends.push(this.#push({ op: 'jump', to: 0 }));
      split.second = this.#out.length;
    }
    for (const end of ends) end.to = this.#out.length;
  }

  /** Up to `most` times; without end where it is infinite. */
  #addOptional(of: PatternNode, most: number, isLazy: boolean): void {
    const splits: { op: 'split'; first: number; second: number }[] = [];
    const isEndless = most === Number.POSITIVE_INFINITY;
    const start = this.#out.length;
    for (let i = 0; i < (isEndless ? 1 : most); i++) {
      splits.push(this.#push({ op: 'split', first: 0, second: 0 }));
      const inner = this.#out.length;
      this.#add(of);
      splits.at(-1)!.first = inner;
    }
    if (isEndless) this.#push({ op: 'jump', to: start });
    for (const split of splits) {
      split.second = this.#out.length;
      if (isLazy) [split.first, split.second] = [split.second, split.first];
    }
  }
}
