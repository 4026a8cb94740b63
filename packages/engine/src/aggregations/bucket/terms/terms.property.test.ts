// Terms have the buckets that counting plain values gives: texts, numbers, dates and addresses, with sub-metrics,
// orders, selections and missing values.

import { test } from 'node:test';
import { checkTwin, isMapped, numbersOf, type TwinDoc } from '../../../../test/aggregation-world.ts';

const bytewise = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

interface Group {
  readonly key: string | number;
  readonly docs: TwinDoc[];
}

/** The documents of each different value. */
function groups(docs: readonly TwinDoc[], valuesOf: (doc: TwinDoc) => readonly (string | number)[]): Group[] {
  const found = new Map<string | number, TwinDoc[]>();
  for (const doc of docs)
    for (const value of new Set(valuesOf(doc))) found.set(value, [...(found.get(value) ?? []), doc]);
  return Array.from(found, ([key, docs]) => ({ key, docs }));
}

const byKey = (a: Group, b: Group): number =>
  typeof a.key === 'number' ? a.key - Number(b.key) : bytewise(a.key, String(b.key));
const byCount = (a: Group, b: Group): number => b.docs.length - a.docs.length || byKey(a, b);

function shown(all: readonly Group[], size: number, more: (group: Group) => object = () => ({})): object {
  const buckets = all.slice(0, size).map((group) => ({
    key: group.key,
    doc_count: group.docs.length,
    ...more(group),
  }));
  const others = all.slice(size).reduce((sum, { docs }) => sum + docs.length, 0);
  return { doc_count_error_upper_bound: 0, sum_other_doc_count: others, buckets };
}

const sumOfF = (docs: readonly TwinDoc[]): number =>
  docs.flatMap((doc) => numbersOf(doc, 'f')).reduce((a, b) => a + b, 0);

test('terms of texts by count, the key breaks ties', async () => {
  await checkTwin({ terms: { field: 'k', size: 3 } }, (docs) =>
    shown(groups(docs, (doc) => doc.k ?? []).sort(byCount), 3),
  );
});

test('terms of texts with a missing value, by key', async () => {
  await checkTwin(
    {
      terms: { field: 'k', missing: 'm', order: { _key: 'desc' }, size: 4 },
      aggs: { s: { sum: { field: 'f' } } },
    },
    (docs) =>
      shown(
        groups(docs, (doc) => doc.k ?? ['m']).sort((a, b) => -byKey(a, b)),
        4,
        ({ docs }) => ({ s: { value: sumOfF(docs) } }),
      ),
  );
});

test('terms of numbers, by a number of a sub-aggregation', async () => {
  await checkTwin(
    { terms: { field: 'n', order: { 's.sum': 'desc' } }, aggs: { s: { stats: { field: 'f' } } } },
    (docs, indices) => {
      const all = groups(docs, (doc) => numbersOf(doc, 'n')).sort(
        (a, b) => sumOfF(b.docs) - sumOfF(a.docs) || byKey(a, b),
      );
      const error = isMapped(indices, 'n') && all.length >= 25 ? -1 : 0;
      return {
        ...shown(all, 10, ({ docs }) => ({ s: statsOf(docs.flatMap((doc) => numbersOf(doc, 'f'))) })),
        doc_count_error_upper_bound: error,
      };
    },
  );
});

function statsOf(values: readonly number[]): object {
  const sum = values.reduce((a, b) => a + b, 0);
  const none = values.length === 0;
  return {
    count: values.length,
    min: none ? null : Math.min(...values),
    max: none ? null : Math.max(...values),
    avg: none ? null : sum / values.length,
    sum,
  };
}

test('terms of terms', async () => {
  await checkTwin({ terms: { field: 'ip' }, aggs: { inner: { terms: { field: 'n', size: 2 } } } }, (docs) =>
    shown(
      groups(docs, (doc) => (doc.ip === undefined ? [] : [doc.ip])).sort(
        (a, b) => b.docs.length - a.docs.length || addressOrder(a, b),
      ),
      10,
      ({ docs }) => ({
        inner: shown(groups(docs, (doc) => numbersOf(doc, 'n')).sort(byCount), 2),
      }),
    ),
  );
});

const ADDRESSES = ['::1', '10.0.0.1', '10.0.0.2', '192.168.1.1'];
const addressOrder = (a: Group, b: Group): number =>
  ADDRESSES.indexOf(String(a.key)) - ADDRESSES.indexOf(String(b.key));

test('include and exclude select terms', async () => {
  await checkTwin({ terms: { field: 'k', include: 'a.*|b', exclude: ['abc'] } }, (docs) =>
    shown(
      groups(docs, (doc) =>
        (doc.k ?? []).filter((k) => k === 'b' || (k.startsWith('a') && k !== 'abc')),
      ).sort(byCount),
      10,
    ),
  );
  await checkTwin({ terms: { field: 'n', include: ['1', '2', '40'], exclude: [2] } }, (docs) =>
    shown(groups(docs, (doc) => numbersOf(doc, 'n').filter((n) => n === 1 || n === 40)).sort(byCount), 10),
  );
});

test('buckets without documents are shown where none are required', async () => {
  const query = { term: { b: true } };
  await checkTwin(
    { terms: { field: 'k', min_doc_count: 0, size: 50 }, aggs: { c: { value_count: { field: 'n' } } } },
    (docs) => {
      const all = groups(docs, (doc) => doc.k ?? []).map(({ key, docs }) => ({
        key,
        docs: docs.filter((doc) => doc.b === true),
      }));
      return shown(all.sort(byCount), 50, ({ docs }) => ({
        c: { value: docs.flatMap((doc) => numbersOf(doc, 'n')).length },
      }));
    },
    { request: { query } },
  );
});

test('empty buckets are shown in each bucket of a level above', async () => {
  const inner = { terms: { field: 'n', min_doc_count: 0, size: 60, order: { _key: 'asc' } } };
  await checkTwin({ filters: { filters: [{ term: { b: true } }] }, aggs: { inner } }, (docs) => {
    const own = docs.filter((doc) => doc.b === true);
    const all = groups(docs, (doc) => numbersOf(doc, 'n')).map(({ key, docs }) => ({
      key,
      docs: docs.filter((doc) => doc.b === true),
    }));
    return { buckets: [{ doc_count: own.length, inner: shown(all.sort(byKey), 60) }] };
  });
});
