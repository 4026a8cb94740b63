// Prewarms what a commit brings, so that the next search does not pay for it. If an index is searched again
// and again, new documents are made searchable while their frame is on the way to the disk, and added to the
// orders that recent searches used, with their first keys; so are nested objects. A new segment is prewarmed before it replaces its
// parts.

import type { Memory } from '../../memory/memory.ts';
import type { ReadSource } from '../../nested/build-objects.ts';
import { LeafStack } from '../../order/build/leaf-stack.ts';
import type { SearchCaches } from '../../search/caches/search-caches.ts';
import type { Leaf } from '../../segment/leaf.ts';
import { runSliced } from '../../turn.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';

/** Making so few documents searchable costs a search next to nothing. */
export const FEW_UNINVERTED = 64;

type PrewarmedCaches = Pick<SearchCaches, 'orders' | 'sorts' | 'objects'>;

/** Prewarms commits and segments. */
export class CommitPrewarmer {
  readonly #memory: Memory;
  readonly #caches: PrewarmedCaches;
  readonly #readSource: ReadSource;

  constructor(memory: Memory, caches: PrewarmedCaches, readSource: ReadSource) {
    this.#memory = memory;
    this.#caches = caches;
    this.#readSource = readSource;
  }

  /** Resolves when a commit is prewarmed; undefined if no search is expected. Never rejects. */
  prewarmCommit(states: Iterable<IndexState>, commit: number): Promise<unknown> | undefined {
    const work: Promise<void>[] = [];
    for (const state of states) {
      const scope = state.predictSearch();
      this.#caches.sorts.noteCommit(state.info.uuid);
      if (scope === undefined || state.visibleCommit(commit) !== commit) continue;
      if (state.countUninverted(commit, scope) <= FEW_UNINVERTED) continue;
      const steps = function* (this: CommitPrewarmer): Generator<void, void, undefined> {
        yield* state.prepare(commit, scope);
        // The step after it copies and opens leaves: yield before.
        yield;
        for (const tail of [...state.tails])
          for (const leaf of tail.leaves(commit, scope)) yield* this.#leaf(state, leaf);
      };
      work.push(this.#run(steps.call(this)));
    }
    return work.length === 0 ? undefined : Promise.all(work);
  }

  /** Prewarms a segment that searches do not see yet. Never rejects. */
  prewarmSegment(state: IndexState, leaf: Leaf): Promise<void> {
    return this.#run(this.#leaf(state, leaf));
  }

  *#leaf(state: IndexState, leaf: Leaf): Generator<void, void, undefined> {
    const { objects } = this.#caches;
    yield* this.#orders(state, leaf);
    if (objects.isUsed(state.info.uuid)) yield* objects.of(leaf, state.mapping, this.#readSource);
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
      // The search that needs it prepares it itself and reports the error.
    } finally {
      leave();
    }
  }
}
