// What are the k best documents of a flat query, without scoring the others? Leaf after leaf, chunk after chunk, with
// one limit that rises all the way.

import type { LeafView } from '../segment/leaf.ts';
import { Adjacent } from './adjacent.ts';
import { bestOfAll } from './all.ts';
import { AnyOf } from './any.ts';
import type { FlatQuery } from './flat.ts';
import { Lists } from './lists.ts';
import { bestOfTerm } from './single.ts';
import { Survivors } from './survivors.ts';
import type { TopK } from './topk.ts';

/** One leaf, ready to be searched. `counting`: phrases count their matches by the way. */
export class Pruner {
  readonly #lists: Lists;
  readonly #survivors: Survivors;
  readonly #any: AnyOf;
  readonly #adjacent: Adjacent;

  constructor(query: FlatQuery, top: TopK, counting: boolean) {
    this.#lists = new Lists(query);
    this.#survivors = new Survivors(top);
    this.#any = new AnyOf(this.#lists, this.#survivors);
    this.#adjacent = new Adjacent(this.#lists, this.#survivors, counting);
  }

  /** Phrases found so far, in visible documents, where they are counted. */
  get phrases(): number {
    return this.#adjacent.total;
  }

  /**
   * Goes on to a leaf. Documents are offered to the heap as base + number, and leaves have to come with ascending bases.
   * False when the leaf has no bounds: then all of its matches have to be scored.
   */
  open(view: LeafView, accept: Uint32Array | undefined, base: number): boolean {
    const lists = this.#lists;
    const opened = lists.open(view.leaf);
    if (opened !== 'open') {
      lists.close();
      return opened === 'empty';
    }
    const { shape, terms } = lists.query;
    const single = shape === 'phrase' || terms.length === 1;
    this.#survivors.begin(view, accept, base, single ? lists.singleUnit() : lists.weigh());
    return true;
  }

  /** Searches the next chunk of the leaf; false when there is none. */
  step(): boolean {
    const lists = this.#lists;
    if (!lists.nextChunk()) return false;
    if (lists.query.shape === 'phrase') this.#adjacent.chunk();
    else if (lists.query.terms.length === 1) bestOfTerm(lists, this.#survivors);
    else if (lists.query.shape === 'all') bestOfAll(lists, this.#survivors);
    else this.#any.chunk();
    return true;
  }
}
