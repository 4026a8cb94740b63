// Notes of writes whose server has gone: is each told as soon as its own documents can be looked at, whatever the others say?

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { beginIntents, dueIntents, eventsAfter, type IntendedDocument } from '@octavo/records';
import type { ClusterCatalog } from '../src/wire/scaled/catalog.ts';
import type { Cluster } from '../src/wire/scaled/cluster.ts';
import { LeftOver } from '../src/wire/scaled/left-over.ts';
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
  json: async ({ body }: { body: Buffer }) => {
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
} as unknown as Cluster;

let noted = 0;
/** What is told when all that can be looked at was looked at; `failures` are the lines of the log. */
async function looking(
  notes: readonly (readonly IntendedDocument[])[],
  until: (failures: readonly string[]) => Promise<boolean>,
) {
  const start = records.lastEvent();
  const intents = notes.map((documents) => ({ id: `note ${++noted}`, documents }));
  await records.write(beginIntents, { intents, leaseMs: 0 });
  const failures: string[] = [];
  const failed = (thrown: unknown): void => void failures.push((thrown as Error).message);
  const finder = new LeftOver({ records, cluster, catalog, leaseMs: 40, failed });
  for (let i = 0; i < 500 && !(await until(failures)); i++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  await finder.close();
  return { told: await toldAfter(start), failures };
}

async function toldAfter(start: bigint): Promise<string[]> {
  const events = await records.read(eventsAfter, { after: start, limit: 1_000 });
  return events.map(({ type, subject }) => `${type.replace('document.', '')} ${subject}`);
}

const write = (index: string, id: string): IntendedDocument => ({ kind: 'index', index, id });

test('a document that nobody can look at now holds up no other, and is told when it can be', async () => {
  const start = records.lastEvent();
  const all = async (failures: readonly string[]): Promise<boolean> =>
    failures.length > 0 && (await toldAfter(start)).length >= 11;
  // More notes than are taken at once, the bad ones first; each is due again and again.
  const bad = Array.from({ length: 9 }, (_, i) => [write('closed', `k${i}`)]);
  const { told, failures } = await looking(
    [
      [write('closed', 'a1'), write('open', 'a2')],
      ...bad,
      ...Array.from({ length: 10 }, (_, i) => [write('open', `b${i}`)]),
    ],
    all,
  );
  assert.deepEqual(told.toSorted(), [
    'indexed open/a2',
    ...Array.from({ length: 10 }, (_, i) => `indexed open/b${i}`),
  ]);
  assert.match(failures[0]!, /\[closed\/[ak]\d\], it is asked again: closed/);
  const closed = errors['closed']!;
  delete errors['closed'];
  const behind = records.lastEvent();
  const later = await looking([], async () => (await toldAfter(behind)).length >= 10);
  assert.deepEqual(later.told.toSorted(), [
    'indexed closed/a1',
    ...bad.map(([{ id } = { id: '' }]) => `indexed closed/${id}`),
  ]);
  assert.equal(await records.read(dueIntents, { limit: 9 }), 0);
  errors['closed'] = closed;
});

test('a note without any answer holds up no other', async () => {
  const start = records.lastEvent();
  const { told } = await looking(
    [
      ...Array.from({ length: 9 }, () => [write('open', 'cut')]),
      [write('open', 'c1')],
      [write('open', 'c2')],
    ],
    async () => (await toldAfter(start)).length >= 2,
  );
  assert.deepEqual(told.toSorted(), ['indexed open/c1', 'indexed open/c2']);
});

test('what cannot be found by its id is told by its index; what was refused is not', async () => {
  const start = records.lastEvent();
  const { told, failures } = await looking(
    [
      [write('routed', 'd1'), { kind: 'delete', index: 'routed', id: 'd2' }, write('open', 'd3')],
      [write('stream', 'd4'), write('stream', 'd5')],
      [write('several', 'd6')],
      [write('gone', 'no')],
    ],
    async () => (await toldAfter(start)).length >= 3,
  );
  assert.deepEqual(told.toSorted(), ['changed several', 'changed stream', 'indexed open/d3']);
  assert.match(
    failures.join(),
    /routed\/d1\] is not told, for without a routing it cannot have been written/,
  );
});

test('of an alias over several indices, each is looked at when it can be, and told once', async () => {
  const start = records.lastEvent();
  const { told } = await looking([[write('both', 'e1')], [write('open', 'e2')]], async () => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    return (await toldAfter(start)).length >= 2;
  });
  assert.deepEqual(told.toSorted(), ['indexed open/e1', 'indexed open/e2']);
});
