// Loads the kernels: hot loops in AssemblyScript (assembly/), compiled to the .wasm files beside this
// one (`npm run kernels`; the check rebuilds them and compares bytes). Each module is compiled once per
// thread and instantiated once per arena.
// - A module has no memory of its own. It works on an arena, by records whose layout both sides read
//   from one layout.ts.
// - Each kernel has a TypeScript twin, which is its oracle in tests and its fallback: without SIMD, with
//   OCTAVO_KERNELS=ts, or where the data lies in no arena. `npm run test:twins` runs on the twins alone.
// - `memory.fill` and `memory.copy` are slow in shared memory: kernels clear and copy with vectors.

import { readFileSync } from 'node:fs';
import {
  compileModule,
  instantiate,
  type WasmFunction,
  type WasmMemory,
  type WasmModule,
} from '../memory/wasm.ts';

/** The memory that functions work on: an arena, or a private memory. */
interface Memory {
  readonly memory: WasmMemory;
}

/** One module, and its instances per arena. */
export class KernelModule {
  readonly #name: string;
  readonly #instances = new WeakMap<Memory, Readonly<Record<string, WasmFunction>>>();
  #module: WasmModule | undefined;
  #tried = false;

  /** `name` of the .wasm file. */
  constructor(name: string) {
    this.#name = name;
  }

  /** The functions over an arena; undefined where the twins must do the work. */
  functionsFor(arena: Memory): Readonly<Record<string, WasmFunction>> | undefined {
    const known = this.#instances.get(arena);
    if (known !== undefined) return known;
    if (!this.#tried) this.#compile();
    if (this.#module === undefined) return undefined;
    const functions = instantiate(this.#module, arena.memory);
    this.#instances.set(arena, functions);
    return functions;
  }

  #compile(): void {
    this.#tried = true;
    if (process.env['OCTAVO_KERNELS'] === 'ts') return;
    this.#module = compileModule(readFileSync(new URL(`${this.#name}.wasm`, import.meta.url)));
  }
}
