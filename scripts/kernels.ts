// Compiles every folder of kernels/assembly (its index.ts) to a .wasm file. With --check it compares instead,
// and exits with 1 if bytes differ.
//
//   node scripts/kernels.ts [--check]
//
// A module with data segments (strings, literal arrays) is refused: modules work on shared arenas, and its
// data would overwrite them at instantiation.

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
function moduleNames(): string[] {
  const entries = readdirSync(join(KERNELS, 'assembly'), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** The path of the compiled module. */
function modulePath(name: string): string {
  return join(KERNELS, `${name}.wasm`);
}

/** Compiles one module. Throws with the compiler's message. */
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
