// How does compiled code get over an arena? Each .wasm beside this file is compiled once a thread and instantiated once
// an arena. Where the machine lacks SIMD, or OCTAVO_KERNELS is `ts`, there are no instances: callers take the twins.

import { readFileSync } from 'node:fs';
import {
  compileModule,
  instantiate,
  type WasmFunction,
  type WasmMemory,
  type WasmModule,
} from '../memory/wasm.ts';

/** What functions work over: an arena, or a memory of its owner alone. */
interface Memory {
  readonly memory: WasmMemory;
}

/** A module, by its functions over each arena. */
export class Kernels {
  readonly #name: string;
  readonly #instances = new WeakMap<Memory, Readonly<Record<string, WasmFunction>>>();
  #module: WasmModule | undefined;
  #tried = false;

  /** `name` is that of the .wasm file. */
  constructor(name: string) {
    this.#name = name;
  }

  /** The functions over an arena; undefined where the twins have to do the work. */
  over(arena: Memory): Readonly<Record<string, WasmFunction>> | undefined {
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
