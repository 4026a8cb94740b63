// Builds the tarballs of all packages as `npm publish` takes them: JavaScript with declarations, the kernels,
// the command line, the console, README and licence. docs/releasing.md describes a release.
//
//   node scripts/release.ts --out DIR

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { emit, filesUnder } from './release/emit.ts';
import { type Package, publishedManifest, publishedPackages } from './release/packages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The tarball of a package. */
export interface Tarball {
  readonly name: string;
  readonly path: string;
  /** The paths of its files within the package, sorted. */
  readonly files: readonly string[];
}

/** Builds and packs all packages of a checkout into `out`, in dependency order. */
export function release(out: string, root: string = ROOT): Tarball[] {
  const packages = publishedPackages(root);
  buildConsole(root);
  const work = mkdtempSync(join(tmpdir(), 'octavo-release-'));
  try {
    const built = join(work, 'built');
    emit(root, packages, built);
    mkdirSync(out, { recursive: true });
    return packages.map((one) =>
      pack(one, stage(root, one, packages, built, join(work, one.folder)), resolve(out)),
    );
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** The server carries the built console: it is made anew, so that it is that of this checkout. */
function buildConsole(root: string): void {
  const build = join(root, 'apps/console/scripts/build.js');
  const { status, stderr } = spawnSync(process.execPath, [build], { encoding: 'utf8' });
  if (status !== 0 || !existsSync(join(root, 'packages/server/assets/console/index.html')))
    throw new Error(`the console is not built:\n${stderr}`);
}

/** Prepares the folder of a package as in its tarball. */
function stage(root: string, one: Package, all: readonly Package[], built: string, folder: string): string {
  const home = join(root, 'packages', one.folder);
  mkdirSync(folder);
  renameSync(join(built, one.folder, 'src'), join(folder, 'dist'));
  if (one.manifest.bin !== undefined) cpSync(join(home, 'bin'), join(folder, 'bin'), { recursive: true });
  if (existsSync(join(home, 'assets')))
    cpSync(join(home, 'assets'), join(folder, 'assets'), { recursive: true });
  copyFileSync(join(home, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify(publishedManifest(one, all), undefined, 2)}\n`,
  );
  return folder;
}

/** Throws if npm leaves out or adds a file: a file missing in the tarball is missing after installation. */
function pack({ manifest: { name } }: Package, folder: string, out: string): Tarball {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', out, folder],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`npm does not pack ${name}:\n${stderr}`);
  const [{ filename, files: packed }] = JSON.parse(stdout) as [Packed];
  const files = filesUnder(folder)
    .map((path) => relative(folder, path))
    .sort();
  assert.deepEqual(packed.map(({ path }) => path).sort(), files, `npm packs other files of ${name}`);
  return { name, path: join(out, filename), files };
}

/** The used members of npm's report about a tarball. */
interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  if (values.out === undefined) {
    process.stderr.write('node scripts/release.ts --out DIR: name a folder for the tarballs\n');
    process.exitCode = 2;
  } else {
    for (const { path } of release(values.out)) process.stdout.write(`${path}\n`);
  }
}
