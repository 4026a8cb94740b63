// The memory of one tail, with deferred frees: replicas read the arrays of the last update. A block that the
// tail frees since then is kept until the next update; from then on the reader generations of the arena
// memory decide.

import type { Block, Memory } from '../../memory/memory.ts';

/** The memory of one tail. */
export class DeferredFreeMemory implements Memory {
  readonly #memory: Memory;
  readonly #isShared: () => boolean;
  #deferred: Block[] = [];

  /** `isShared` says whether replicas may be reading the tail. */
  constructor(memory: Memory, isShared: () => boolean) {
    this.#memory = memory;
    this.#isShared = isShared;
  }

  alloc(bytes: number): Block {
    return this.#memory.alloc(bytes);
  }

  tryAlloc(bytes: number): Block | undefined {
    return this.#memory.tryAlloc(bytes);
  }

  suspendBudget(): () => void {
    return this.#memory.suspendBudget();
  }

  onPressure(give: (bytes: number) => void): void {
    this.#memory.onPressure(give);
  }

  free(block: Block): void {
    if (this.#isShared()) this.#deferred.push(block);
    else this.#memory.free(block);
  }

  beginReading(): () => void {
    return this.#memory.beginReading();
  }

  get isRoomy(): boolean {
    return this.#memory.isRoomy;
  }

  usage(): { used: number; reserved: number; waiting: number } {
    return this.#memory.usage();
  }

  /** The tail was published again, or never will be: frees what it gave up before. */
  flush(): void {
    const deferred = this.#deferred;
    this.#deferred = [];
    for (const block of deferred) this.#memory.free(block);
  }
}
