// The tails that the documents of one batch go to. Marks earlier versions of these documents as dead, in leaves and in
// the batch itself.

import type { Tail } from '../../tail/tail.ts';
import type { DocumentLocation, IndexState } from '../index-state/index-state.ts';

/** What is needed of the engine. */
export interface TailEnvironment {
  readonly newTail: () => Tail;
  /** Notes in the log that a version in a leaf was overwritten or deleted. */
  readonly markDead: (located: DocumentLocation) => void;
}

/** A version that the batch wrote: not in a leaf yet. The tail is undefined for a deletion. */
export interface BatchVersion {
  readonly tail: Tail | undefined;
  readonly tailDoc: number;
}

/** The tails of one batch. */
export class BatchTails {
  readonly #state: IndexState;
  readonly #commit: number;
  readonly #env: TailEnvironment;
  /** Versions of this batch that a later operation of it replaced. */
  readonly #replaced: { tail: Tail; tailDoc: number }[] = [];
  readonly #touched = new Set<Tail>();

  constructor(state: IndexState, commit: number, env: TailEnvironment) {
    this.#state = state;
    this.#commit = commit;
    this.#env = env;
  }

  get hasDocuments(): boolean {
    return this.#touched.size > 0;
  }

  /** The tail of the next document. */
  current(): Tail {
    const { tails } = this.#state;
    const last = tails.at(-1);
    if (last !== undefined && !last.isFull) return last;
    const tail = this.#env.newTail();
    tails.push(tail);
    return tail;
  }

  /** Notes that a tail has a document of this batch. */
  add(tail: Tail): void {
    this.#touched.add(tail);
  }

  /** Marks the previous version as dead with this commit, in this batch or in a leaf. */
  kill(pending: BatchVersion | undefined, located: DocumentLocation | undefined): void {
    if (pending?.tail !== undefined) this.#replaced.push({ tail: pending.tail, tailDoc: pending.tailDoc });
    else if (located !== undefined) {
      located.leaf.deaths.append(located.doc, this.#commit);
      this.#env.markDead(located);
    }
  }

  /** Closes the batch in its tails, and marks those dead that a later operation of the batch replaced. */
  close(): void {
    for (const tail of this.#touched) tail.closeBatch();
    this.#state.invalidateRanges();
    for (const { tail, tailDoc } of this.#replaced) {
      const { leaf, doc } = tail.locate(tailDoc)!;
      leaf.deaths.append(doc, this.#commit);
    }
  }
}
