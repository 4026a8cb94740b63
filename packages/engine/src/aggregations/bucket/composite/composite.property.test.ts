// The pages of a composite aggregation, one after the other, are the sorted combinations of plain values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  aggregate,
  docsOf,
  numbersOf,
  plainResults,
  type TwinDoc,
  twinIndices,
} from '../../../../test/aggregation-world.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';

type Key = readonly (string | number | null)[];

interface Page {
  readonly after_key?: JsonObject;
  readonly buckets: { readonly key: Record<string, string | number | null>; readonly doc_count: number }[];
}

const bytewise = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
const DAY = 86_400_000;

/** The sources of the test, with the values of a document. */
const SOURCES: readonly {
  readonly json: JsonObject;
  readonly values: (doc: TwinDoc) => Key;
  readonly sign: 1 | -1;
}[] = [
  { json: { k: { terms: { field: 'k', order: 'desc' } } }, values: (doc) => [...new Set(doc.k)], sign: -1 },
  {
    json: { n: { histogram: { field: 'n', interval: 4 } } },
    values: (doc) => numbersOf(doc, 'n').map((n) => Math.floor(n / 4) * 4),
    sign: 1,
  },
  {
    json: { d: { date_histogram: { field: 'd', fixed_interval: '30d' } } },
    values: (doc) => numbersOf(doc, 'd').map((d) => Math.floor(d / (30 * DAY)) * 30 * DAY),
    sign: 1,
  },
  {
    json: { f: { terms: { field: 'f', missing_bucket: true } } },
    values: (doc) => (doc.f === undefined ? [null] : numbersOf(doc, 'f')),
    sign: 1,
  },
];

function compareValues(a: string | number | null, b: string | number | null, sign: 1 | -1): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  return sign * (typeof a === 'string' ? bytewise(a, String(b)) : a - Number(b));
}

test('pages are the sorted combinations', async () => {
  await fc.assert(
    fc.asyncProperty(
      twinIndices,
      fc.uniqueArray(fc.nat(SOURCES.length - 1), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 7 }),
      async (indices, chosen, size) => {
        const sources = chosen.map((i) => SOURCES[i]!);
        const counts = new Map<string, { key: Key; count: number }>();
        for (const doc of docsOf(indices)) {
          let keys: Key[] = [[]];
          for (const { values } of sources)
            keys = keys.flatMap((key) => values(doc).map((value) => [...key, value]));
          for (const key of keys) {
            const text = JSON.stringify(key);
            counts.set(text, { key, count: (counts.get(text)?.count ?? 0) + 1 });
          }
        }
        const due = [...counts.values()].sort((a, b) => {
          for (const [i, { sign }] of sources.entries()) {
            const order = compareValues(a.key[i]!, b.key[i]!, sign);
            if (order !== 0) return order;
          }
          return 0;
        });
        const walked: { key: Key; count: number }[] = [];
        let after: JsonObject | undefined;
        do {
          const composite: JsonObject = { size, sources: sources.map(({ json }) => json) as JsonValue };
          if (after !== undefined) composite['after'] = after;
          const page = plainResults(await aggregate(indices, { c: { composite } }))['c'] as Page;
          walked.push(
            ...page.buckets.map(({ key, doc_count: count }) => ({ key: Object.values(key), count })),
          );
          after = page.after_key;
        } while (after !== undefined && walked.length <= due.length);
        assert.deepEqual(walked, due);
      },
    ),
    { numRuns: 60 },
  );
});
