// Which packages are published, and how are they there told? Those under packages/ that are not private, with their
// package.json as it must be outside this repository: built files instead of sources, nothing that only tests need.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What of a package.json this repository uses. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}

/** A package to be published. */
export interface Package {
  /** Of its folder: `engine`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** All packages of a checkout, each behind those that it depends on. */
export function publishedPackages(root: string): Package[] {
  const found = readdirSync(join(root, 'packages'))
    .map((folder): Package => {
      const text = readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8');
      return { folder, manifest: JSON.parse(text) as Manifest };
    })
    .filter(({ manifest }) => manifest.private !== true);
  const ordered: Package[] = [];
  const add = (one: Package): void => {
    if (ordered.includes(one)) return;
    for (const other of found) if (one.manifest.dependencies?.[other.manifest.name] !== undefined) add(other);
    ordered.push(one);
  };
  found.forEach(add);
  return ordered;
}

/** Of `./src/x.ts`: the code and the types that are built from it. */
export function builtAs(source: string): { types: string; default: string } {
  const stem = source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '');
  return { types: `${stem}.d.ts`, default: `${stem}.js` };
}

/**
 * The package.json to publish. Throws where packages of this repository do not name each other's present version: what
 * was tested together goes out together.
 */
export function publishedManifest({ manifest }: Package, all: readonly Package[]): Record<string, unknown> {
  const { devDependencies: _, exports, ...kept } = manifest;
  for (const { manifest: other } of all) {
    const wanted = manifest.dependencies?.[other.name] ?? manifest.peerDependencies?.[other.name];
    if (wanted !== undefined && wanted !== other.version)
      throw new Error(`${manifest.name} wants ${other.name} ${wanted}, but this is ${other.version}`);
  }
  return {
    ...kept,
    exports: Object.fromEntries(Object.entries(exports).map(([door, source]) => [door, builtAs(source)])),
    files: ['dist', ...(manifest.bin === undefined ? [] : ['bin'])],
  };
}
