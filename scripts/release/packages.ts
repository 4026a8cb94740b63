// The published packages (those under packages/ that are not private) and their published package.json: built
// files instead of sources, without dependencies that only tests need.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The used members of a package.json. */
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
  /** The name of its folder, such as `engine`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** All packages of a checkout, in dependency order. */
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

/** The built code and types of a source such as `./src/x.ts`. */
function builtAs(source: string): { types: string; default: string } {
  const stem = source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '');
  return { types: `${stem}.d.ts`, default: `${stem}.js` };
}

/**
 * The package.json to publish. Throws if packages of this repository do not depend on each other's current version: only
 * versions that were tested together are published together.
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
    // Only the server has a command line and the console.
    files: ['dist', ...(manifest.bin === undefined ? [] : ['bin', 'assets'])],
  };
}
