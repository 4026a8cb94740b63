// The commands that `octavo serve --demo` prints work, and a missing demo package is explained.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { exampleCommands, loadSynsets, type Synset, synsets } from '@octavo/demo';
import { type Engine, open } from '@octavo/engine';
import type { Records } from '@octavo/records';
import { createServer } from '../../serve.ts';
import { Failure } from '../failure.ts';
import { loadDemo } from './demo.ts';

const SOME = 500;

function* some(): Generator<Synset> {
  let left = SOME;
  for (const synset of synsets()) {
    if (left-- === 0) return;
    yield synset;
  }
}

let folder: string;
let engine: Engine;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-demo-'));
  engine = await open(join(folder, 'data'));
  await loadSynsets(engine, { documents: some() });
});

after(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

test('the commands are valid and find what they promise', async () => {
  const server = await createServer(engine);
  const printed = await exampleCommands(engine, 'http://127.0.0.1:9200');
  assert.equal(printed.length, 6);
  const [first, , third] = [await run(printed[0]), await run(printed[1]), await run(printed[2])];
  assert.equal(first.hits.total.value, SOME);
  assert.equal(first.hits.hits.length, 5);
  assert.ok(typeof third._scroll_id === 'string');
  const [filtered, jump, text] = [await run(printed[3]), await run(printed[4]), await run(printed[5])];
  assert.ok(Array.isArray(filtered.hits.hits));
  assert.equal(jump.hits.hits.length, 20);
  assert.ok(text.hits.hits.length > 0 && (text.hits.hits[0]?._score ?? 0) > 0);
  await server.close();

  async function run(command = ''): Promise<Reply> {
    const [, url = '', body = ''] =
      /'http:\/\/127\.0\.0\.1:9200([^']*)'[\s\S]*-d '([^']*)'/.exec(command) ?? [];
    const reply = await server.inject({
      method: 'GET',
      url,
      payload: body,
      headers: { 'content-type': 'application/json', host: '127.0.0.1:9200' },
    });
    assert.equal(reply.statusCode, 200, reply.body);
    return reply.json() as Reply;
  }
});

interface Reply {
  readonly _scroll_id?: string;
  readonly hits: {
    readonly total: { value: number };
    readonly hits: { _id: string; _score: number | null }[];
  };
}

test('a server without the demo package says how to install it', async () => {
  const missing = async (): Promise<never> => {
    throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  };
  await assert.rejects(
    loadDemo(engine, {} as Records, '', { quiet: true }, missing),
    (error: Error) => error instanceof Failure && /npm install @octavo\/demo/.test(error.message),
  );
});
