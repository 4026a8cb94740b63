// The published tarballs work when npm installs them in an empty folder: the command line, the examples of
// the READMEs, threads, types. Dependencies are copied from this checkout, so no network is needed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { serveProcess } from '../packages/server/test/process.ts';
import { codeBlocks } from './documents/code-blocks.ts';
import { runPage } from './documents/run-page.ts';
import { filesUnder } from './release/emit.ts';
import { type Manifest, publishedManifest, publishedPackages } from './release/packages.ts';
import { release, type Tarball } from './release.ts';
import { ROOT } from './tidy.ts';

const home = mkdtempSync(join(tmpdir(), 'octavo-release-test-'));
const installed = join(home, 'app');
let tarballs: Tarball[];

function run(command: string, args: readonly string[]): string {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`;
  const env = { ...process.env, PATH };
  const ended = spawnSync(command, args, { cwd: installed, env, encoding: 'utf8', timeout: 300_000 });
  assert.equal(ended.status, 0, `${command} ${args.join(' ')}\n${ended.stdout}${ended.stderr}`);
  return ended.stdout;
}

/** Runs a module in the folder. */
function runModule(name: string, code: string): string {
  writeFileSync(join(installed, name), code);
  return run(process.execPath, [name]);
}

/** Copies the packages of others that ours need, and those that they need. */
function copyForeign(): void {
  const modules = join(ROOT, 'node_modules');
  const copy = (name: string): void => {
    const copied = join(installed, 'node_modules', name);
    if (existsSync(copied) || name.startsWith('@octavo/') || !existsSync(join(modules, name))) return;
    cpSync(join(modules, name), copied, { recursive: true });
    // Without commands: npm fetches anew what lacks their links.
    const { bin: _, ...manifest } = JSON.parse(
      readFileSync(join(copied, 'package.json'), 'utf8'),
    ) as Manifest;
    writeFileSync(join(copied, 'package.json'), JSON.stringify(manifest));
    Object.keys(manifest.dependencies ?? {}).forEach(copy);
  };
  for (const { manifest } of publishedPackages(ROOT)) Object.keys(manifest.dependencies ?? {}).forEach(copy);
}

/** Of an installed package: the paths of its files within it, in order. */
function filesOf(name: string): string[] {
  const folder = join(installed, 'node_modules', name);
  return filesUnder(folder)
    .map((path) => relative(folder, path))
    .sort();
}

before(() => {
  tarballs = release(join(home, 'tarballs'));
  mkdirSync(installed);
  writeFileSync(join(installed, 'package.json'), '{ "private": true, "type": "module" }');
  copyForeign();
  const quiet = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  const paths = tarballs.map(({ path }) => path);
  const install = (): unknown =>
    run('npm', ['install', ...quiet, '--cache', mkdtempSync(join(home, 'cache-')), ...paths]);
  install();
  // npm has left a file of a whole tarball out once, on a busy machine: it says nothing of what it could not write.
  const lost = tarballs.filter(({ name, files }) => filesOf(name).join() !== files.join());
  if (lost.length === 0) return;
  console.log(`npm left files out of ${lost.map(({ name }) => name).join(', ')}: installing once more`);
  for (const { name } of lost) rmSync(join(installed, 'node_modules', name), { recursive: true });
  install();
});
after(() => rmSync(home, { recursive: true, force: true }));

test('a tarball has what runs and what is read, and nothing else', () => {
  for (const { name, files: packed } of tarballs) {
    const folder = join(installed, 'node_modules', name);
    const files = filesOf(name);
    assert.deepEqual(files, packed, `npm installs other files of ${name}`);
    const strange = files.filter(
      (path) =>
        !/^(package\.json|README\.md|LICENSE|bin\/[\w-]+\.js|dist\/.*\.(js|d\.ts|wasm)|assets\/api-examples\.json|assets\/console\/.*\.(html|js|css|svg)(\.gz)?)$/.test(
          path,
        ),
    );
    assert.deepEqual(strange, [], name);
    const ofTests = files.filter((path) => /\.test\.|fixture|conformance|simulated|bench/.test(path));
    assert.deepEqual(
      ofTests.filter((path) => !/^dist\/testing\./.test(path)),
      [],
      name,
    );
    for (const path of files.filter((path) => /^dist.*\.(js|d\.ts)$/.test(path)))
      assert.doesNotMatch(readFileSync(join(folder, path), 'utf8'), /['"]\.{1,2}\/[\w/.-]+\.ts['"]/, path);
    for (const { types, default: code } of Object.values(
      JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).exports as Record<
        string,
        { types: string; default: string }
      >,
    ))
      for (const path of [types, code]) assert.ok(existsSync(join(folder, path)), `${name} has no ${path}`);
  }
});

test('the command line tells its version, serves, stores and finds', async () => {
  const { version } = JSON.parse(
    readFileSync(join(ROOT, 'packages/server/package.json'), 'utf8'),
  ) as Manifest;
  assert.equal(run('npx', ['--offline', 'octavo', '--version']).trim(), version);
  const bin = join(installed, 'node_modules/@octavo/server/bin/octavo.js');
  const server = await serveProcess(join(home, 'data'), [], { bin });
  try {
    const put = await server.ask('PUT /books/_doc/1', { title: 'Moby Dick', year: 1851 });
    assert.equal(put.status, 201);
    const found = await server.ask('POST /books/_search', { query: { match: { title: 'moby' } } });
    assert.deepEqual((found.body['hits'] as { total: object }).total, { value: 1, relation: 'eq' });
    const posted = await server.ask('POST /api/newsfeed/', { author: 'ada', text: 'hello' });
    assert.equal(posted.status, 201);
    const walked = runModule(
      'walk.js',
      `import { OctavoClient } from '@octavo/client';
       const octavo = new OctavoClient({ url: ${JSON.stringify(server.url)} });
       for await (const item of octavo.feed.list()) console.log(item.author, item.text);`,
    );
    assert.equal(walked, 'ada hello\n');
    assert.equal((await server.ask('GET /api/openapi.json')).status, 200);
    const page = await fetch(`${server.url}/`, { headers: { accept: 'text/html' } });
    assert.equal(new URL(page.url).pathname, '/_console/');
    assert.match(await page.text(), /<script type="module"/);
  } finally {
    assert.equal(await server.end(), 0);
  }
});

test('the examples of the READMEs run', () => {
  const printed = (name: string): string => {
    const readme = readFileSync(join(installed, 'node_modules/@octavo', name, 'README.md'), 'utf8');
    return runModule(`${name}.js`, /```ts\n([\s\S]*?)```/.exec(readme)![1]!);
  };
  assert.equal(printed('engine'), '2 {"title":"Walden","year":1854}\n');
  assert.match(printed('records'), /^ada Ask Bob \[[\s\S]*insufficient-funds|account-not-found\n$/);
  assert.match(printed('server'), /^http:\/\/127\.0\.0\.1:\d+\n$/);
});

test('the tutorial works in an empty folder', async () => {
  const tutorial = readFileSync(join(ROOT, 'docs/tutorial.md'), 'utf8');
  const { failure } = await runPage(codeBlocks(tutorial), join(installed, 'node_modules'));
  assert.equal(failure, '');
});

test('paging and mention run in a plain program', () => {
  const printed = runModule(
    'plain.js',
    `import { arraySource, tokenList } from '@octavo/paging';
     import { parseMarkup, toMarkup } from '@octavo/mention';
     import { renderMentions } from '@octavo/mention/dom';
     import { pageSourceCases } from '@octavo/paging/testing';
     const list = { order: [{ descending: true }], anchor: (n) => ({ tuple: [n], id: String(n) }) };
     const pages = tokenList(arraySource([1, 2, 3], list), { fingerprint: {} });
     const first = await pages.page({ size: 2 });
     const next = await pages.page({ size: 2, token: first.next });
     console.log(first.items, next.items, next.next);
     console.log(toMarkup(parseMarkup('Hi <user username="ada">Ada</user>')));
     console.log(typeof renderMentions, typeof pageSourceCases);`,
  );
  assert.equal(printed, '[ 3, 2 ] [ 1 ] undefined\nHi <user username="ada">Ada</user>\nfunction function\n');
});

test('the threads of the engine are found', () => {
  const printed = runModule(
    'threads.js',
    `import { open } from '@octavo/engine';
     const started = new Set();
     process.on('worker', (worker) => {
       worker.on('error', (error) => console.log('failed', error));
       worker.once('message', () => started.add(worker));
     });
     const engine = await open('./threads-data', { threadFrom: 1, readAheadFrom: 1, tailDocs: 10 });
     const source = new TextEncoder().encode('{"n":1}');
     while (started.size < 2)
       await engine.write(Array.from({ length: 20 }, () => ({ kind: 'index', index: 'i', source })));
     console.log(started.size, 'threads');
     await engine.close();`,
  );
  assert.equal(printed, '2 threads\n');
});

test('a program in TypeScript finds the types', () => {
  writeFileSync(
    join(installed, 'app.ts'),
    `import { type Item, OctavoClient } from '@octavo/client';
     import { type Engine, open } from '@octavo/engine';
     import { type Content, parseMarkup } from '@octavo/mention';
     import { renderMentions } from '@octavo/mention/dom';
     import { arraySource, type TokenPage, tokenList } from '@octavo/paging';
     import { elasticsearchSource } from '@octavo/paging/elasticsearch';
     import { kyselySource } from '@octavo/paging/kysely';
     import { octavoSource } from '@octavo/paging/octavo';
     import { opensearchSource } from '@octavo/paging/opensearch';
     const order = [{ descending: true }];
     const source = arraySource([1], { order, anchor: (n) => ({ tuple: [n], id: '' }) });
     export const page: Promise<TokenPage<number>> = tokenList(source, { fingerprint: {} }).page({ size: 1 });
     export const engine: Promise<Engine> = open('x');
     export const content: Content = parseMarkup('');
     export const post = (octavo: OctavoClient): Promise<Item> => octavo.feed.post({ author: 'a', text: 'b' });
     export const all = [elasticsearchSource, kyselySource, octavoSource, opensearchSource, renderMentions];
     // @ts-expect-error: a page has a size
     tokenList(source, { fingerprint: {} }).page({});`,
  );
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2024', '--module', 'nodenext'];
  const types = ['--lib', 'es2024,dom', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  run(process.execPath, [compiler, '--noEmit', ...strict, ...types, 'app.ts']);
});

test('versions that were not tested together do not go out together', () => {
  const packages = publishedPackages(ROOT);
  const server = packages.find(({ folder }) => folder === 'server')!;
  const [first, ...rest] = packages;
  const newer = { ...first!, manifest: { ...first!.manifest, version: '9.9.9' } };
  assert.throws(
    () => publishedManifest(server, [newer, ...rest]),
    /wants @octavo\/\w+ .*, but this is 9\.9\.9/,
  );
});
