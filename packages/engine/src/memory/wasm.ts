// What is a shared WebAssembly memory, to TypeScript? The types of Node do not name `WebAssembly` (those of the DOM do,
// and bring a thousand others): the little that arenas need.

/** A shared memory. Growing gives a new `buffer` over the same bytes; older buffers stay valid for what they cover. */
export interface WasmMemory {
  readonly buffer: SharedArrayBuffer;
  /** Adds pages of 64 KiB and returns how many there were. Throws RangeError when it cannot. */
  grow(pages: number): number;
}

interface MemoryNamespace {
  readonly Memory: new (descriptor: { initial: number; maximum: number; shared: true }) => WasmMemory;
}

/** Makes a shared memory; sizes in pages of 64 KiB. Throws RangeError when the system gives no room for it. */
export function sharedMemory(initial: number, maximum: number): WasmMemory {
  const { Memory } = (globalThis as unknown as { WebAssembly: MemoryNamespace }).WebAssembly;
  return new Memory({ initial, maximum, shared: true });
}
