// Where do the large structures live? In a few process-wide shared arenas (WebAssembly.Memory), so that threads and
// kernels read the same bytes and the garbage collector never sees them. Blocks are freed by generation.

/** A run of bytes in an arena. `buffer` is the arena's SharedArrayBuffer; `ptr` a multiple of 64. */
export interface Block {
  readonly arena: number;
  readonly buffer: SharedArrayBuffer;
  readonly ptr: number;
  readonly bytes: number;
}

/** The allocator. One owner (the writer) allocates and frees; others receive blocks. */
export interface Memory {
  /** A block of at least `bytes` (rounded up to 64), contents undefined. Throws `circuit_breaking_exception` over the budget. */
  alloc(bytes: number): Block;
  /**
   * A block for a cache: undefined instead of an error where there is no room. Caches get no more than three quarters of
   * the budget, together with everything else.
   */
  tryAlloc(bytes: number): Block | undefined;
  /**
   * Until the returned function is called, `alloc` does not keep to the budget: for what was acknowledged and has to come
   * back, and for what frees more than it takes.
   */
  lift(): () => void;
  /** `give` is called when `alloc` finds no room: a cache frees about so many bytes, if it has them. */
  onPressure(give: (bytes: number) => void): void;
  /** Gives a block back; it is reused when no reader of an older generation is left. */
  free(block: Block): void;
  /** A reader begins: its generation pins every block that was live then. Returns the end of the reading. */
  enter(): () => void;
  /** Bytes handed out and not yet freed; bytes reserved from the system. */
  usage(): { used: number; reserved: number; waiting: number };
  /** True while less than half of the budget is taken: nobody has to hurry to give anything back. */
  readonly isRoomy: boolean;
}

/** Does what does not keep to the budget: `Memory.lift`. */
export function beyondBudget<T>(memory: Pick<Memory, 'lift'>, work: () => T): T {
  const keep = memory.lift();
  try {
    return work();
  } finally {
    keep();
  }
}
