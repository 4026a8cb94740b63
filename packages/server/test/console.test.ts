// The console's files: where they are, how they are cached, and that browsers come to them while clients get JSON.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { registerConsole } from '../src/console/console-routes.ts';
import { server } from './ask.ts';

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';
const { ask } = await server();
const isBuilt = existsSync(new URL('../assets/console/index.html', import.meta.url));
const built = { skip: isBuilt ? false : 'the console is not built: npm run console' };

test('a browser at the root comes to the console, a client gets JSON', async () => {
  const browser = await ask('GET /', undefined, { accept: HTML });
  assert.deepEqual([browser.status, browser.headers['location']], [302, '/_console/']);
  for (const accept of ['*/*', 'application/json', undefined]) {
    const client = await ask('GET /', undefined, accept === undefined ? {} : { accept });
    assert.equal(client.body.tagline !== undefined, true, accept);
  }
  assert.equal((await ask('GET /_console')).headers['location'], '/_console/');
});

test('below a base path everything stays below it', async () => {
  const { ask } = await server({ basePath: '/octavo' });
  const { headers } = await ask('GET /octavo/', undefined, { accept: HTML });
  assert.equal(headers['location'], '/octavo/_console/');
});

test('the page loads nothing from elsewhere and is not cached; its files are, for ever', built, async () => {
  const page = await ask('GET /_console/');
  assert.equal(page.status, 200);
  assert.match(String(page.headers['content-security-policy']), /^default-src 'self';/);
  assert.equal(page.headers['cache-control'], 'no-cache');
  assert.doesNotMatch(page.text, /(?:src|href)="(?!\.\/|\.\.\/)/);
  const [, script = ''] = /src="\.\/(files\/[\w.-]+\.js)"/.exec(page.text) ?? [];
  const file = await ask(`GET /_console/${script}`, undefined, { 'accept-encoding': 'gzip' });
  assert.equal(file.headers['content-type'], 'text/javascript; charset=utf-8');
  assert.equal(file.headers['content-encoding'], 'gzip');
  assert.match(String(file.headers['cache-control']), /immutable/);
  assert.equal((await ask(`GET /_console/${script}`)).headers['content-encoding'], undefined);
});

test('other names are problems, and none leads out of the folder', async () => {
  for (const name of [
    'nothing',
    'files/nothing.js',
    '..%2findex.html',
    'files/..%2f..%2fpackage.json',
    '%00',
  ]) {
    const { status, body } = await ask(`GET /_console/${name}`);
    assert.deepEqual([status, body.code], [404, 'not-found'], name);
  }
  assert.equal((await ask('GET /_consoles')).body.error.type, 'invalid_index_name_exception');
});

test('a console that is not built says so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-console-'));
  const app = Fastify();
  app.decorateRequest('mount', '');
  after(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });
  registerConsole(app, folder);
  const reply = await app.inject('/_console/');
  assert.equal(reply.statusCode, 404);
  assert.match(reply.json().detail, /^The console is not built: run `npm run console`/);
});
