// Who pays for documents that come while others are read? Not the search that comes next: where an index is searched
// again and again, what a commit brings is made searchable while its frame is on the way to the disk, and put in the orders
// that were asked for. The same for a segment before it takes the place of what it is made of.

import type { Memory } from '../../memory/memory.ts';
import { LeafStack } from '../../order/build/leaf-stack.ts';
import type { SearchCaches } from '../../search/caches/search-caches.ts';
import type { Leaf } from '../../segment/leaf.ts';
import { runSliced } from '../../turn.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';

/** So many documents that nobody has searched cost a search next to nothing. */
export const FEW_UNSEARCHED = 64;

/** Prepares what searches will ask for. */
export class CommitPrewarmer {
  readonly #memory: Memory;
  readonly #caches: Pick<SearchCaches, 'orders' | 'sorts'>;

  constructor(memory: Memory, caches: Pick<SearchCaches, 'orders' | 'sorts'>) {
    this.#memory = memory;
    this.#caches = caches;
  }

  /** Resolves when searches of this commit will find everything ready; undefined where nobody searches. Never rejects. */
  prewarmCommit(states: Iterable<IndexState>, commit: number): Promise<unknown> | undefined {
    const work: Promise<void>[] = [];
    for (const state of states) {
      const wanted = state.predictSearch();
      this.#caches.sorts.noteCommit(state.info.uuid);
      if (wanted === undefined || state.visibleCommit(commit) !== commit) continue;
      if (state.countUnsearched(commit, wanted) <= FEW_UNSEARCHED) continue;
      const steps = function* (this: CommitPrewarmer): Generator<void, void, undefined> {
        yield* state.prepare(commit, wanted);
        // Behind the last step of it leaves are copied and opened.
        yield;
        for (const tail of [...state.tails])
          for (const leaf of tail.leaves(commit, wanted)) yield* this.#orders(state, leaf);
      };
      work.push(this.#run(steps.call(this)));
    }
    return work.length === 0 ? undefined : Promise.all(work);
  }

  /** The same for a segment that searches do not see yet. */
  prewarmSegment(state: IndexState, leaf: Leaf): Promise<void> {
    return this.#run(this.#orders(state, leaf));
  }

  *#orders(state: IndexState, leaf: Leaf): Generator<void, void, undefined> {
    const { orders, sorts } = this.#caches;
    for (const spec of sorts.of(state.info.uuid)) {
      if (orders.peek(leaf, spec) !== undefined) continue;
      yield* orders.prepareKeys(leaf, spec);
      const side = orders.side(leaf, spec, 0, 0);
      yield;
      const order = yield* orders.build(side);
      yield* order.leadsOf(new LeafStack([side]));
    }
  }

  async #run(steps: Generator<void, void, undefined>): Promise<void> {
    const leave = this.#memory.beginReading();
    try {
      await runSliced(steps);
    } catch {
      // What cannot be prepared now is prepared by the search that needs it, which reports the error.
    } finally {
      leave();
    }
  }
}
