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

const free: Pruner[] = [];

/** Borrows a pruner: its arrays are many and small. Give it back with `returnPruner` when the search is over. */
export function borrowPruner(query: FlatQuery, top: TopK, counting: boolean): Pruner {
  const pruner = free.pop() ?? new Pruner();
  pruner.begin(query, top, counting);
  return pruner;
}

export function returnPruner(pruner: Pruner): void {
  pruner.release();
  if (free.length < 4) free.push(pruner);
}

/** One search over some leaves. */
export class Pruner {
  readonly #lists = new Lists();
  readonly #survivors = new Survivors();
  #any: AnyOf | undefined;
  #adjacent: Adjacent | undefined;
  #single = false;

  /** Starts a search; with `counting`, a phrase counts its matches by the way. */
  begin(query: FlatQuery, top: TopK, counting: boolean): void {
    this.#lists.begin(query);
    this.#survivors.begin(top);
    this.#single = query.shape === 'phrase' || query.terms.length === 1;
    if (query.shape === 'phrase') this.#adjacent = new Adjacent(this.#lists, this.#survivors, counting);
    else if (query.shape === 'any') this.#any ??= new AnyOf(this.#lists, this.#survivors);
  }

  /** Lets go of leaves and heap. */
  release(): void {
    this.#lists.release();
    this.#survivors.release();
    this.#adjacent = undefined;
  }

  /** Phrases found so far, in visible documents, where they are counted. */
  get phrases(): number {
    return this.#adjacent?.total ?? 0;
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
    this.#survivors.enter(view, accept, base, this.#single ? lists.singleUnit() : lists.weigh());
    return true;
  }

  /** Searches the next chunk of the leaf; false when there is none. */
  step(): boolean {
    const lists = this.#lists;
    if (!lists.nextChunk()) return false;
    if (this.#adjacent !== undefined) this.#adjacent.chunk();
    else if (this.#single) bestOfTerm(lists, this.#survivors);
    else if (lists.query.shape === 'all') bestOfAll(lists, this.#survivors);
    else this.#any!.chunk();
    return true;
  }
}
