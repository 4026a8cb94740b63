// The contract of the allocator. Large structures live in a few process-wide shared arenas
// (`WebAssembly.Memory`): threads and kernels read the same bytes, and the garbage collector never sees
// them. Blocks are freed by generation.

/** A run of bytes in an arena. `buffer` is the arena's SharedArrayBuffer; `ptr` a multiple of 64. */
export interface Block {
  readonly arena: number;
  readonly buffer: SharedArrayBuffer;
  readonly ptr: number;
  readonly bytes: number;
}

/** The allocator. One owner (the writer) allocates and frees; others receive blocks. */
export interface Memory {
  /**
   * A block of at least `bytes` (rounded up to 64), contents undefined. Throws `circuit_breaking_exception`
   * over the budget.
   */
  alloc(bytes: number): Block;
  /**
   * A block for a cache: undefined instead of an error where there is no room. Caches get no more than three quarters of
   * the budget, together with everything else.
   */
  tryAlloc(bytes: number): Block | undefined;
  /**
   * Suspends the budget for `alloc` until the returned function is called. For writes that are already acknowledged, and
   * for work that frees more than it takes.
   */
  suspendBudget(): () => void;
  /** `evict` is called when `alloc` finds no room: a cache then frees about so many bytes, if it has them. */
  onPressure(evict: (bytes: number) => void): void;
  /** Frees a block. It is reused once no reader of an older generation is left. */
  free(block: Block): void;
  /** Starts a reading, which pins every block that is live now. Returns a function that ends it. */
  beginReading(): () => void;
  /** Bytes handed out and not yet freed; bytes reserved from the system. */
  usage(): { used: number; reserved: number; waiting: number };
  /** True while less than half of the budget is used: memory need not be freed early. */
  readonly isRoomy: boolean;
}

/** Runs work with the budget suspended (`Memory.suspendBudget`). */
export function withoutBudget<T>(memory: Pick<Memory, 'suspendBudget'>, work: () => T): T {
  const resume = memory.suspendBudget();
  try {
    return work();
  } finally {
    resume();
  }
}
