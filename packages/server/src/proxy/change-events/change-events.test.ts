// Every write to a cluster is published once, although the records fail and recover; a write that could not
// be published is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@octavo/engine';
import { type DocumentChange, type Records, RecordsError, type RecordsFence } from '@octavo/records';
import { NotPerformed } from '../client/peer-cluster.ts';
import { ChangeEvents, type DeliveryFailures, type IntentOptions } from './change-events.ts';
import type { WrittenChanges } from './written-documents.ts';

const change = (n: number): DocumentChange => ({
  ...{ kind: 'index', index: 'a', id: String(n), seqNo: n, version: 1 },
});

const all = (...changes: DocumentChange[]): WrittenChanges => ({ changes, isComplete: true });

const silent: DeliveryFailures = {
  ...{ delayed: () => assert.fail(), lost: () => assert.fail(), unresolved: () => assert.fail() },
};

/** Records that store published changes while they are up. */
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
  const news = new ChangeEvents(records, 100, silent);
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => news.publish(all(change(2 * n), change(2 * n + 1)))),
  );
  assert.deepEqual(
    records.told,
    Array.from({ length: 40 }, (_, n) => String(n)),
  );
  assert.equal(records.calls, 2);
  assert.equal(news.waiting, 0);
  await news.publish(all());
  assert.equal(records.calls, 2);
});

test('while the records are away it waits, up to a bound, and is told once they are back', async () => {
  const records = outbox();
  const failures: number[] = [];
  const news = new ChangeEvents(records, 3, {
    ...silent,
    delayed: (_thrown, waiting) => failures.push(waiting),
  });
  records.up = false;
  const first = news.publish(all(change(1), change(2)));
  await news.requireCapacity();
  const second = news.publish(all(change(3)));
  await assert.rejects(news.requireCapacity(), { type: 'rejected_execution_exception' });
  while (failures.length === 0) await new Promise((resolve) => setImmediate(resolve));
  records.up = true;
  await Promise.all([first, second]);
  assert.deepEqual(records.told, ['1', '2', '3']);
  assert.equal(failures.length, 1, 'said once, not at every try');
  await news.requireCapacity();
});

test('a server that ends tries once more, and says what is lost', async () => {
  for (const up of [true, false]) {
    const records = outbox();
    const lost: number[] = [];
    const news = new ChangeEvents(records, 100, {
      ...silent,
      delayed: (_thrown, waiting) => lost.push(waiting),
    });
    records.up = false;
    const telling = news.publish(all(change(1), change(2)));
    while (lost.length === 0) await new Promise((resolve) => setImmediate(resolve));
    records.up = up;
    await news.close();
    assert.deepEqual(records.told, up ? ['1', '2'] : []);
    assert.equal(lost.length, up ? 1 : 2);
    assert.equal(news.waiting, up ? 0 : 2);
    await telling;
  }
});

test('records that have moved: what was sent before is lost aloud, and nothing is sent after', async () => {
  const lost: string[] = [];
  let fence: RecordsFence | undefined;
  const records = {
    write: async () => {
      throw new RecordsError('records-moved', 'gone');
    },
  };
  const failures = {
    ...silent,
    delayed: () => {},
    lost: (changes: readonly DocumentChange[]) => void lost.push(...changes.map(({ id }) => id)),
  };
  const news = new ChangeEvents(records, 100, failures, { current: async () => fence });
  await news.requireCapacity();
  fence = { state: 'gone', place: '/secret/place', since: '2026-01-01T00:00:00.000Z' };
  const both = await Promise.allSettled([
    news.publish(all(change(1), change(2))),
    news.publish(all(change(3))),
  ]);
  for (const one of both) {
    assert.equal(one.status, 'rejected');
    assert.equal((one.reason as EngineError).type, 'records_moved_exception');
    assert.match(
      (one.reason as EngineError).message,
      /the documents were written, but their events are lost/,
    );
  }
  assert.deepEqual([lost, news.lost, news.waiting], [['1', '2', '3'], 3, 0]);
  await assert.rejects(news.requireCapacity(), (error: EngineError) => {
    assert.equal(error.status, 503);
    assert.match(error.message, /moved to another store at \[2026.*the request was not performed/);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
  await news.close();
});

test('records on their way here: what was sent before waits for them', async () => {
  let fence: RecordsFence | undefined = { state: 'coming', place: 'p', since: '2026-01-01T00:00:00.000Z' };
  const told: number[] = [];
  const records = {
    write: (async (_operation: unknown, { changes }: { changes: DocumentChange[] }) => {
      if (fence !== undefined) throw new RecordsError('records-moved', 'coming');
      told.push(...changes.map(({ seqNo }) => seqNo!));
    }) as unknown as Records['write'],
  };
  const news = new ChangeEvents(
    records,
    100,
    { ...silent, delayed: () => {} },
    { current: async () => fence },
  );
  const telling = news.publish(all(change(1)));
  await assert.rejects(news.requireCapacity(), { type: 'records_moved_exception' });
  fence = undefined;
  await telling;
  await news.requireCapacity();
  assert.deepEqual([told, news.lost], [[1], 0]);
});

/** Records that list the operations they receive. */
function ledger(fails: (operation: string) => boolean = () => false): {
  readonly did: string[];
  readonly write: Records['write'];
} {
  const did: string[] = [];
  const write = async (
    { name }: { name: string },
    { changes = [], intents = [], ended = [] }: { [part: string]: { id?: string }[] },
  ): Promise<void> => {
    if (fails(name)) throw new RecordsError('store-unreachable', 'away');
    const parts = [changes.map(({ id }) => id).join(), `+${intents.length}`, `-${ended.length}`];
    did.push([name, ...parts.filter((part) => !/^([+-]0)?$/.test(part))].join(' '));
  };
  return { did, write: write as unknown as Records['write'] };
}

const noting = (areThere: boolean): IntentOptions => ({
  followers: { exist: async () => areThere },
  leaseMs: 1,
});
const about = { documents: [{ kind: 'index', index: 'a', id: '1' }] } as const;

test('while somebody follows a write is noted before it is sent, and the note goes with its event', async () => {
  for (const isFollowed of [true, false]) {
    const records = ledger();
    const news = new ChangeEvents(records, 9, silent, undefined, noting(isFollowed));
    assert.equal(await news.hasFollowers(), isFollowed);
    const send = async (): Promise<number> => records.did.push('send');
    await news.write(isFollowed ? about : {}, send, () => all(change(1)));
    assert.deepEqual(
      records.did,
      isFollowed ? ['outbox.intend +1', 'send', 'outbox.documents 1 -1'] : ['send', 'outbox.documents 1'],
    );
  }
});

test('a note stays where nobody knows what was done, and goes where nothing was', async () => {
  const cases: [() => Promise<WrittenChanges>, string[]][] = [
    [async () => ({ changes: [change(1)], isComplete: false }), ['outbox.documents 1']],
    [async () => all(), ['outbox.documents -1']],
    [() => Promise.reject(new EngineError('timeout_exception', 'late')), []],
    [() => Promise.reject(new NotPerformed('no_node_available_exception', 'x')), ['outbox.documents -1']],
  ];
  for (const [send, expected] of cases) {
    const records = ledger();
    const news = new ChangeEvents(records, 9, silent, undefined, noting(true));
    await news.write(about, send, (told) => told).catch(() => {});
    await news.close();
    assert.deepEqual(records.did, ['outbox.intend +1', ...expected]);
  }
});

test('what cannot be noted is not sent', async () => {
  const records = ledger((name) => name === 'outbox.intend');
  const news = new ChangeEvents(records, 9, silent, undefined, noting(true));
  const writing = news.write(about, () => assert.fail('sent'), all);
  await assert.rejects(writing, { type: 'records_unreachable_exception', status: 503 });
  assert.deepEqual(records.did, []);
});

test('what was noted before the records went is told where they are', async () => {
  const fence: RecordsFence = { state: 'gone', place: 'p', since: '2026-01-01T00:00:00.000Z' };
  let isGone = false;
  const records = {
    write: (async () => {
      if (isGone) throw new RecordsError('records-moved', 'gone');
    }) as unknown as Records['write'],
  };
  const current = async (): Promise<RecordsFence | undefined> => (isGone ? fence : undefined);
  const failures = { ...silent, delayed: () => {} };
  const news = new ChangeEvents(records, 9, failures, { current }, noting(true));
  const send = async (): Promise<void> => {
    isGone = true;
  };
  await news.write(about, send, () => all(change(1)));
  assert.deepEqual([news.lost, news.waiting], [0, 0]);
});

test('without records there is nobody to tell', async () => {
  await new ChangeEvents(undefined, 1, silent).publish(all(change(1), change(2)));
});
