// A call on a file of the records fails once (EIO), at many places: the server refuses what it has not written and ends, as it does
// for a failed disk of the documents. It never goes on half working, and everything acknowledged is there at the next start.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inFolder, startRecorded } from './recorded-server.ts';
import { recorderLibrary } from './recorder.ts';

let reason = '';
const library = recorderLibrary((why) => (reason = why));

/** The n-th change of a file that fails. The first of each are made by the start, over records that exist already. */
const CASES: readonly (readonly [file: string, failAt: number])[] = [
  ...[3, 9, 60].map((n) => ['records.db-wal', n] as const),
  ...[2, 6].map((n) => ['records.mark', n] as const),
];

/** Makes transfers until one is refused; gives the references of those that were acknowledged. */
async function makeTransfers(
  url: string,
  count: number,
): Promise<{ acknowledged: string[]; isRefused: boolean }> {
  const acknowledged: string[] = [];
  const post = async (path: string, body: object): Promise<boolean> => {
    const headers = { 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(60_000) };
    return await fetch(`${url}${path}`, sent).then(
      (reply) => reply.ok,
      () => false,
    );
  };
  if (!(await post('/api/accounts', { id: 'bank', currency: 'EUR', allow_negative: true })))
    return { acknowledged, isRefused: true };
  if (!(await post('/api/accounts', { id: 'ada', currency: 'EUR' })))
    return { acknowledged, isRefused: true };
  for (let n = 0; n < count; n++) {
    const reference = `transfer-${n}`;
    if (!(await post('/api/transaction/', { from: 'bank', to: 'ada', money: '1', reference })))
      return { acknowledged, isRefused: true };
    acknowledged.push(reference);
  }
  return { acknowledged, isRefused: false };
}

test('a failed call on the records ends the server, and loses nothing', {
  skip: library === undefined ? reason : false,
}, async (t) => {
  let ended = 0;
  const records = mkdtempSync(join(tmpdir(), 'octavo-records-'));
  t.after(() => rmSync(records, { recursive: true }));
  const first = await startRecorded(records, undefined);
  assert.ok('url' in first);
  await first.end();
  for (const [file, failAt] of CASES) {
    const what = `${file}, call ${failAt}`;
    await inFolder(async (dir) => {
      cpSync(records, dir, { recursive: true });
      const root = `${dir}/${file}`;
      const server = await startRecorded(dir, library, { root, failAt, failErrno: constants.errno.EIO });
      // The start itself met it and refused to serve.
      if (!('url' in server)) {
        assert.equal(server.code, 1, `${what}: ${server.stderr}`);
        return;
      }
      t.after(() => server.child.kill('SIGKILL'));
      const { acknowledged, isRefused } = await makeTransfers(server.url, 60);
      if (isRefused) {
        assert.equal(await server.ended(), 1, `${what}: it goes on`);
        assert.match(server.stderr(), /the records have failed, exiting now/, what);
        ended++;
      } else assert.equal(await server.end(), 0, what);
      const again = await startRecorded(dir, undefined);
      assert.ok('url' in again, `${what}: ${'stderr' in again && again.stderr}`);
      t.after(() => again.child.kill('SIGKILL'));
      const found = (await (await fetch(`${again.url}/api/transactions?limit=100`)).json()) as {
        items: { reference: string }[];
      };
      const references = found.items.map(({ reference }) => reference);
      for (const reference of acknowledged)
        assert.ok(references.includes(reference), `${what}: ${reference} is lost`);
      assert.equal(new Set(references).size, references.length, `${what}: a transfer was made twice`);
      assert.equal(await again.end(), 0, what);
    });
  }
  assert.ok(ended >= 3, `only ${ended} cases failed a running server`);
});
