// Where does page 50,000 begin in a cluster? At an item that is found by counting over ranges of the sort keys, with the
// rank search of the paging library; where very many tie, the last stretch is passed over.

import type { JsonObject, JsonValue } from '@octavo/engine';
import { type Anchor, type CountedSource, type RankAnswer, searchRank } from '@octavo/paging';
import { opensearchSource, type SearchHit, type SearchKey } from '@octavo/paging/opensearch';
import { isObject } from '../../wire/router/json-body.ts';
import { ClusterAnswered } from '../client/cluster.ts';
import { readAnswer } from '../client/node-answer.ts';
import { requestOf } from '../request/forward.ts';
import { narrowedQuery } from '../request/restrictions.ts';
import { printed, type SortEntry } from '../walks/cluster-sort.ts';
import { type ListSearch, refuseUncounted, searchBody } from './list-search.ts';

/** An item of a counted list. */
interface Found extends SearchHit {
  readonly _index: string;
  readonly sort: readonly JsonValue[];
}

/** A key with the type of its field. */
interface CountedKey extends SearchKey {
  readonly type: string;
}

/** Where a page begins: behind these values. */
export interface FarAnchor {
  /** As `search_after` has them, with those that break ties; absent behind the end of the list. */
  readonly anchor: readonly JsonValue[] | undefined;
  /** Searches that were asked. */
  readonly queries: number;
}

/** Items that are passed over rather than searched past; the most that one search gives. */
const NEAR = 500;
const MOST = 9_998;
/** Searches of one jump; beyond them too many items tie. */
const MAX_QUERIES = 60;

const WHOLE: ReadonlySet<string> = new Set(['long', 'integer', 'short', 'byte', 'date']);
const REAL: ReadonlySet<string> = new Set(['double', 'float', 'half_float']);
/** What the clusters write for a whole number that is not there. */
const NO_WHOLE: ReadonlySet<bigint> = new Set([2n ** 63n - 1n, -(2n ** 63n)]);
/** A boolean as one cluster or another writes it into the sort of a hit. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);
const NO_INTEGER: ReadonlySet<bigint> = new Set([2n ** 31n - 1n, -(2n ** 31n)]);

/** Parameters that say what is searched; the others say what is shown of it. */
const SEARCHED: ReadonlySet<string> = new Set([
  ...[
    'allow_no_indices',
    'expand_wildcards',
    'ignore_throttled',
    'ignore_unavailable',
    'preference',
    'routing',
  ],
]);

/** The item before rank `from`. */
export async function farAnchor(list: ListSearch, from: number): Promise<FarAnchor> {
  const { spec, own } = list;
  if (own.length === 0) refuseUncounted('in no order but that of the ids');
  if (spec.minScore !== undefined) refuseUncounted('with [min_score]');
  if (spec.collapse !== undefined) refuseUncounted('with [collapse]');
  const keys = await keysOf(list);
  let queries = 1;
  const counted: CountedSource<Found> = sourceOf(list, keys, () => {
    queries++;
  });
  const [total = 0] = await counted.count([{}]);
  if (from >= total) return { anchor: undefined, queries };
  const first = (await counted.page({ size: 1 })).items[0];
  const last = (await counted.page({ size: 1, backwards: true })).items[0];
  if (first === undefined || last === undefined) return { anchor: undefined, queries };
  const target = from - 1;
  const ends = { first: counted.anchor(first), last: counted.anchor(last) };
  const search = searchRank({ order: keys, total, ...ends, comparesIds: false }, target, NEAR);
  let step = search.next();
  while (!step.done) {
    const question = step.value;
    let answer: RankAnswer;
    if (question.ask === 'counts') answer = await counted.count(question.stretches);
    else {
      const [low] = (await counted.beside(question.from, 1)).items;
      const [high] = (await counted.beside(question.to, 1, true)).items;
      // All of it went away meanwhile: the list is shorter than it was.
      if (low === undefined || high === undefined) return { anchor: undefined, queries };
      answer = [counted.anchor(low), counted.anchor(high)];
    }
    step = search.next(answer);
  }
  const { cut, rank } = step.value;
  const [before = 0, behind = 0] = await counted.count([{ to: cut }, { from: cut }]);
  // A document with several values lies in several stretches, and only one of them is its place.
  if (before + behind > total && before !== rank) refuseUncounted('where documents hold several values');
  let left = target - rank + 1;
  let items = (await counted.beside(cut, Math.min(left, MOST))).items;
  for (;;) {
    const at = items.at(-1);
    if (at === undefined) return { anchor: undefined, queries };
    left -= items.length;
    const anchor = [...at.sort.slice(0, keys.length), at._id, at._index];
    if (left <= 0) return { anchor, queries };
    if (queries >= MAX_QUERIES) refuseUncounted('where so many tie');
    queries++;
    items = await behindAnchor(list, anchor, Math.min(left, MOST));
  }
}

/** The keys of the order, as far as they can be counted by. */
async function keysOf(list: ListSearch): Promise<CountedKey[]> {
  const { own } = list;
  for (const { field, options } of own) {
    if (field.startsWith('_')) refuseUncounted(`in the order of [${field}]`);
    const { missing = '_last', unmapped_type: _, ...others } = options;
    const [odd] = Object.keys(others);
    if (odd !== undefined) refuseUncounted(`in an order with [${odd}]`);
    if (missing !== '_first' && missing !== '_last')
      refuseUncounted('in an order that makes up what is missing');
  }
  const types = await typesOf(list);
  return own.map((entry): CountedKey => keyOf(entry, types.get(entry.field)));
}

function keyOf({ field, descending, options }: SortEntry, type: string | undefined): CountedKey {
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

/** The type of each key; absent where indices differ. One search of the catalog. */
async function typesOf(list: ListSearch): Promise<Map<string, string>> {
  const { asked, own, reach } = list;
  const names = own.map((entry) => entry.field);
  const answer = await asked.cluster.ask(
    requestOf(
      { ...asked, route: asked.route.replace('_search', '_field_caps') },
      {
        method: 'GET',
        index: reach.path ?? reach.names,
        body: NO_BODY,
        without: [...otherParams(asked), 'preference', 'routing'],
        params: { fields: names.join() },
        repeatable: true,
      },
    ),
  );
  if (answer.status >= 400) throw new ClusterAnswered(answer);
  const { fields } = readAnswer(answer.body) as { fields: Record<string, JsonObject> };
  const out = new Map<string, string>();
  for (const name of names) {
    const types = Object.keys(fields[name] ?? {}).filter((type) => type !== 'unmapped');
    if (types.length === 1) out.set(name, types[0]!);
  }
  return out;
}

const NO_BODY = new Uint8Array(0);

function otherParams({ call }: ListSearch['asked']): string[] {
  return [...new URLSearchParams(call.queryString).keys()].filter((name) => !SEARCHED.has(name));
}

/** The list as the library counts it. `counts` is told of each search. */
function sourceOf(list: ListSearch, keys: readonly CountedKey[], counts: () => void): CountedSource<Found> {
  const { asked, reach, body, spec } = list;
  const query = narrowedQuery(body, asked.call.params, reach.narrowing) ?? { match_all: {} };
  const search = async ({ body: question }: { readonly body: JsonObject }): Promise<{ body: unknown }> => {
    counts();
    return { body: await ask(list, question) };
  };
  const never = async (): Promise<never> => {
    throw new Error('no point in time is used here');
  };
  return opensearchSource<Found>({ search, createPit: never, deletePit: never } as never, {
    index: '',
    query: spec.postFilter === undefined ? query : { bool: { filter: [query, spec.postFilter] } },
    keys,
    id: '_id',
    body: { _source: false },
    keepAlive: false,
    item: (hit) => hit as Found,
    anchor: (item): Anchor => ({
      tuple: item.sort.slice(0, keys.length).map((v, i) => keyValue(v, keys[i]!)),
      id: item._id,
    }),
  });
}

async function ask(list: ListSearch, body: JsonObject): Promise<JsonObject> {
  const { asked, reach } = list;
  const answer = await asked.cluster.ask(
    requestOf(asked, {
      index: reach.path,
      body: list.body['pit'] === undefined ? body : { ...body, pit: list.body['pit'] },
      without: otherParams(asked),
      params: { filter_path: 'hits.hits._id,hits.hits._index,hits.hits.sort,aggregations' },
      repeatable: true,
    }),
  );
  if (answer.status >= 400) throw new ClusterAnswered(answer);
  const found = readAnswer(answer.body) as JsonObject;
  // Nothing found is nothing said, under a filter_path.
  return { ...found, hits: { hits: [], ...(isObject(found['hits']) ? found['hits'] : {}) } };
}

async function behindAnchor(list: ListSearch, after: readonly JsonValue[], size: number): Promise<Found[]> {
  const { query, post_filter } = searchBody(list, {});
  const reply = await ask(list, {
    ...(query === undefined ? {} : { query }),
    ...(post_filter === undefined ? {} : { post_filter }),
    _source: false,
    track_total_hits: false,
    size,
    sort: printed(list.order, false),
    search_after: [...after],
  });
  return (reply['hits'] as unknown as { hits: Found[] }).hits;
}

/** A sort value as the library compares it: whole numbers exact, and what stands for nothing as null. */
export function keyValue(value: JsonValue, { type }: Pick<CountedKey, 'type'>): Anchor['tuple'][number] {
  if (value === null) return null;
  // Booleans that are missing come as the whole numbers that stand for nothing.
  if (type === 'boolean') return BOOLEANS.get(String(value)) ?? null;
  if (type === 'keyword') return String(value);
  if (REAL.has(type)) return typeof value === 'string' ? null : Number(value);
  const whole = BigInt(String(value));
  const isNothing = NO_WHOLE.has(whole) || (type !== 'long' && type !== 'date' && NO_INTEGER.has(whole));
  return isNothing ? null : whole;
}
