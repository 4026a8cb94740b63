// The promises of the store: groups, refusals, mistakes, snapshots, full disks, locks, versions, closing.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { eventsAfter, openRecords, type Records, RecordsError } from '../src/index.ts';
import { recordsPath } from '../src/store/sqlite/connection.ts';
import { big, countTwice, die, fill, later, liar, names, odd, type Step, sneak } from './odd-operations.ts';

const extraOperations = new URL('./odd-operations.ts', import.meta.url).href;
const opened: Records[] = [];
const folders: string[] = [];
after(async () => {
  for (const records of opened) await records.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'octavo-store-'));
  folders.push(made);
  return made;
}

async function open(dir = ':memory:', mostWaiting = 20_000): Promise<Records> {
  const records = await openRecords(dir, { extraOperations, mostWaiting });
  opened.push(records);
  return records;
}

const code = (expected: string) => (error: unknown) =>
  error instanceof RecordsError && error.code === expected;

test('what is refused or fails is undone alone, in a group that commits', async () => {
  const records = await open();
  for (const operation of [odd, liar]) {
    const put = (step: Step): Promise<string> =>
      records.write(operation, { ...step, name: `${operation.name}-${step.name}` });
    const [a, b, c, d, e, f] = await Promise.allSettled([
      put({ name: 'a' }),
      put({ name: 'b', fail: 'refuse' }),
      put({ name: 'c', fail: 'bug' }),
      put({ name: 'd' }),
      put({ name: 'e', fail: 'constraint' }),
      put({ name: 'f' }),
    ]);
    assert.deepEqual(
      [a, b, c, d, e, f].map((one) => one.status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
    );
    assert.ok(b.status === 'rejected' && b.reason instanceof RecordsError);
    assert.deepEqual([b.reason.code, b.reason.field, b.reason.extra], ['item-not-found', 'f', { n: 1 }]);
    assert.ok(c.status === 'rejected' && !(c.reason instanceof RecordsError));
    assert.match(String(c.reason), /a mistake/);
  }
  const left = ['a', 'd', 'f'];
  assert.deepEqual(
    await records.read(names, undefined),
    ['liar', 'put'].flatMap((op) => left.map((name) => `odd-odd.${op}-${name}`)),
  );
  const events = await records.read(eventsAfter, { after: 0n, limit: 100 });
  assert.deepEqual(
    events.map(({ subject }) => subject.at(-1)),
    [...left, ...left],
  );
  assert.deepEqual(
    events.map(({ position }) => position),
    [1n, 2n, 3n, 4n, 5n, 6n],
  );
  assert.equal(records.lastEvent(), 6n);
});

test('what is put off is written with the group, and undone alone where it is wrong', async () => {
  const records = await open();
  const put = (name: string, fail?: Step['fail']): Promise<void> => records.write(later, { name, fail });
  const good = await Promise.allSettled([put('a'), put('b', 'refuse'), put('c')]);
  assert.deepEqual(
    good.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  // A mistake after something was buffered; a row that is refused only when it is written.
  const bad = await Promise.allSettled([
    put('d'),
    put('e', 'bug'),
    records.write(odd, { name: 'f' }),
    put('a'),
    put('g'),
  ]);
  assert.deepEqual(
    bad.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
  );
  const left = ['a', 'c', 'd', 'f', 'g'];
  assert.deepEqual(
    await records.read(names, undefined),
    left.map((name) => `odd-${name}`),
  );
  const events = await records.read(eventsAfter, { after: 0n, limit: 100 });
  assert.deepEqual(
    events.map(({ subject }) => subject),
    left,
  );
});

test('events are told after their commit, until one stops listening', async () => {
  const records = await open();
  const told: bigint[] = [];
  const stop = records.onEvents((upTo) => told.push(upTo));
  await records.write(odd, { name: 'a' });
  await records.write(odd, { name: 'b', fail: 'bug' }).catch(() => {});
  await records.write(odd, { name: 'c' });
  stop();
  await records.write(odd, { name: 'd' });
  assert.deepEqual(told, [1n, 2n]);
});

test('what cannot cross threads fails alone', async () => {
  const records = await open();
  const odds = await Promise.allSettled([
    records.write(odd, { name: 'a', fail: 'uncloneable' }),
    records.write(odd, { name: 'b' }),
    records.write(odd, (() => 1) as unknown as Step),
    records.write(odd, { name: 'c' }),
    records.write({ kind: 'write', name: 'no.such', run: () => 1 }, undefined),
    records.read(sneak, undefined),
  ]);
  assert.deepEqual(
    odds.map(({ status }) => status),
    ['rejected', 'fulfilled', 'rejected', 'fulfilled', 'rejected', 'rejected'],
  );
});

test('a slow read sees one snapshot and stops no write', async () => {
  const records = await open();
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const reading = records.read(countTwice, flag.buffer);
  await Atomics.waitAsync(flag, 0, 0).value;
  for (let i = 0; i < 20; i++) await records.write(odd, { name: String(i) });
  Atomics.store(flag, 0, 2);
  Atomics.notify(flag, 0);
  const [first, second] = await reading;
  assert.equal(first, second);
  assert.equal((await records.read(names, undefined)).length, 20);
});

test('ids and time go on over restarts', async () => {
  const dir = folder();
  let last = '';
  for (let life = 0; life < 3; life++) {
    const records = await open(dir);
    for (let i = 0; i < 10; i++) {
      const id = await records.write(odd, { name: `${life}-${i}` });
      assert.ok(id > last);
      last = id;
    }
    assert.equal(records.lastEvent(), BigInt((life + 1) * 10));
    await records.close();
  }
});

test('a full disk refuses the group; reads go on, and so do writes when there is room', async () => {
  const records = await open();
  await records.write(odd, { name: 'before' });
  await records.write(fill, 2);
  const both = await Promise.allSettled([records.write(odd, { name: 'small' }), records.write(big, 'big')]);
  for (const one of both) assert.ok(one.status === 'rejected' && code('store-full')(one.reason));
  assert.deepEqual(await records.read(names, undefined), ['odd-before']);
  await records.write(fill, undefined);
  await records.write(big, 'big');
  assert.deepEqual(await records.read(names, undefined), ['odd-before', 'odd-big']);
});

test('more calls than may wait are refused, the others are answered', async () => {
  const records = await open(':memory:', 5);
  const all = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) => records.write(odd, { name: String(i) })),
  );
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 5);
  for (const one of all.slice(5)) assert.ok(one.status === 'rejected' && code('store-busy')(one.reason));
});

test('who submits is told once, in turn, and never before it has asked', async () => {
  const records = await open(':memory:', 400);
  const told: string[] = [];
  const finished = Promise.withResolvers<void>();
  const submit = (i: number): void => {
    const tell = (what: string): void => {
      told.push(`${i} ${what}`);
      if (told.length === 300) finished.resolve();
    };
    const step: Step = { name: String(i), ...(i % 7 === 0 ? { fail: 'refuse' as const } : {}) };
    records.submit(odd, step, undefined, {
      done: () => tell('done'),
      failed: (error) => tell((error as RecordsError).code),
    });
  };
  // Some now, some while those are under way: more than share a message.
  for (let i = 0; i < 100; i++) submit(i);
  assert.equal(told.length, 0);
  assert.equal(records.waiting!(), 100);
  setImmediate(() => {
    for (let i = 100; i < 300; i++) submit(i);
  });
  await finished.promise;
  assert.deepEqual(
    told,
    Array.from({ length: 300 }, (_, i) => `${i} ${i % 7 === 0 ? 'item-not-found' : 'done'}`),
  );
  assert.equal(records.waiting!(), 0);
  await records.close();
  const late = await new Promise((done, failed) =>
    records.submit(odd, { name: 'x' }, undefined, { done: failed, failed: done }),
  );
  assert.ok(code('store-failed')(late));
});

test('a thread that dies rejects all who wait, and those who come later', async () => {
  const records = await open();
  await records.write(odd, { name: 'a' });
  const waiting = await Promise.allSettled([
    records.write(odd, { name: 'b' }),
    records.write(die, undefined),
    records.write(odd, { name: 'c' }),
  ]);
  for (const one of waiting) assert.ok(one.status === 'rejected' && code('store-failed')(one.reason));
  await assert.rejects(records.write(odd, { name: 'd' }), code('store-failed'));
  assert.deepEqual(await records.read(names, undefined), ['odd-a']);
});

test('closing answers all who wait, then nobody', async () => {
  const records = await open(folder());
  const writes = Array.from({ length: 50 }, (_, i) => records.write(odd, { name: String(i) }));
  const closing = records.close();
  assert.equal((await Promise.all(writes)).length, 50);
  await closing;
  await assert.rejects(records.write(odd, { name: 'x' }), code('store-failed'));
});

test('one opener at a time, and no database of a later version', async () => {
  const dir = folder();
  const records = await open(dir);
  await assert.rejects(openRecords(dir), /open already/);
  await records.write(odd, { name: 'a' });
  await records.close();
  const database = new DatabaseSync(recordsPath(dir));
  database.exec("INSERT INTO migration (name, time) VALUES ('9999-future', 1)");
  database.close();
  await assert.rejects(openRecords(dir), /newer version of Octavo \(it ran 9999-future\)/);
});
