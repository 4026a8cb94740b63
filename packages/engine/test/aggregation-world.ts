// Random indices for tests of aggregations: several leaves, sealed or not, deletions, missing and multiple
// values, a field that one index does not map. `checkTwin` compares the results with those of a naive twin over
// the plain documents.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type {
  AggregationMembers,
  AggregationResult,
  AggregationResults,
  AggregationValue,
  SearchRequest,
} from '../src/api.ts';
import type { JsonObject } from '../src/json/value.ts';
import type { IndexView } from '../src/query/plan/index-view.ts';
import type { SearchServices } from '../src/search/services.ts';
import { executeSearch } from './execute-search.ts';
import { makeView } from './query-world.ts';
import { worldServices } from './search-world.ts';

/** A document of the random indices. `d` are milliseconds. */
export interface TwinDoc {
  readonly n?: readonly number[];
  readonly f?: readonly number[];
  readonly k?: readonly string[];
  readonly d?: readonly number[];
  readonly b?: boolean;
  readonly ip?: string;
}

/** An index with the documents that are alive, in their order. */
export interface TwinIndex {
  readonly view: IndexView;
  readonly docs: readonly TwinDoc[];
}

const FIELDS: JsonObject = {
  n: { type: 'long' },
  f: { type: 'double' },
  k: { type: 'keyword' },
  d: { type: 'date' },
  b: { type: 'boolean' },
  ip: { type: 'ip' },
};

const many = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(value, { minLength: 1, maxLength: 3 });
const DAY = 86_400_000;

const document: fc.Arbitrary<TwinDoc> = fc.record(
  {
    n: many(fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constant(40))),
    f: many(fc.constantFrom(-2.5, -0.5, 0.25, 1, 3.75, 100)),
    k: many(fc.constantFrom('a', 'b', 'B', 'ä', '', 'abc', 'zz')),
    d: many(fc.integer({ min: 0, max: 90 }).map((days) => 1_700_000_000_000 + days * DAY)),
    b: fc.boolean(),
    ip: fc.constantFrom('::1', '10.0.0.1', '10.0.0.2', '192.168.1.1'),
  },
  { requiredKeys: [] },
);

const layout = fc.array(fc.constantFrom(1, 2, 5, -1, -3, -8, -30), { minLength: 1, maxLength: 5 });

/** An index of at most 40 documents, of which some are deleted. */
function indexArbitrary(name: string): fc.Arbitrary<TwinIndex> {
  return fc
    .record({
      all: fc.array(fc.record({ doc: document, dead: fc.nat(4).map((n) => n === 0) }), { maxLength: 40 }),
      layout,
      unmapped: fc.constantFrom('', '', 'n', 'k', 'd'),
    })
    .map(({ all, layout, unmapped }) => {
      const properties = Object.fromEntries(Object.entries(FIELDS).filter(([field]) => field !== unmapped));
      const docs = all.map(({ doc, dead }) => ({ doc: without(doc, unmapped), dead }));
      const sources = docs.map(({ doc }, i) => ({ id: `${name}${i}`, source: doc }));
      const view = makeView({ properties }, sources, layout);
      const dead = docs.flatMap((each, i) => (each.dead ? [i] : []));
      return {
        view: { ...view, name, uuid: `uuid-${name}`, leaves: withDeaths(view, dead) },
        docs: docs.filter((each) => !each.dead).map(({ doc }) => doc),
        [fc.toStringMethod]: () => JSON.stringify({ name, docs, layout, unmapped }),
      };
    });
}

function without(doc: TwinDoc, field: string): TwinDoc {
  return Object.fromEntries(Object.entries(doc).filter(([name]) => name !== field)) as TwinDoc;
}

function withDeaths({ leaves }: IndexView, dead: readonly number[]): IndexView['leaves'] {
  let base = 0;
  return leaves.map((view) => {
    const { leaf, docCount } = view;
    const own = dead.filter((doc) => doc >= base && doc < base + docCount).map((doc) => doc - base);
    base += docCount;
    for (const doc of own) leaf.deaths.append(doc, 1_000);
    return {
      ...view,
      live: leaf.deaths.liveAt(1_000),
      liveCount: docCount - own.length,
      deathCount: own.length,
    };
  });
}

/** One or two indices. */
export const twinIndices: fc.Arbitrary<readonly TwinIndex[]> = fc.oneof(
  indexArbitrary('left').map((index) => [index]),
  fc.tuple(indexArbitrary('left'), indexArbitrary('right')),
);

/** Runs aggregations over indices. */
export async function aggregate(
  indices: readonly TwinIndex[],
  aggregations: JsonObject,
  request: Partial<SearchRequest> = {},
  services: SearchServices = worldServices(),
): Promise<AggregationResults> {
  const views = indices.map(({ view }) => view);
  const names = views.map(({ name }) => name);
  const whole = { indices: names, size: 0, aggregations, ...request };
  return (await executeSearch(views, whole, services, 0)).aggregations!;
}

/** Results as plain values, as they are printed but for the spelling of numbers. */
export function plainResults(results: AggregationResults): Record<string, unknown> {
  return Object.fromEntries(Array.from(results, ([name, result]) => [name, plainResult(result)]));
}

function plainResult(result: AggregationResult): Record<string, unknown> {
  switch (result.shape) {
    case 'metric':
      return plainMembers(result.members);
    case 'hits':
      return { hits: result.result.hits.map(({ id }) => id), total: result.result.total?.value };
    case 'bucket':
      return {
        doc_count: result.docCount,
        ...plainMembers(result.extra ?? {}),
        ...plainResults(result.aggregations),
      };
    case 'buckets': {
      const buckets = result.buckets.map((bucket) => ({
        ...plainMembers(bucket.members),
        doc_count: bucket.docCount,
        ...plainMembers(bucket.extra ?? {}),
        ...plainResults(bucket.aggregations),
      }));
      const named = result.buckets.map(({ name }, i) => [name, buckets[i]]);
      return {
        ...plainMembers(result.head),
        buckets: result.keyed ? Object.fromEntries(named) : buckets,
        ...plainMembers(result.tail ?? {}),
      };
    }
  }
}

function plainMembers(members: AggregationMembers): Record<string, unknown> {
  const known = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [name, plainValue(value!)]));
}

function plainValue(value: AggregationValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as AggregationValue[]).map(plainValue);
  return plainMembers(value as AggregationMembers);
}

/** Whether any index maps a field. */
export function isMapped(indices: readonly TwinIndex[], field: string): boolean {
  return indices.some(({ view }) => view.mapping.field(field) !== undefined);
}

/** All living documents of some indices. */
export function docsOf(indices: readonly TwinIndex[]): TwinDoc[] {
  return indices.flatMap(({ docs }) => docs);
}

/** The values of a numeric field in a document: booleans are 0 and 1. */
export function numbersOf(doc: TwinDoc, field: 'n' | 'f' | 'd' | 'b'): number[] {
  const value = doc[field];
  if (value === undefined) return [];
  return typeof value === 'boolean' ? [value ? 1 : 0] : [...value].sort((a, b) => a - b);
}

/** How a twin is compared. */
interface TwinOptions {
  readonly numRuns?: number;
  readonly request?: Partial<SearchRequest>;
  /** Members of results that the twin does not compute. */
  readonly without?: readonly string[];
  /** Rounds what both sides have. */
  readonly comparable?: (value: unknown, without?: readonly string[]) => unknown;
  /** Fields that some index must map. */
  readonly mapped?: readonly string[];
}

/** Compares the results of one aggregation with those of its twin over random indices. */
export async function checkTwin(
  aggregation: JsonObject,
  twin: (docs: readonly TwinDoc[], indices: readonly TwinIndex[]) => unknown,
  { numRuns = 60, request = {}, without = [], comparable = rounded, mapped = [] }: TwinOptions = {},
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(twinIndices, async (indices) => {
      fc.pre(mapped.every((field) => isMapped(indices, field)));
      const results = plainResults(await aggregate(indices, { a: aggregation }, request));
      assert.deepEqual(comparable(results['a'], without), comparable(twin(docsOf(indices), indices)));
    }),
    { numRuns },
  );
}

/** Sums depend on the order of their parts: numbers are compared by 10 digits. */
function rounded(value: unknown, without: readonly string[] = []): unknown {
  if (typeof value === 'number' && Number.isFinite(value)) return Number(value.toPrecision(10));
  if (Array.isArray(value)) return value.map((each) => rounded(each, without));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !without.includes(name));
  return Object.fromEntries(members.map(([name, each]) => [name, rounded(each, without)]));
}
