// The few types of WebAssembly that arenas and kernels need. Node's types lack them, and the DOM's bring
// a thousand others.

/**
 * A shared memory. Growing gives a new `buffer` over the same bytes; older buffers stay valid for what they
 * cover.
 */
export interface WasmMemory {
  readonly buffer: SharedArrayBuffer;
  /** Adds pages of 64 KiB and returns how many there were. Throws RangeError when it cannot. */
  grow(pages: number): number;
}

/** Compiled code, over no memory yet. */
export type WasmModule = object;

/** A function of an instance: 32-bit integers in, one or nothing out. */
export type WasmFunction = (...args: number[]) => number;

interface Namespace {
  readonly Memory: new (descriptor: { initial: number; maximum: number; shared: true }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (
    module: WasmModule,
    imports: { env: { memory: WasmMemory } },
  ) => { readonly exports: Readonly<Record<string, WasmFunction>> };
  validate(bytes: Uint8Array): boolean;
}

const wasm = (globalThis as unknown as { WebAssembly: Namespace }).WebAssembly;

/** Creates a shared memory; sizes in pages of 64 KiB. Throws RangeError when the system refuses. */
export function sharedMemory(initial: number, maximum: number): WasmMemory {
  return new wasm.Memory({ initial, maximum, shared: true });
}

/** Compiles a module; undefined if this machine lacks SIMD. */
export function compileModule(bytes: Uint8Array): WasmModule | undefined {
  return wasm.validate(bytes) ? new wasm.Module(bytes) : undefined;
}

/** The functions of a module over a memory. */
export function instantiate(module: WasmModule, memory: WasmMemory): Readonly<Record<string, WasmFunction>> {
  return new wasm.Instance(module, { env: { memory } }).exports;
}
