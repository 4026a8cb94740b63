// When may a block be used again that a tail has grown out of? Readers in other threads look at the arrays that were lent
// last. What the tail gives up since is kept until it has lent anew; from then on the generations of readers decide.

import type { Block, Memory } from '../../memory/memory.ts';

/** The memory of one tail. */
export class DeferredFreeMemory implements Memory {
  readonly #memory: Memory;
  readonly #isLent: () => boolean;
  #retired: Block[] = [];

  /** `isLent` says whether another thread may be looking at the tail. */
  constructor(memory: Memory, isLent: () => boolean) {
    this.#memory = memory;
    this.#isLent = isLent;
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
    if (this.#isLent()) this.#retired.push(block);
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

  /** The tail has lent anew, or will never lend again: what it gave up before goes. */
  flush(): void {
    const retired = this.#retired;
    this.#retired = [];
    for (const block of retired) this.#memory.free(block);
  }
}
