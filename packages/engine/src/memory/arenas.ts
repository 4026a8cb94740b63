// The allocator: a handful of shared WebAssembly memories (arenas), grown in steps, with one free-space
// list over all of them and one byte budget.
//
//   address   arena number × 4 GiB + ptr         (exact in a double)
//   arena     [64 bytes never used: no block has ptr 0, and arenas never touch] [blocks and free runs …]
//
// A memory that grows gets a new SharedArrayBuffer over the same bytes. Older buffers stay valid for what
// they cover, so a block keeps the buffer that it was created with.

import { EngineError } from '../errors.ts';
import { type Arena, registerArena } from './arena.ts';
import { ALIGNMENT, FreeSpace } from './free-space.ts';
import type { Block, Memory } from './memory.ts';
import { ReaderGenerations } from './reader-generations.ts';
import { sharedMemory, type WasmMemory } from './wasm.ts';

const PAGE = 65_536;
const ARENA_BYTES = 2 ** 32;
/** Share of the budget that caches may fill. */
const CACHE_SHARE = 0.75;

/** Options of the memory. */
interface MemoryOptions {
  /** Bytes of all blocks, those waiting for readers included. @default Infinity */
  readonly budgetBytes?: number;
  /** An arena grows by at least this many bytes. @default 16 MiB */
  readonly stepBytes?: number;
  /** Largest size of an arena, a multiple of 64 KiB. @default 4 GiB */
  readonly arenaBytes?: number;
}

/** The memory with its arenas, for threads and kernels. */
export interface ArenaMemory extends Memory {
  /** By `Block.arena`. */
  readonly arenas: readonly WasmMemory[];
}

/** Creates an empty memory. One per process. */
export function createMemory(options: MemoryOptions = {}): ArenaMemory {
  return new Arenas(options);
}

class Arenas implements ArenaMemory {
  readonly arenas: WasmMemory[] = [];
  readonly #budget: number;
  readonly #step: number;
  readonly #arenaBytes: number;
  readonly #free = new FreeSpace();
  readonly #live = new Map<number, Block>();
  readonly #arenaHandles: Arena[] = [];
  readonly #readers = new ReaderGenerations();
  readonly #evictors: ((bytes: number) => void)[] = [];
  /** Freed blocks that readers may still see, in the order of their marks. */
  #waiting: { readonly block: Block; readonly mark: number }[] = [];
  #used = 0;
  #waitingBytes = 0;
  /** Suspensions of the budget that are in force. */
  #suspensions = 0;

  constructor(options: MemoryOptions) {
    this.#budget = options.budgetBytes ?? Number.POSITIVE_INFINITY;
    this.#step = options.stepBytes ?? 16 << 20;
    this.#arenaBytes = options.arenaBytes ?? ARENA_BYTES;
  }

  alloc(bytes: number): Block {
    const length = lengthOf(bytes);
    if (!this.#fits(length, this.#budget)) for (const evict of this.#evictors) evict(length);
    this.#checkBudget(length);
    return this.#take(length);
  }

  tryAlloc(bytes: number): Block | undefined {
    const length = lengthOf(bytes);
    if (!this.#fits(length, this.#budget * CACHE_SHARE)) return undefined;
    try {
      return this.#take(length);
    } catch (error) {
      // The system has no more memory.
      if (error instanceof EngineError) return undefined;
      throw error;
    }
  }

  suspendBudget(): () => void {
    let isSuspended = true;
    this.#suspensions++;
    return () => {
      if (isSuspended) this.#suspensions--;
      isSuspended = false;
    };
  }

  onPressure(evict: (bytes: number) => void): void {
    this.#evictors.push(evict);
  }

  #take(length: number): Block {
    let address = this.#free.take(length);
    if (address < 0) {
      this.#grow(length);
      address = this.#free.take(length);
    }
    return this.#blockAt(address, length);
  }

  /** A block in one given arena; undefined when there is none. */
  #takeIn(arena: number, bytes: number): Block | undefined {
    const length = lengthOf(bytes);
    if (!this.#fits(length, this.#budget)) return undefined;
    const start = arena * ARENA_BYTES;
    const within = (): number => this.#free.takeWithin(length, start, start + ARENA_BYTES);
    let address = within();
    if (address < 0 && arena === this.arenas.length - 1) {
      try {
        this.#grow(length);
      } catch (error) {
        if (error instanceof EngineError) return undefined;
        throw error;
      }
      address = within();
    }
    return address < 0 ? undefined : this.#blockAt(address, length);
  }

  #blockAt(address: number, length: number): Block {
    const arena = Math.floor(address / ARENA_BYTES);
    const { buffer } = this.arenas[arena]!;
    // Its buffer may have been replaced: see `arenaOf`.
    registerArena(this.#arenaHandles[arena]!);
    const block: Block = { arena, buffer, ptr: address - arena * ARENA_BYTES, bytes: length };
    this.#live.set(address, block);
    this.#used += length;
    return block;
  }

  free(block: Block): void {
    const address = block.arena * ARENA_BYTES + block.ptr;
    if (this.#live.get(address) !== block)
      throw new Error(`freed twice, or not a block of this memory: arena ${block.arena}, ptr ${block.ptr}`);
    this.#live.delete(address);
    this.#used -= block.bytes;
    this.#waitingBytes += block.bytes;
    this.#waiting.push({ block, mark: this.#readers.mark() });
    this.#reclaim();
  }

  beginReading(): () => void {
    const generation = this.#readers.enter();
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      if (this.#readers.leave(generation)) this.#reclaim();
    };
  }

  get isRoomy(): boolean {
    return this.#fits(0, this.#budget / 2);
  }

  usage(): { used: number; reserved: number; waiting: number } {
    let reserved = 0;
    for (const arena of this.arenas) reserved += arena.buffer.byteLength;
    return { used: this.#used, reserved, waiting: this.#waitingBytes };
  }

  /** Turns blocks that no reader can see any more into free space. */
  #reclaim(): void {
    const oldest = this.#readers.oldest();
    let done = 0;
    for (; done < this.#waiting.length && this.#waiting[done]!.mark < oldest; done++) {
      const { block } = this.#waiting[done]!;
      this.#free.add(block.arena * ARENA_BYTES + block.ptr, block.bytes);
      this.#waitingBytes -= block.bytes;
    }
    if (done > 0) this.#waiting = this.#waiting.slice(done);
  }

  #fits(length: number, budget: number): boolean {
    return this.#used + this.#waitingBytes + length <= budget && length <= this.#arenaBytes - ALIGNMENT;
  }

  #checkBudget(length: number): void {
    if (this.#fits(length, this.#suspensions > 0 ? Number.POSITIVE_INFINITY : this.#budget)) return;
    const want = this.#used + this.#waitingBytes + length;
    throw tooLarge(want, Math.min(this.#budget, this.#arenaBytes - ALIGNMENT));
  }

  /** Adds a free run of at least `length` bytes at the end of the last arena, or in a new one. */
  #grow(length: number): void {
    const last = this.arenas.length - 1;
    if (last >= 0) {
      const size = this.arenas[last]!.buffer.byteLength;
      const end = last * ARENA_BYTES + size;
      const missing = length - this.#free.lengthBefore(end);
      const room = this.#arenaBytes - size;
      if (missing <= room) {
        const pages = Math.ceil(Math.min(Math.max(missing, this.#step), room) / PAGE);
        reserve(length, () => this.arenas[last]!.grow(pages));
        registerArena(this.#arenaHandles[last]!);
        this.#free.add(end, pages * PAGE);
        return;
      }
    }
    const pages = Math.ceil(Math.min(Math.max(length + ALIGNMENT, this.#step), this.#arenaBytes) / PAGE);
    const arena = reserve(length, () => sharedMemory(pages, this.#arenaBytes / PAGE));
    const number = this.arenas.push(arena) - 1;
    const handle: Arena = {
      memory: arena,
      alloc: (bytes) => this.#takeIn(number, bytes),
      free: (block) => this.free(block),
    };
    this.#arenaHandles.push(handle);
    registerArena(handle);
    this.#free.add((last + 1) * ARENA_BYTES + ALIGNMENT, pages * PAGE - ALIGNMENT);
  }
}

function lengthOf(bytes: number): number {
  if (!(bytes >= 0)) throw new RangeError(`not a number of bytes: ${bytes}`);
  return Math.max(1, Math.ceil(bytes / ALIGNMENT)) * ALIGNMENT;
}

/** Reports memory that the system refuses as an exceeded budget. */
function reserve<T>(length: number, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(length, 0);
    throw error;
  }
}

function tooLarge(want: number, limit: number): EngineError {
  return new EngineError(
    'circuit_breaking_exception',
    `[parent] Data too large: would be [${want}/${mib(want)}], which is larger than the limit of [${limit}/${mib(limit)}]`,
    { details: { bytes_wanted: want, bytes_limit: limit, durability: 'TRANSIENT' } },
  );
}

function mib(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)}mb`;
}
