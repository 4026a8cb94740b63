// Kernels are available over every arena, also after the arena has grown. Every exported kernel function has a caller.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { arenaOf } from '../memory/arena.ts';
import { createMemory } from '../memory/arenas.ts';
import { compileModule } from '../memory/wasm.ts';
import { KernelModule } from './kernel-module.ts';
import { noKernels } from './no-kernels.testing.ts';

const OWN = fileURLToPath(new URL('.', import.meta.url));
const ENGINE = join(OWN, '..');
const NAMES = readdirSync(OWN).flatMap((file) => (file.endsWith('.wasm') ? [file.slice(0, -5)] : []));
/** A module of one function, which needs SIMD. */
const SIMD = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 0x41, 0, 0xfd, 15, 0xfd, 98, 11],
);

test('kernels are there unless they are turned off or the machine has no SIMD', () => {
  assert.equal(
    noKernels === false,
    process.env['OCTAVO_KERNELS'] !== 'ts' && compileModule(SIMD) !== undefined,
  );
  const arena = arenaOf(createMemory({ stepBytes: 1 << 16 }).alloc(64).buffer)!;
  assert.ok(NAMES.length > 4);
  for (const name of NAMES)
    assert.equal(new KernelModule(name).functionsFor(arena) === undefined, noKernels !== false, name);
});

test('every function of a module is asked for by its name', { skip: noKernels }, () => {
  const isOurs = (path: string): boolean =>
    path.endsWith('.ts') && !/\.(test|testing)\.ts$|assembly/.test(path);
  const paths = readdirSync(ENGINE, { recursive: true, encoding: 'utf8' }).filter(isOurs);
  const text = paths.map((path) => readFileSync(join(ENGINE, path), 'utf8')).join('\n');
  const asked = new Set([...text.matchAll(/(?:\[|\.run\()'(\w+)'/g)].map(([, name]) => name));
  const arena = arenaOf(createMemory({ stepBytes: 1 << 16 }).alloc(64).buffer)!;
  for (const module of NAMES) {
    const functions = Object.entries(new KernelModule(module).functionsFor(arena)!).filter(
      ([name]) => name !== 'memory',
    );
    assert.ok(functions.length > 0);
    for (const [name] of functions) assert.ok(asked.has(name), `nobody asks ${module}.wasm for ${name}`);
  }
});

test('an arena that has grown is still known by the buffers that it had', () => {
  const small = createMemory({ stepBytes: 1 << 16 });
  const before = small.alloc(1 << 10);
  const after = small.alloc(1 << 20);
  assert.notEqual(before.buffer, after.buffer);
  assert.equal(arenaOf(before.buffer), arenaOf(after.buffer));
  const beside = arenaOf(before.buffer)!.alloc(1 << 12)!;
  assert.equal(beside.arena, before.arena);
  assert.equal(arenaOf(new ArrayBuffer(8)), undefined);
});
