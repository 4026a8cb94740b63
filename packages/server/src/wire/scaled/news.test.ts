// Is every write told, once it is done, although the records come and go? And is nothing accepted that could not be told?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentChange, Records } from '@octavo/records';
import { DocumentNews } from './news.ts';

const change = (n: number): DocumentChange => ({
  ...{ kind: 'index', index: 'a', id: String(n), seqNo: n, version: 1 },
});

/** Records that take what is told while they are up. */
function outbox(): { up: boolean; told: string[]; calls: number; write: Records['write'] } {
  const here = {
    up: true,
    told: [] as string[],
    calls: 0,
    write: (async (_operation: unknown, { changes }: { changes: DocumentChange[] }) => {
      here.calls++;
      await new Promise((resolve) => setImmediate(resolve));
      if (!here.up) throw new Error('away');
      here.told.push(...changes.map(({ id }) => id));
    }) as unknown as Records['write'],
  };
  return here;
}

test('what comes while a commit is under way shares the next one, in order', async () => {
  const records = outbox();
  const news = new DocumentNews(records, 100, assert.fail);
  await Promise.all(Array.from({ length: 20 }, (_, n) => news.tell([change(2 * n), change(2 * n + 1)])));
  assert.deepEqual(
    records.told,
    Array.from({ length: 40 }, (_, n) => String(n)),
  );
  assert.equal(records.calls, 2);
  assert.equal(news.waiting, 0);
  await news.tell([]);
  assert.equal(records.calls, 2);
});

test('while the records are away it waits, up to a bound, and is told once they are back', async () => {
  const records = outbox();
  const failures: number[] = [];
  const news = new DocumentNews(records, 3, (_thrown, waiting) => failures.push(waiting));
  records.up = false;
  const first = news.tell([change(1), change(2)]);
  news.requireRoom();
  const second = news.tell([change(3)]);
  assert.throws(() => news.requireRoom(), { type: 'rejected_execution_exception' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  records.up = true;
  await Promise.all([first, second]);
  assert.deepEqual(records.told, ['1', '2', '3']);
  assert.equal(failures.length, 1, 'said once, not at every try');
  news.requireRoom();
});

test('a server that ends tries once more, and says what is lost', async () => {
  for (const up of [true, false]) {
    const records = outbox();
    const lost: number[] = [];
    const news = new DocumentNews(records, 100, (_thrown, waiting) => lost.push(waiting));
    records.up = false;
    const telling = news.tell([change(1), change(2)]);
    while (lost.length === 0) await new Promise((resolve) => setImmediate(resolve));
    records.up = up;
    await news.close();
    assert.deepEqual(records.told, up ? ['1', '2'] : []);
    assert.equal(lost.length, up ? 1 : 2);
    assert.equal(news.waiting, up ? 0 : 2);
    await telling;
  }
});

test('without records there is nobody to tell', async () => {
  await new DocumentNews(undefined, 1, assert.fail).tell([change(1), change(2)]);
});
