import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ROOT } from '../tidy.ts';
import { emit, filesUnder } from './emit.ts';
import { publishedPackages } from './packages.ts';

/** A checkout of two linked packages: `upper` imports `lower`, whose export is a file in a folder. */
function checkout(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'octavo-emit-'));
  t.after(() => rmSync(root, { recursive: true }));
  const options = {
    target: 'es2024',
    module: 'nodenext',
    declaration: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    types: [],
    // With one thread the order is fixed: the last root comes first.
    singleThreaded: true,
  };
  const all: Record<string, string> = {
    'tsconfig.json': JSON.stringify({ compilerOptions: options }),
    'packages/lower/src/index.ts':
      "export { deep } from './in/deep.ts';\nexport type { Shape } from './in/shape.ts';",
    'packages/lower/src/in/deep.ts':
      "import type { Shape } from './shape.ts';\nexport const deep: Shape = { n: 1 };",
    'packages/lower/src/in/shape.ts': 'export interface Shape { readonly n: number }',
    'packages/upper/src/index.ts': "import { deep } from '@octavo/lower';\nexport const n: number = deep.n;",
    ...files,
  };
  for (const name of ['lower', 'upper']) {
    const manifest = {
      name: `@octavo/${name}`,
      version: '1.0.0',
      type: 'module',
      exports: { '.': './src/index.ts' },
    };
    all[`packages/${name}/package.json`] = JSON.stringify(manifest);
  }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(join(root, 'node_modules/@octavo'), { recursive: true });
  for (const name of ['lower', 'upper'])
    symlinkSync(join(root, 'packages', name), join(root, 'node_modules/@octavo', name));
  symlinkSync(join(ROOT, 'node_modules/typescript'), join(root, 'node_modules/typescript'));
  return root;
}

const BUILT = ['lower/src/in/deep', 'lower/src/in/shape', 'lower/src/index', 'upper/src/index'].flatMap(
  (stem) => [`${stem}.d.ts`, `${stem}.js`],
);

for (const first of ['upper', 'lower'])
  test(`files are built, whichever package the compiler reads first: ${first}`, (t) => {
    const root = checkout(t, {});
    const packages = publishedPackages(root);
    const out = join(root, 'built');
    emit(root, first === 'upper' ? packages : packages.reverse(), out);
    const built = filesUnder(out).map((path) => relative(out, path));
    assert.deepEqual(built.filter((path) => path !== 'tsconfig.json').sort(), BUILT);
  });

for (const [what, text] of [
  ['code', "export { gone } from './gone.ts';"],
  ['a declaration', "export type { Gone } from './gone.ts';"],
])
  test(`${what} that names a file that was not built is refused`, (t) => {
    const root = checkout(t, { 'packages/upper/src/index.ts': text! });
    assert.throws(
      () => emit(root, publishedPackages(root), join(root, 'built')),
      /upper\/src\/index\.\S+ names \.\/gone\.\S+, which was not built/,
    );
  });
