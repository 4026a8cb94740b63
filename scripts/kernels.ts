// Are the kernels what their sources say? Compiles every folder of kernels/assembly (its index.ts) to the .wasm beside
// it; with --check compares instead, and ends with 1 where bytes differ.
//
//   node scripts/kernels.ts [--check]
//
// The modules work on arenas that belong to others: a module with bytes of its own (data segments: strings, literal
// arrays) would write over them when it is instantiated, so that one is refused.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const KERNELS = join(ROOT, 'packages/engine/src/kernels');
const COMPILER = join(ROOT, 'node_modules/assemblyscript/bin/asc.js');
const FLAGS: readonly string[] = [
  ...['-O3', '--runtime', 'stub', '--noAssert', '--use', 'abort='],
  ...['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'],
  ...['--enable', 'simd', '--enable', 'threads', '--enable', 'bulk-memory'],
];
const DATA_SECTION = 11;

/** Names of the modules: the folders of assembly/. */
export function moduleNames(): string[] {
  const entries = readdirSync(join(KERNELS, 'assembly'), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Where the compiled module lies. */
export function modulePath(name: string): string {
  return join(KERNELS, `${name}.wasm`);
}

/** Compiles one module. Throws with what the compiler says. */
export function compile(name: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-kernels-'));
  try {
    const out = join(folder, `${name}.wasm`);
    const entry = join(KERNELS, 'assembly', name, 'index.ts');
    const { status, stderr } = spawnSync(process.execPath, [COMPILER, entry, '-o', out, ...FLAGS], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${name} does not compile:\n${stderr}`);
    const wasm = readFileSync(out);
    if (sections(wasm).includes(DATA_SECTION))
      throw new Error(`${name} has data of its own: pass a place in`);
    return wasm;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Section numbers of a module, in order. */
export function sections(wasm: Uint8Array): number[] {
  const found: number[] = [];
  for (let at = 8; at < wasm.length; ) {
    found.push(wasm[at++]!);
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++]!;
      size |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    at += size;
  }
  return found;
}

function isCurrent(name: string, wasm: Buffer): boolean {
  try {
    return readFileSync(modulePath(name)).equals(wasm);
  } catch {
    return false;
  }
}

if (import.meta.main) {
  const checking = process.argv.includes('--check');
  for (const name of moduleNames()) {
    const wasm = compile(name);
    if (isCurrent(name, wasm)) continue;
    if (checking) {
      process.exitCode = 1;
      process.stdout.write(`${name}.wasm is not what its source gives: npm run kernels\n`);
    } else {
      writeFileSync(modulePath(name), wasm);
      process.stdout.write(`${name}.wasm: ${wasm.length} bytes\n`);
    }
  }
}
