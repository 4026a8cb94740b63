// The rules of tidy find what breaks them, and nothing in this repository.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { architectureFindings } from './tidy/architecture.ts';
import { dependencyFindings } from './tidy/dependencies.ts';
import { importsOf } from './tidy/imports.ts';
import { linkFindings } from './tidy/links.ts';
import { nameFindings } from './tidy/names.ts';
import { type Finding, readProject } from './tidy/project.ts';
import { withTable } from './tidy/reference.ts';
import { roomFindings } from './tidy/rooms.ts';
import { textFindings } from './tidy/text.ts';
import { ROOT, tidy } from './tidy.ts';

type Rules = (project: ReadonlyMap<string, string>) => Finding[];

function found(rules: Rules, files: Record<string, string>): string[] {
  return rules(new Map(Object.entries(files))).map(
    ({ path, line, message }) => `${path}:${line}: ${message}`,
  );
}

const HEAD = '// A statement.\n';
const MANIFESTS = {
  'package.json': '{"devDependencies":{"fast-check":"1"}}',
  'packages/paging/package.json': '{}',
  'packages/engine/package.json': '{"dependencies":{"@octavo/paging":"1"}}',
  'packages/server/package.json':
    '{"dependencies":{"@octavo/engine":"1","@octavo/paging":"1","fastify":"1"}}',
};

function wrongImport(path: string, line: string): string[] {
  return found(dependencyFindings, { ...MANIFESTS, [path]: `${HEAD}${line}\n` });
}

test('this repository is tidy', () => {
  assert.deepEqual(
    tidy(readProject(ROOT)).map(({ path, line, message }) => `${path}:${line}: ${message}`),
    [],
  );
});

test('imports are seen in every form', () => {
  const text = [
    "import a from 'a';",
    "import type { B } from 'b';",
    "import {\n  c,\n  d,\n} from 'c';",
    "import 'd';",
    "export * from 'e';",
    "export type * from 'f';",
    "const g = await import('g');",
    "export const notAnImport = 'h';",
    "// import i from 'i';",
  ].join('\n');
  assert.deepEqual(
    importsOf(text).map(({ specifier, typeOnly, line }) => [specifier, typeOnly, line]),
    [
      ['a', false, 1],
      ['b', true, 2],
      ['c', false, 3],
      ['d', false, 7],
      ['e', false, 8],
      ['f', true, 9],
      ['g', false, 10],
    ],
  );
});

test('packages import only what they may and have declared', () => {
  assert.deepEqual(wrongImport('packages/engine/src/a.ts', "import '@octavo/paging';"), []);
  assert.deepEqual(wrongImport('packages/server/src/a.ts', "import 'fastify';"), []);
  assert.deepEqual(wrongImport('packages/engine/src/a.test.ts', "import 'fast-check';"), []);
  assert.match(
    wrongImport('packages/engine/src/a.ts', "import 'fast-check';")[0] ?? '',
    /a\.ts:2: fast-check is not declared/,
  );
  assert.match(
    wrongImport('packages/engine/src/a.ts', "import '@octavo/server';")[0] ?? '',
    /engine may not import @octavo\/server/,
  );
  assert.match(
    wrongImport('packages/paging/src/a.ts', "import type { X } from '@octavo/engine';")[0] ?? '',
    /paging may not/,
  );
  assert.match(
    wrongImport('packages/server/src/a.ts', "import '../../engine/src/b.ts';")[0] ?? '',
    /leaves the package/,
  );
  assert.match(wrongImport('packages/paging/src/a.ts', "import 'node:fs';")[0] ?? '', /any runtime/);
  assert.match(
    wrongImport('packages/paging/src/a.ts', 'const b = Buffer.from([]);')[0] ?? '',
    /Buffer is not there/,
  );
  assert.deepEqual(wrongImport('packages/paging/src/a.ts', 'const b = new ArrayBuffer(1); // no Buffer'), []);
  assert.match(wrongImport('bench/a.ts', "import 'undici';")[0] ?? '', /devDependencies of the root/);
});

test('rooms import only rooms below', () => {
  const engine = (path: string, line: string): string[] =>
    found(roomFindings, { [`packages/engine/src/${path}`]: `${HEAD}${line}\n` });
  assert.deepEqual(engine('search/a.ts', "import '../query/b.ts';"), []);
  assert.deepEqual(engine('disk/a.test.ts', "import '../search/b.ts';"), []);
  assert.match(engine('disk/a.ts', "import type { A } from '../search/b.ts';")[0] ?? '', /disk may not/);
  assert.match(engine('segment/a.ts', "import '../order/b.ts';")[0] ?? '', /segment may not import order/);
  assert.match(engine('search/a.ts', "import '../write/b.ts';")[0] ?? '', /search may not import write/);
  assert.match(engine('attic/a.ts', '')[0] ?? '', /attic has no floor/);
});

test('no files and no neighbours import each other', () => {
  const rings = (files: Record<string, string>): string[] =>
    found(
      roomFindings,
      Object.fromEntries(
        Object.entries(files).map(([path, to]) => [
          `packages/paging/src/${path}`,
          `${HEAD}import type { A } from '${to}';\n`,
        ]),
      ),
    );
  assert.deepEqual(rings({ 'a.ts': './b.ts', 'b.ts': './c/d.ts', 'c/d.ts': './e.ts' }), []);
  assert.match(
    rings({ 'a.ts': './b.ts', 'b.ts': './c.ts', 'c.ts': './a.ts' })[0] ?? '',
    /files that .*a\.ts.*c\.ts/,
  );
  const through = { 'a/b.ts': '../c.ts', 'c.ts': './a/d.ts', 'a/d.ts': './e.ts' };
  assert.match(rings(through)[0] ?? '', /neighbours that .*src\/a, .*src\/c\.ts/);
  assert.deepEqual(rings({ 'a.test.ts': './b.ts', 'b.ts': './a.test.ts' }), []);
});

test('a package exports a name once', () => {
  const names = (path: string): string[] =>
    found(nameFindings, {
      'packages/engine/src/a.ts': `${HEAD}export const A = 1;\nexport type A = 1;\n`,
      [path]: `${HEAD}export async function A() {}\nexport { B } from './b.ts';\n`,
    });
  assert.match(
    names('packages/engine/src/b/a.ts')[0] ?? '',
    /b\/a\.ts:2: A is exported by .*engine\/src\/a\.ts/,
  );
  assert.deepEqual(names('packages/paging/src/a.ts'), []);
  assert.deepEqual(names('packages/engine/src/a.test.ts'), []);
});

test('files keep to the rules of writing', () => {
  const product = 'packages/engine/src/a.ts';
  const one = (path: string, text: string): string => found(textFindings, { [path]: text }).join('\n');
  assert.equal(one(product, `${HEAD}export {};\n`), '');
  assert.match(one(product, 'export {};\n'), /first line is a comment/);
  assert.equal(one('packages/server/bin/a.js', `#!/usr/bin/env node\n${HEAD}`), '');
  assert.match(one(product, '// Is this a header?\nexport {};\n'), /the header asks/);
  assert.match(one(product, '// Which of two lines\n// is the question?\n'), /the header asks/);
  assert.equal(one(product, '// Says what it is. Why so? Because.\nexport {};\n'), '');
  const many = Object.fromEntries(
    Array.from({ length: 17 }, (_, i) => [`packages/engine/src/a/${i}.ts`, HEAD]),
  );
  assert.match(found(textFindings, many)[0] ?? '', /engine\/src\/a:1: 17 files/);
  assert.match(one('packages/engine/src/utils/a.ts', HEAD), /attracts everything/);
  assert.match(one('packages/engine/src/helpers.ts', HEAD), /attracts everything/);
  assert.match(one(product, `${HEAD}const r = new RegExp(x);\n`), /a\.ts:2: no RegExp/);
  assert.equal(one('packages/engine/src/a.test.ts', `${HEAD}const r = new RegExp(x);\n`), '');
  assert.match(one(product, `${HEAD}Object.assign(a, b);\n`), /__proto__/);
  assert.equal(one(product, `${HEAD}// Object.assign(a, b) would be wrong\n`), '');
  assert.match(one(product, `${HEAD}const f = new Function(x);\n`), /no code is made/);
  assert.match(one('packages/engine/src/a.test.ts', `${HEAD}test.only('x');\n`), /others? tests out/);
  assert.match(one('packages/engine/src/a.test.ts', `${HEAD}test.skip('x');\n`), /says why/);
  assert.equal(
    one('packages/engine/src/a.test.ts', `${HEAD}test('x', { skip: 'no such disk here' });\n`),
    '',
  );
  const makes = (folder: string): string =>
    one('packages/engine/test/a.test.ts', `${HEAD}const dir = ${folder};\n`);
  for (const shared of ["join(tmpdir(), 'octavo')", "tmpdir() + '/octavo'"])
    assert.match(makes(shared), /a\.test\.ts:2: .*mkdtemp/);
  for (const own of ["mkdtempSync(join(tmpdir(), 'octavo-'))", "await mkdtemp(join(tmpdir(), 'octavo-'))"])
    assert.equal(makes(own), '');
  for (const wait of [
    'for (let i = 0; i < 500 && got.length < 2; i++) await sleep(20);',
    'for (let i = 0; i < 500 && !isThere; i++)\n  await sleep(20);',
    'for (let i = 0; i < 9 && (await seen()) < 5; i++) {',
    'for (let tries = 0; tries < 40 && !isThere; tries++) {',
    'async function until(condition: () => boolean): Promise<void> {',
  ])
    assert.match(one('packages/engine/src/a.test.ts', `${HEAD}${wait}\n`), /counts its turns/);
  const filling = 'for (let i = 0; i < 100 && status === 201; i++) {';
  assert.equal(one('packages/engine/src/a.test.ts', `${HEAD}${filling}\n`), '');
  assert.match(one(product, `${HEAD}// ${'TO'}${'DO'}: later\n`), /do it/);
  assert.match(one('README.md', 'a\u0000b\n'), /cannot be seen/);
  assert.match(one('README.md', 'a\u202eb\n'), /cannot be seen/);
  assert.match(one(product, `${HEAD}x;\r\n`), /cannot be seen/);
});

test('links lead somewhere', () => {
  const files = { 'docs/a.md': '# A `b`: c?\n\n', 'src/x.ts': '' };
  const links = (text: string): string[] => found(linkFindings, { ...files, 'docs/b.md': text });
  assert.deepEqual(
    links('[a](a.md) [b](a.md#a-b-c) [c](../src) [d](../src/x.ts) [e](https://example.org) [f](#g)\n# g'),
    [],
  );
  assert.match(links('x\n[a](c.md)')[0] ?? '', /docs\/b\.md:2: c\.md leads nowhere/);
  assert.match(links('[a](a.md#d)')[0] ?? '', /no such heading/);
  assert.deepEqual(links('```\n[a](c.md)\n```\n'), []);
});

test('every folder has an entry in the architecture', () => {
  const files = { 'packages/engine/src/search/a.ts': '', 'bench/run.ts': '' };
  const sections = (text: string): string[] =>
    found(architectureFindings, { ...files, 'ARCHITECTURE.md': text });
  assert.deepEqual(sections('## `engine`\n| `engine/src/search` | finds |\n## `bench`: c\n'), []);
  assert.match(sections('## `engine`: a\n## `bench`: c\n')[0] ?? '', /no entry for `engine\/src\/search`/);
  assert.match(
    sections('## `engine`\n### `engine/src/search`\n## `bench`\n## `attic`\n')[0] ?? '',
    /:4: `attic` is not there/,
  );
  const long = `## \`engine\`\n| \`engine/src/search\` |\n## \`bench\`\n${'x\n'.repeat(250)}`;
  assert.match(sections(long)[0] ?? '', /253 lines/);
  assert.match(found(architectureFindings, files)[0] ?? '', /is missing/);
});

test('made tables are replaced between their marks', () => {
  const made = withTable('# Title\n', '| a |');
  assert.match(made, /^# Title\n\n<!--.*begin -->\n\n\| a \|\n\n<!--.*end -->\n$/);
  assert.equal(withTable(made, '| a |'), made);
  assert.equal(withTable(`${made}After.\n`, '| b |'), `${made.replace('| a |', '| b |')}After.\n`);
});
