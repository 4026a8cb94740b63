// A full disk of 48 MB: writes are refused as documented, reads and deletes go on; with space again writes
// do, too, and acknowledged documents are there after a restart.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { eventually } from './eventually.ts';
import { serveProcess } from './process.ts';

const root = mkdtempSync(join(tmpdir(), 'octavo-full-'));
const mounted =
  process.platform === 'linux' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', root]).status === 0;
after(() => {
  if (mounted) spawnSync('umount', [root]);
  rmSync(root, { recursive: true, force: true });
});

interface Item {
  readonly _id: string;
  readonly status: number;
  readonly error?: { readonly type: string; readonly reason: string };
}

test('a full disk', { skip: mounted ? false : 'a small file system cannot be mounted here' }, async () => {
  const dir = join(root, 'data');
  let served = await serveProcess(dir);
  const acknowledged = new Set<string>();
  let refusal: Item | undefined;
  for (let batch = 0; batch < 200 && refusal === undefined; batch++) {
    let body = '';
    for (let i = 0; i < 20; i++)
      body += `{"index":{"_id":"${batch}-${i}"}}\n${JSON.stringify({ n: batch, text: `${batch} red fox ${Math.random()} `.repeat(400) })}\n`;
    const reply = await served.ask('POST /full/_bulk', body);
    if (reply.status !== 200) {
      const { error } = reply.body as { error: { type: string; reason: string } };
      refusal = { _id: '', status: reply.status, error };
      break;
    }
    for (const item of reply.body['items'] as { index: Item }[]) {
      if (item.index.error === undefined) acknowledged.add(item.index._id);
      else refusal = item.index;
    }
  }
  assert.ok(refusal?.error !== undefined, 'the disk never got full');
  assert.equal(refusal.status, 507, JSON.stringify(refusal));
  assert.equal(refusal.error.type, 'cluster_block_exception');
  assert.match(refusal.error.reason, /the disk is full: .* Free at least \d+ MB and try again/);
  const count = async (): Promise<unknown> => (await served.ask('GET /full/_count')).body['count'];
  assert.equal(await count(), acknowledged.size);
  // One document after the other fills what the refused batch left.
  let one = { status: 201 };
  for (let i = 0; i < 100 && one.status === 201; i++) {
    one = await served.ask(`PUT /full/_doc/one-${i}`, { text: 'x'.repeat(100_000) });
    if (one.status === 201) acknowledged.add(`one-${i}`);
    else assert.equal((await served.ask(`GET /full/_doc/one-${i}`)).status, 404);
  }
  assert.equal(one.status, refusal.status);
  const page = await served.ask('POST /full/_search', { query: { match: { text: 'fox' } }, size: 1 });
  assert.equal(page.status, 200);
  for (const id of [...acknowledged].slice(0, 10)) {
    const gone = await served.ask(`DELETE /full/_doc/${id}`);
    assert.equal(gone.body['result'], 'deleted', JSON.stringify(gone.body));
    acknowledged.delete(id);
  }
  assert.equal(await count(), acknowledged.size);
  // What deletes were kept room for is enough for the catalog too.
  assert.equal((await served.ask('PUT /new-index')).status, 200);

  // Killed while it is full, it starts again on the full disk with everything.
  await served.end('SIGKILL');
  served = await serveProcess(dir);
  assert.equal(await count(), acknowledged.size);

  // Space again: the small disk grows.
  assert.equal(spawnSync('mount', ['-o', 'remount,size=200m', root]).status, 0);
  // It looks for space again after a second.
  await eventually(async () => {
    const { status } = await served.ask('PUT /full/_doc/again', { text: 'space' });
    assert.equal(status, 201);
  });
  acknowledged.add('again');
  assert.equal(await served.end(), 0, served.stderr());
  served = await serveProcess(dir);
  assert.equal(await count(), acknowledged.size);
  for (const id of [...acknowledged].slice(-20))
    assert.equal((await served.ask(`GET /full/_doc/${id}`)).body['found'], true);
  assert.equal(await served.end(), 0);
});

test('one owner: a second process is told who has the directory; after kill -9 it is free', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'octavo-owner-'));
  try {
    const first = await serveProcess(dir);
    await first.ask('PUT /o/_doc/1', { a: 1 });
    await assert.rejects(serveProcess(dir), (error: { exitCode: number; stderr: string }) => {
      assert.equal(error.exitCode, 1);
      assert.match(error.stderr, new RegExp(`in use by process ${first.child.pid}`));
      assert.doesNotMatch(error.stderr, /\n\s+at /);
      return true;
    });
    assert.equal((await first.ask('GET /o/_doc/1')).status, 200);
    await first.end('SIGKILL');
    const second = await serveProcess(dir);
    assert.equal((await second.ask('GET /o/_doc/1')).status, 200);
    assert.equal(await second.end(), 0);
    // The log goes bad while nobody looks: the next start says so, and keeps what it cannot read.
    writeFileSync(join(dir, 'log', '00000001.log'), Buffer.alloc(4096, 7));
    const third = await serveProcess(dir);
    assert.equal(await third.end(), 0);
    assert.match(third.stderr(), /log\/00000001\.log: torn, .* kept as log\/00000001\.log\.unreadable/);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
