// Builds the packages for publication. Node strips types only outside node_modules, so the compiler writes
// JavaScript and declarations of every file that is reachable from the exports, the command line and the
// threads. Tests are not reachable.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Package } from './packages.ts';

/** A file named by its path in a string, such as a thread; the compiler does not see these as imports. */
const PLACE = /new URL\('(\.{1,2}\/[\w/.-]+)\.ts', import\.meta\.url\)/g;
/** Imports of declarations, whose file endings the compiler does not rewrite. */
const DECLARED = /(\bfrom\s+|\bimport\(|^import\s+)(['"])(\.{1,2}\/[\w/.-]+)\.ts\2/gm;
/** Imports of built code within its package. */
const IMPORTED = /(?:\bfrom\s+|\bimport\(|^import\s+)['"](\.{1,2}\/[\w/.-]+)['"]/gm;

/**
 * Builds packages into `out/FOLDER/src`. Throws with the compiler's message, or if a built file names a file that was not
 * built.
 */
export function emit(root: string, packages: readonly Package[], out: string): void {
  mkdirSync(out, { recursive: true });
  const config = join(out, 'tsconfig.json');
  writeFileSync(config, JSON.stringify(configOf(root, packages, out)));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', config], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the packages do not compile:\n${stdout}${stderr}`);
  for (const { folder } of packages) {
    for (const path of filesUnder(join(out, folder))) settle(path);
    for (const path of filesUnder(join(root, 'packages', folder, 'src'))) {
      if (path.endsWith('.wasm'))
        copyFileSync(path, join(out, folder, path.slice(path.indexOf('/src/') + 1)));
    }
  }
}

function configOf(root: string, packages: readonly Package[], out: string): object {
  return {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      // `npm run check` checks types; exports are annotated, so declarations need no inference.
      noCheck: true,
      rewriteRelativeImportExtensions: true,
      rootDir: join(root, 'packages'),
      outDir: out,
      typeRoots: [join(root, 'node_modules/@types')],
      paths: doorsOf(root, packages),
    },
    files: packages.flatMap((one) => entriesOf(root, one)),
    include: [],
  };
}

/**
 * The source file of each import specifier of our packages. Without these paths the compiler can find our packages through
 * the links in node_modules first, and it does not emit files found there. With several threads the order depends on
 * timing (TypeScript 7.0.2).
 */
function doorsOf(root: string, packages: readonly Package[]): Record<string, string[]> {
  return Object.fromEntries(
    packages.flatMap(({ folder, manifest: { name, exports } }) =>
      Object.entries(exports).map(([door, source]) => [
        name + door.slice(1),
        [join(root, 'packages', folder, source)],
      ]),
    ),
  );
}

/** The entry points of a package: its exports, command line and threads. */
function entriesOf(root: string, { folder, manifest }: Package): string[] {
  const home = join(root, 'packages', folder);
  const commands = manifest.bin === undefined ? [] : [join(home, 'src/cli/main.ts')];
  const threads = filesUnder(join(home, 'src'))
    .filter((path) => /(?<!\.test)\.ts$/.test(path))
    .flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(PLACE)].map(([, place]) => join(dirname(path), `${place}.ts`)),
    );
  return [...Object.values(manifest.exports).map((door) => join(home, door)), ...commands, ...threads];
}

/** Rewrites the file endings that the compiler leaves unchanged. */
function settle(path: string): void {
  const text = readFileSync(path, 'utf8');
  const needs = (places: readonly string[]): void => {
    for (const place of places)
      if (!existsSync(join(dirname(path), place)))
        throw new Error(`${path} names ${place}, which was not built`);
  };
  if (path.endsWith('.d.ts')) {
    needs([...text.matchAll(DECLARED)].map(([, , , place]) => `${place}.d.ts`));
    writeFileSync(
      path,
      text.replace(DECLARED, (_, before, quote, place) => `${before}${quote}${place}.js${quote}`),
    );
  } else if (path.endsWith('.js')) {
    const named = [...text.matchAll(PLACE)].map(([, place]) => `${place}.js`);
    needs([...named, ...[...text.matchAll(IMPORTED)].map(([, place]) => place!)]);
    if (named.length === 0) return;
    writeFileSync(
      path,
      text.replace(PLACE, (_, place) => `new URL('${place}.js', import.meta.url)`),
    );
  }
}

/** All files of a folder, recursively. */
export function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
