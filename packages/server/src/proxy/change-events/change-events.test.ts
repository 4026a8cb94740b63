// Is every write told, once it is done, although the records come and go? And is nothing accepted that could not be told?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@octavo/engine';
import { type DocumentChange, type Records, RecordsError, type RecordsFence } from '@octavo/records';
import { NothingDone } from '../client/cluster.ts';
import { DocumentNews, type Noting, type Untold } from './change-events.ts';
import type { Told } from './written-documents.ts';

const change = (n: number): DocumentChange => ({
  ...{ kind: 'index', index: 'a', id: String(n), seqNo: n, version: 1 },
});

const all = (...changes: DocumentChange[]): Told => ({ changes, isAll: true });

const silent: Untold = {
  ...{ waits: () => assert.fail(), lost: () => assert.fail(), unresolved: () => assert.fail() },
};

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
  const news = new DocumentNews(records, 100, silent);
  await Promise.all(Array.from({ length: 20 }, (_, n) => news.tell(all(change(2 * n), change(2 * n + 1)))));
  assert.deepEqual(
    records.told,
    Array.from({ length: 40 }, (_, n) => String(n)),
  );
  assert.equal(records.calls, 2);
  assert.equal(news.waiting, 0);
  await news.tell(all());
  assert.equal(records.calls, 2);
});

test('while the records are away it waits, up to a bound, and is told once they are back', async () => {
  const records = outbox();
  const failures: number[] = [];
  const news = new DocumentNews(records, 3, {
    ...silent,
    waits: (_thrown, waiting) => failures.push(waiting),
  });
  records.up = false;
  const first = news.tell(all(change(1), change(2)));
  await news.requireRoom();
  const second = news.tell(all(change(3)));
  await assert.rejects(news.requireRoom(), { type: 'rejected_execution_exception' });
  while (failures.length === 0) await new Promise((resolve) => setImmediate(resolve));
  records.up = true;
  await Promise.all([first, second]);
  assert.deepEqual(records.told, ['1', '2', '3']);
  assert.equal(failures.length, 1, 'said once, not at every try');
  await news.requireRoom();
});

test('a server that ends tries once more, and says what is lost', async () => {
  for (const up of [true, false]) {
    const records = outbox();
    const lost: number[] = [];
    const news = new DocumentNews(records, 100, {
      ...silent,
      waits: (_thrown, waiting) => lost.push(waiting),
    });
    records.up = false;
    const telling = news.tell(all(change(1), change(2)));
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
  const untold = {
    ...silent,
    waits: () => {},
    lost: (changes: readonly DocumentChange[]) => void lost.push(...changes.map(({ id }) => id)),
  };
  const news = new DocumentNews(records, 100, untold, { look: async () => fence });
  await news.requireRoom();
  fence = { state: 'gone', place: '/secret/place', since: '2026-01-01T00:00:00.000Z' };
  const both = await Promise.allSettled([news.tell(all(change(1), change(2))), news.tell(all(change(3)))]);
  for (const one of both) {
    assert.equal(one.status, 'rejected');
    assert.equal((one.reason as EngineError).type, 'records_moved_exception');
    assert.match((one.reason as EngineError).message, /the write was done, and nobody is told/);
  }
  assert.deepEqual([lost, news.lost, news.waiting], [['1', '2', '3'], 3, 0]);
  await assert.rejects(news.requireRoom(), (error: EngineError) => {
    assert.equal(error.status, 503);
    assert.match(error.message, /moved to another store at \[2026.*this was not done/);
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
  const news = new DocumentNews(records, 100, { ...silent, waits: () => {} }, { look: async () => fence });
  const telling = news.tell(all(change(1)));
  await assert.rejects(news.requireRoom(), { type: 'records_moved_exception' });
  fence = undefined;
  await telling;
  await news.requireRoom();
  assert.deepEqual([told, news.lost], [[1], 0]);
});

/** Records that write down what they are asked for. */
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

const noting = (areThere: boolean): Noting => ({ followers: { areThere: async () => areThere }, leaseMs: 1 });
const about = { documents: [{ kind: 'index', index: 'a', id: '1' }] } as const;

test('while somebody follows a write is noted before it is sent, and the note goes with its event', async () => {
  for (const isFollowed of [true, false]) {
    const records = ledger();
    const news = new DocumentNews(records, 9, silent, undefined, noting(isFollowed));
    assert.equal(await news.areFollowed(), isFollowed);
    const send = async (): Promise<number> => records.did.push('send');
    await news.write(isFollowed ? about : {}, send, () => all(change(1)));
    assert.deepEqual(
      records.did,
      isFollowed ? ['outbox.intend +1', 'send', 'outbox.documents 1 -1'] : ['send', 'outbox.documents 1'],
    );
  }
});

test('a note stays where nobody knows what was done, and goes where nothing was', async () => {
  const cases: [() => Promise<Told>, string[]][] = [
    [async () => ({ changes: [change(1)], isAll: false }), ['outbox.documents 1']],
    [async () => all(), ['outbox.documents -1']],
    [() => Promise.reject(new EngineError('timeout_exception', 'late')), []],
    [() => Promise.reject(new NothingDone('no_node_available_exception', 'x')), ['outbox.documents -1']],
  ];
  for (const [send, expected] of cases) {
    const records = ledger();
    const news = new DocumentNews(records, 9, silent, undefined, noting(true));
    await news.write(about, send, (told) => told).catch(() => {});
    await news.close();
    assert.deepEqual(records.did, ['outbox.intend +1', ...expected]);
  }
});

test('what cannot be noted is not sent', async () => {
  const records = ledger((name) => name === 'outbox.intend');
  const news = new DocumentNews(records, 9, silent, undefined, noting(true));
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
  const look = async (): Promise<RecordsFence | undefined> => (isGone ? fence : undefined);
  const untold = { ...silent, waits: () => {} };
  const news = new DocumentNews(records, 9, untold, { look }, noting(true));
  const send = async (): Promise<void> => {
    isGone = true;
  };
  await news.write(about, send, () => all(change(1)));
  assert.deepEqual([news.lost, news.waiting], [0, 0]);
});

test('without records there is nobody to tell', async () => {
  await new DocumentNews(undefined, 1, silent).tell(all(change(1), change(2)));
});
