// The commands that `octavo serve --demo` prints work, and a missing demo package is explained.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { exampleCommands, loadSynsets, SYNSETS, type Synset, synsets } from '@octavo/demo';
import { type Engine, open } from '@octavo/engine';
import type { Records } from '@octavo/records';
import { serveProcess } from '../../../test/process.ts';
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

test('until the demo is loaded the server is not ready, and never answers as if there were nothing', {
  timeout: 180_000,
}, async () => {
  // One thread loads, and another one answers.
  const served = await serveProcess(join(folder, 'served'), ['--demo', '--threads', '2']);
  try {
    const seen = new Set<number>();
    const ready = async (): Promise<number> => {
      const { status, body } = await served.ask('GET /api/health/ready');
      if (status === 503)
        assert.match(String(body['detail']), /^The server is starting\. The demo is being loaded/);
      return status;
    };
    for (let isReady = false; !isReady; ) {
      // The questions leave the server time to load.
      await setTimeout(25);
      isReady = (await ready()) === 200;
      // Over both carriers: a lane takes the first, node:http the second.
      for (const headers of [{}, { origin: served.url }]) {
        for (const [path, shown] of [
          ['/wordnet/_count', 'count'],
          ['/api/accounts/ada', 'id'],
        ] as const) {
          const reply = await fetch(`${served.url}${path}`, { headers });
          const body = (await reply.json()) as Record<string, unknown>;
          seen.add(reply.status);
          if (reply.status === 503) {
            assert.equal(reply.headers.get('retry-after'), '1');
            assert.match(JSON.stringify(body), /The demo is being loaded/);
          } else {
            assert.equal(reply.status, 200, JSON.stringify(body));
            if (shown === 'count') assert.equal(body['count'], SYNSETS);
            isReady ||= (await ready()) === 200;
          }
        }
      }
    }
    assert.deepEqual([...seen].sort(), [200, 503]);
    assert.match(served.stderr(), /loading WordNet: [\d,]+ docs \(\d+ %\)/);
  } finally {
    assert.equal(await served.end(), 0);
  }
});
