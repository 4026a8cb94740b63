// Finds where a page far down a list begins, by counting ranges of the sort keys with the rank search of the
// paging library. Where very many documents tie, the last part is skipped hit by hit.

import { isObject, type JsonObject, type JsonValue } from '@octavo/engine';
import { type Anchor, type CountingSource, type RankAnswer, searchRank } from '@octavo/paging';
import { opensearchSource, type SearchHit, type SearchKey } from '@octavo/paging/opensearch';
import { parseAnswer } from '../client/node-answer.ts';
import { ClusterErrorAnswer } from '../client/peer-cluster.ts';
import { clusterRequestOf } from '../request/forward.ts';
import { narrowQuery } from '../request/restrictions.ts';
import { printSort, type SortEntry } from '../walks/cluster-sort.ts';
import { clusterSearchBody, type ListSearch, refuseUncounted } from './list-search.ts';

interface CountedHit extends SearchHit {
  readonly _index: string;
  readonly sort: readonly JsonValue[];
}

/** A sort key with the type of its field. */
interface CountedKey extends SearchKey {
  readonly type: string;
}

/** The position a page begins after. */
interface JumpAnchor {
  /** Values for `search_after` including tie breakers; absent beyond the end of the list. */
  readonly anchor: readonly JsonValue[] | undefined;
  /** The number of searches sent. */
  readonly queries: number;
}

/** Skip this many hits rather than search further; the most hits of one search. */
const NEAR_ENOUGH = 500;
const MAX_HITS = 9_998;
/** The most searches of one jump; beyond it too many documents tie. */
const MAX_QUERIES = 60;

const WHOLE: ReadonlySet<string> = new Set(['long', 'integer', 'short', 'byte', 'date']);
const REAL: ReadonlySet<string> = new Set(['double', 'float', 'half_float']);
/** The values the products print for a missing long. */
const MISSING_LONGS: ReadonlySet<bigint> = new Set([2n ** 63n - 1n, -(2n ** 63n)]);
/** Booleans as the products print them in sort values. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);
const MISSING_INTEGERS: ReadonlySet<bigint> = new Set([2n ** 31n - 1n, -(2n ** 31n)]);

/** Parameters that decide what is searched; the others decide what is shown. */
const SEARCH_PARAMS: ReadonlySet<string> = new Set([
  ...[
    'allow_no_indices',
    'expand_wildcards',
    'ignore_throttled',
    'ignore_unavailable',
    'preference',
    'routing',
  ],
]);

/** Finds the hit before rank `from`. */
export async function findAnchor(list: ListSearch, from: number): Promise<JumpAnchor> {
  const { spec, callerSort } = list;
  if (callerSort.length === 0) refuseUncounted('in no order but that of the ids');
  if (spec.minScore !== undefined) refuseUncounted('with [min_score]');
  if (spec.collapse !== undefined) refuseUncounted('with [collapse]');
  const keys = await countableKeys(list);
  let queries = 1;
  const counted: CountingSource<CountedHit> = countedSource(list, keys, () => {
    queries++;
  });
  const [total = 0] = await counted.count([{}]);
  if (from >= total) return { anchor: undefined, queries };
  const first = (await counted.page({ size: 1 })).items[0];
  const last = (await counted.page({ size: 1, backwards: true })).items[0];
  if (first === undefined || last === undefined) return { anchor: undefined, queries };
  const target = from - 1;
  const ends = { first: counted.anchor(first), last: counted.anchor(last) };
  const search = searchRank({ order: keys, total, ...ends, comparesIds: false }, target, NEAR_ENOUGH);
  let step = search.next();
  while (!step.done) {
    const question = step.value;
    let answer: RankAnswer;
    if (question.ask === 'counts') answer = await counted.count(question.ranges);
    else {
      const [low] = (await counted.pageAtCut(question.from, 1)).items;
      const [high] = (await counted.pageAtCut(question.to, 1, true)).items;
      // All documents of the range were deleted meanwhile, so the list is shorter.
      if (low === undefined || high === undefined) return { anchor: undefined, queries };
      answer = [counted.anchor(low), counted.anchor(high)];
    }
    step = search.next(answer);
  }
  const { cut, rank } = step.value;
  const [before = 0, behind = 0] = await counted.count([{ to: cut }, { from: cut }]);
  // A document with several values is counted in several ranges, but has one place in the list.
  if (before + behind > total && before !== rank) refuseUncounted('where documents hold several values');
  let left = target - rank + 1;
  let items = (await counted.pageAtCut(cut, Math.min(left, MAX_HITS))).items;
  for (;;) {
    const at = items.at(-1);
    if (at === undefined) return { anchor: undefined, queries };
    left -= items.length;
    const anchor = [...at.sort.slice(0, keys.length), at._id, at._index];
    if (left <= 0) return { anchor, queries };
    if (queries >= MAX_QUERIES) refuseUncounted('where so many tie');
    queries++;
    items = await hitsAfter(list, anchor, Math.min(left, MAX_HITS));
  }
}

/** The sort keys, if they can be counted. Throws otherwise. */
async function countableKeys(list: ListSearch): Promise<CountedKey[]> {
  const { callerSort } = list;
  for (const { field, options } of callerSort) {
    if (field.startsWith('_')) refuseUncounted(`in the order of [${field}]`);
    const { missing = '_last', unmapped_type: _, ...others } = options;
    const [odd] = Object.keys(others);
    if (odd !== undefined) refuseUncounted(`in an order with [${odd}]`);
    if (missing !== '_first' && missing !== '_last')
      refuseUncounted('in an order with a value for missing fields');
  }
  const types = await fieldTypes(list);
  return callerSort.map((entry): CountedKey => countableKey(entry, types.get(entry.field)));
}

function countableKey({ field, descending, options }: SortEntry, type: string | undefined): CountedKey {
  if (type === undefined || !(WHOLE.has(type) || REAL.has(type) || type === 'keyword' || type === 'boolean'))
    refuseUncounted(`in the order of [${field}] (${type ?? 'of several types, or of none'})`);
  const nulls = options['missing'] === '_first' ? 'first' : 'last';
  return {
    field,
    descending,
    nulls,
    ...(type === 'date' ? { format: 'epoch_millis' } : {}),
    type,
  };
}

/** The type of each sort field; absent if indices differ. One `_field_caps` request. */
async function fieldTypes(list: ListSearch): Promise<Map<string, string>> {
  const { request, callerSort, indices } = list;
  const names = callerSort.map((entry) => entry.field);
  const answer = await request.cluster.request(
    clusterRequestOf(
      { ...request, route: request.route.replace('_search', '_field_caps') },
      {
        method: 'GET',
        index: indices.path ?? indices.pitPath,
        body: NO_BODY,
        without: [...otherParams(request), 'preference', 'routing'],
        params: { fields: names.join() },
        repeatable: true,
      },
    ),
  );
  if (answer.status >= 400) throw new ClusterErrorAnswer(answer);
  const { fields } = parseAnswer(answer.body) as { fields: Record<string, JsonObject> };
  const out = new Map<string, string>();
  for (const name of names) {
    const types = Object.keys(fields[name] ?? {}).filter((type) => type !== 'unmapped');
    if (types.length === 1) out.set(name, types[0]!);
  }
  return out;
}

const NO_BODY = new Uint8Array(0);

function otherParams({ call }: ListSearch['request']): string[] {
  return [...new URLSearchParams(call.queryString).keys()].filter((name) => !SEARCH_PARAMS.has(name));
}

/** The list as the paging library counts it. `counts` is called for each search. */
function countedSource(
  list: ListSearch,
  keys: readonly CountedKey[],
  counts: () => void,
): CountingSource<CountedHit> {
  const { request, indices, body, spec } = list;
  const query = narrowQuery(body, request.call.params, indices.narrowing) ?? { match_all: {} };
  const search = async ({ body: question }: { readonly body: JsonObject }): Promise<{ body: unknown }> => {
    counts();
    return { body: await searchCluster(list, question) };
  };
  const never = async (): Promise<never> => {
    throw new Error('no point in time is used here');
  };
  return opensearchSource<CountedHit>({ search, createPit: never, deletePit: never } as never, {
    index: '',
    query: spec.postFilter === undefined ? query : { bool: { filter: [query, spec.postFilter] } },
    keys,
    id: '_id',
    body: { _source: false },
    keepAlive: false,
    item: (hit) => hit as CountedHit,
    anchor: (item): Anchor => ({
      tuple: item.sort.slice(0, keys.length).map((v, i) => comparableValue(v, keys[i]!)),
      id: item._id,
    }),
  });
}

async function searchCluster(list: ListSearch, body: JsonObject): Promise<JsonObject> {
  const { request, indices } = list;
  const answer = await request.cluster.request(
    clusterRequestOf(request, {
      index: indices.path,
      body: list.body['pit'] === undefined ? body : { ...body, pit: list.body['pit'] },
      without: otherParams(request),
      params: { filter_path: 'hits.hits._id,hits.hits._index,hits.hits.sort,aggregations' },
      repeatable: true,
    }),
  );
  if (answer.status >= 400) throw new ClusterErrorAnswer(answer);
  const found = parseAnswer(answer.body) as JsonObject;
  // With filter_path, an empty result leaves out its members.
  return { ...found, hits: { hits: [], ...(isObject(found['hits']) ? found['hits'] : {}) } };
}

async function hitsAfter(list: ListSearch, after: readonly JsonValue[], size: number): Promise<CountedHit[]> {
  const { query, post_filter } = clusterSearchBody(list, {});
  const reply = await searchCluster(list, {
    ...(query === undefined ? {} : { query }),
    ...(post_filter === undefined ? {} : { post_filter }),
    _source: false,
    track_total_hits: false,
    size,
    sort: printSort(list.sort, false),
    search_after: [...after],
  });
  return (reply['hits'] as unknown as { hits: CountedHit[] }).hits;
}

/** A sort value as the paging library compares it: integers exact, placeholders of missing values as null. */
export function comparableValue(
  value: JsonValue,
  { type }: Pick<CountedKey, 'type'>,
): Anchor['tuple'][number] {
  if (value === null) return null;
  // A missing boolean is printed as the placeholder of a missing integer.
  if (type === 'boolean') return BOOLEANS.get(String(value)) ?? null;
  if (type === 'keyword') return String(value);
  if (REAL.has(type)) return typeof value === 'string' ? null : Number(value);
  const whole = BigInt(String(value));
  const isNothing =
    MISSING_LONGS.has(whole) || (type !== 'long' && type !== 'date' && MISSING_INTEGERS.has(whole));
  return isNothing ? null : whole;
}
