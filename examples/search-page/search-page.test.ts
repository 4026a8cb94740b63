// The search page in a real browser, over a small dictionary. Its packages are installed once, in a folder that is named after the lock
// file; without a network the test is skipped.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { OctavoClient } from '@octavo/client';
import { chromium } from 'playwright-core';
import { startServer } from '../../packages/client/test/server.ts';

const CHROMIUM = '/usr/bin/chromium';
const SOURCE = fileURLToPath(new URL('.', import.meta.url));
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const CACHE = process.env['OCTAVO_EXAMPLES'] ?? join(homedir(), '.cache', 'octavo-examples');
const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
const NO_NETWORK = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED|ENETUNREACH/;

/** The folder of the installed packages, or why there is none. */
function install(): { readonly modules: string } | { readonly skip: string } {
  const lock = readFileSync(join(SOURCE, 'package-lock.json'));
  const folder = join(CACHE, `search-page-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`);
  const modules = join(folder, 'node_modules');
  if (existsSync(modules)) return { modules };
  mkdirSync(CACHE, { recursive: true });
  const fresh = mkdtempSync(join(CACHE, 'new-'));
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(SOURCE, name), join(fresh, name));
  const { status, stderr } = spawnSync('npm', INSTALL, { cwd: fresh, encoding: 'utf8', timeout: 120_000 });
  if (status === 0) {
    try {
      renameSync(fresh, folder);
    } catch {
      // Another test has installed the same meanwhile.
      rmSync(fresh, { recursive: true });
    }
    return { modules };
  }
  rmSync(fresh, { recursive: true });
  if (status === null || NO_NETWORK.test(stderr))
    return { skip: 'its packages cannot be installed: no network' };
  throw new Error(`npm ci: ${stderr}`);
}

/** A copy of the example beside its packages. */
function copyWith(modules: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-search-page-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['package.json', 'tsconfig.json', 'server.ts', 'page.tsx', 'page.css'])
    cpSync(join(SOURCE, name), join(folder, name));
  symlinkSync(modules, join(folder, 'node_modules'));
  return folder;
}

async function serveDictionary(): Promise<string> {
  const url = await startServer();
  const text = { type: 'text' };
  const properties = {
    words: text,
    definition: text,
    pos: { type: 'keyword' },
    lexname: { type: 'keyword' },
  };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/wordnet`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ mappings: { properties } }),
  });
  const sources = Array.from({ length: 60 }, (_, n) => ({
    words: n % 2 === 0 ? `dog${n}` : `run${n}`,
    definition: n % 2 === 0 ? `a domesticated animal, number ${n}` : `move fast like an animal, number ${n}`,
    ...(n % 2 === 0 ? { pos: 'noun', lexname: 'noun.animal' } : { pos: 'verb', lexname: 'verb.motion' }),
  }));
  const operations = sources.map((source, n) => ({ op: 'index', id: String(n), source }) as const);
  for await (const { error } of new OctavoClient({ url }).documents('wordnet').bulk(operations))
    assert.equal(error, undefined);
  return url;
}

/** Starts the server of the page. Returns its address. */
async function servePage(folder: string, octavo: string): Promise<string> {
  const env = { ...process.env, OCTAVO_URL: octavo, PORT: '0' };
  const child = spawn(process.execPath, ['server.ts'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  after(() => child.kill());
  const [line] = await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data'),
    once(child, 'exit').then(([code]) => assert.fail(`the server of the page ended with ${code}`)),
  ]);
  return String(line).trim();
}

test('a page finds, highlights, filters and turns pages', {
  skip: existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}`,
}, async (context: TestContext) => {
  const installed = install();
  if ('skip' in installed) return context.skip(installed.skip);
  const folder = copyWith(installed.modules);
  const types = spawnSync(process.execPath, [TSC, '-p', folder], { encoding: 'utf8' });
  assert.equal(types.status, 0, types.stdout);
  const address = await servePage(folder, await serveDictionary());
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  after(() => browser.close());
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto(address);
  await page.getByText('60 results').waitFor();

  await page.getByRole('searchbox').first().fill('domesticated');
  await page.getByText('30 results').waitFor();
  const marked = await page.locator('article p mark').allTextContents();
  assert.deepEqual(marked, Array(20).fill('domesticated'));

  await page.getByRole('link', { name: 'Page 2', exact: true }).click();
  await page.waitForFunction('document.querySelectorAll("article").length === 10');

  await page.getByRole('searchbox').first().fill('animal');
  await page.getByText('60 results').waitFor();
  await page.getByRole('checkbox', { name: /^verb ?30$/ }).check();
  await page.getByText('30 results').waitFor();
  await page.getByText('dog0').waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('checkbox', { name: /^verb\.motion/ }).count(), 1);
  assert.equal(await page.locator('article').count(), 20);
  for (const word of await page.locator('article h2').allTextContents()) assert.match(word, /^run/);
  assert.deepEqual(errors, []);

  // Other indices are not within reach.
  const body = JSON.stringify([{ indexName: 'secrets', params: {} }]);
  assert.equal((await fetch(`${address}/search`, { method: 'POST', body })).status, 403);
});
