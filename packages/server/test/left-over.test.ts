// Notes of writes whose server has ended: each becomes an event as soon as its own documents can be read,
// whatever the others do.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { beginIntents, dueIntents, eventsAfter, type IntendedDocument, takeIntents } from '@octavo/records';
import { PendingIntents } from '../src/proxy/change-events/pending-intents.ts';
import type { PeerCluster } from '../src/proxy/client/peer-cluster.ts';
import type { ClusterCatalog } from '../src/proxy/request/cluster-catalog.ts';
import { eventually } from './eventually.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());

const ALIASES: Record<string, Record<string, object>> = {
  open: { both: { isWriteIndex: true } },
  closed: { both: {} },
};
const catalog = {
  engine: async () => ({
    indices: {
      info: (name: string) => (name in ALIASES ? { aliases: ALIASES[name] } : undefined),
      names: () => Object.keys(ALIASES),
    },
  }),
} as unknown as ClusterCatalog;

/** Says of each index what an OpenSearch says; of documents whose id begins with `no` that they are not there. */
const errors: Record<string, object> = {
  closed: { type: 'index_closed_exception', reason: 'closed' },
  routed: { type: 'routing_missing_exception', reason: 'routing is required' },
  stream: { type: 'index_not_found_exception', reason: 'no such index [null]', excluded_ds: 'true' },
  several: { type: 'illegal_argument_exception', reason: 'more than one index' },
};
const cluster = {
  requestJson: async ({ body }: { body: Buffer }) => {
    const { docs } = JSON.parse(body.toString('utf8')) as { docs: { _index: string; _id: string }[] };
    // The answer to some questions never comes.
    if (docs.some(({ _id }) => _id === 'cut')) throw new Error('the connection was cut');
    return {
      docs: docs.map((doc) => {
        const error = errors[doc._index];
        if (error !== undefined) return { ...doc, error };
        return doc._id.startsWith('no')
          ? { ...doc, found: false }
          : { ...doc, found: true, _seq_no: 1, _version: 1 };
      }),
    };
  },
} as unknown as PeerCluster;

const DAY = 86_400_000;
let noted = 0;
let now = (): number => Date.now();
/** Looks until `tells` throws nothing of what is told; `failures` are the lines of the log. */
async function looking(
  notes: readonly (readonly IntendedDocument[])[],
  tells: (told: readonly string[], failures: readonly string[]) => void,
): Promise<void> {
  const start = records.lastEvent();
  const intents = notes.map((documents) => ({ id: `note ${++noted}`, documents }));
  await records.write(beginIntents, { intents, leaseMs: 0 });
  const failures: string[] = [];
  const report = (thrown: unknown): void => void failures.push((thrown as Error).message);
  const finder = new PendingIntents({
    ...{ records, cluster, catalog, leaseMs: 40, giveUpMs: DAY, now },
    report,
  });
  try {
    await eventually(async () => tells((await toldAfter(start)).toSorted(), failures));
  } finally {
    await finder.close();
  }
  // What came until it had ended is no more than that.
  tells((await toldAfter(start)).toSorted(), failures);
}

async function toldAfter(start: bigint): Promise<string[]> {
  const events = await records.read(eventsAfter, { after: start, limit: 1_000 });
  return events.map(({ type, subject }) => `${type.replace('document.', '')} ${subject}`);
}

const write = (index: string, id: string): IntendedDocument => ({ kind: 'index', index, id });

test('a document that nobody can look at now holds up no other, and is told when it can be', async () => {
  // More notes than are taken at once, the bad ones first; each is due again and again.
  const bad = Array.from({ length: 9 }, (_, i) => [write('closed', `k${i}`)]);
  await looking(
    [
      [write('closed', 'a1'), write('open', 'a2')],
      ...bad,
      ...Array.from({ length: 10 }, (_, i) => [write('open', `b${i}`)]),
    ],
    (told, [failure = '']) => {
      assert.deepEqual(told, [
        'indexed open/a2',
        ...Array.from({ length: 10 }, (_, i) => `indexed open/b${i}`),
      ]);
      assert.match(failure, /\[closed\/[ak]\d\] now and is asked again: closed/);
    },
  );
  const closed = errors['closed']!;
  delete errors['closed'];
  await looking([], (told) =>
    assert.deepEqual(told, [
      'indexed closed/a1',
      ...bad.map(([{ id } = { id: '' }]) => `indexed closed/${id}`),
    ]),
  );
  assert.equal(await records.read(dueIntents, { limit: 9 }), 0);
  errors['closed'] = closed;
});

test('a note without any answer holds up no other', async () => {
  await looking(
    [
      ...Array.from({ length: 9 }, () => [write('open', 'cut')]),
      [write('open', 'c1')],
      [write('open', 'c2')],
    ],
    (told) => assert.deepEqual(told, ['indexed open/c1', 'indexed open/c2']),
  );
});

test('what cannot be found by its id is told by its index; what was refused is not', async () => {
  await looking(
    [
      [write('routed', 'd1'), { kind: 'delete', index: 'routed', id: 'd2' }, write('open', 'd3')],
      [write('stream', 'd4'), write('stream', 'd5')],
      [write('several', 'd6')],
      [write('gone', 'no')],
    ],
    (told, failures) => {
      assert.deepEqual(told, ['changed several', 'changed stream', 'indexed open/d3']);
      assert.match(
        failures.join(),
        /routed\/d1\] is not published: without a routing it cannot have been written/,
      );
    },
  );
});

test('of an alias over several indices, each is looked at when it can be, and told once', async () => {
  const both = (told: readonly string[]): void =>
    assert.deepEqual(told, ['indexed open/e1', 'indexed open/e2']);
  await looking([[write('both', 'e1')], [write('open', 'e2')]], both);
  // What is left of it is due again, before what is noted now.
  await new Promise((resolve) => setTimeout(resolve, 50));
  await looking([[write('open', 'e3')]], (told) => assert.deepEqual(told, ['indexed open/e3']));
});

test('what nobody could look at for as long as events are kept is told by its index, and the note ends', async (t) => {
  await looking(
    [[write('closed', 'f1'), write('closed', 'f2')], [write('both', 'f3')], [write('open', 'f4')]],
    (told) => assert.deepEqual(told, ['indexed open/f3', 'indexed open/f4']),
  );
  now = () => Date.now() + DAY;
  t.after(() => {
    now = () => Date.now();
  });
  await looking([[write('open', 'f5')]], (told, failures) => {
    // With what was left of the test before.
    assert.deepEqual(told, [...Array(3).fill('changed closed'), 'indexed open/f5']);
    assert.match(
      failures.join(),
      /for a write begun at 2.* only a change of its index is published: .*\[closed\/f1\]/,
    );
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const left = await records.write(takeIntents, { limit: 100, leaseMs: DAY });
  assert.deepEqual(
    new Set(left.flatMap(({ documents = [] }) => documents.map(({ id }) => id))),
    new Set(['cut']),
  );
});
