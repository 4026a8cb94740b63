// A server whose PostgreSQL is unreachable answers 503 with Retry-After, and acknowledged writes are still
// there afterwards.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { eventually } from '../../packages/server/test/eventually.ts';
import { NotServing, serveProcess } from '../../packages/server/test/process.ts';
import { startPostgres } from './postgres-server.ts';

const postgres = await startPostgres();
const dir = mkdtempSync(join(tmpdir(), 'octavo-outage-'));
after(async () => {
  await postgres?.stop();
  rmSync(dir, { recursive: true });
});
const skip = postgres === undefined ? 'PostgreSQL is not installed' : false;

test('a database that goes away and comes back', { skip, timeout: 1_800_000 }, async (t) => {
  const server = await serveProcess(join(dir, 'a'), ['--records', postgres!.url]);
  t.after(() => server.end());
  const post = (text: string) => server.ask('POST /api/newsfeed', { author: 'ada', text });
  assert.equal((await post('before')).status, 201);
  assert.equal((await server.ask('GET /api/health/ready')).status, 200);

  await postgres!.kill();
  const reply = await fetch(`${server.url}/api/newsfeed/`);
  assert.equal(reply.status, 503);
  assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  const problem = (await reply.json()) as { code: string; detail: string };
  assert.equal(problem.code, 'store-unreachable');
  assert.equal((await post('during')).status, 503);
  assert.equal((await server.ask('GET /api/health/ready')).status, 503);
  assert.equal((await server.ask('GET /api/health')).status, 200);

  await postgres!.start();
  await eventually(async () => assert.equal((await post('after')).status, 201));
  await eventually(async () => assert.equal((await server.ask('GET /api/health/ready')).status, 200));
  const { body } = await server.ask('GET /api/newsfeed/');
  assert.deepEqual(
    (body['items'] as { text: string }[]).map(({ text }) => text),
    ['after', 'before'],
  );
  await eventually(async () => {
    const { body: told } = await server.ask('GET /api/events?after=0&format=json');
    assert.equal((told['items'] as unknown[]).length, 2);
  });
});

test('an unreachable database ends the start, and no password is printed', {
  timeout: 900_000,
}, async () => {
  const url = 'postgres://octavo:hunter2@127.0.0.1:1/octavo';
  for (const [records, words] of [
    [url, /The records cannot be opened: PostgreSQL at 127\.0\.0\.1:1\/octavo cannot be reached/m],
    ['mysql://u:hunter2@h/d', /--records takes an address such as postgres:/],
  ] as const) {
    await assert.rejects(serveProcess(join(dir, 'b'), ['--records', records]), (error) => {
      assert.ok(error instanceof NotServing);
      assert.notEqual(error.exitCode, 0);
      assert.match(error.stderr, words);
      assert.doesNotMatch(error.stderr, /hunter2/);
      return true;
    });
  }
});
