// Page source over OpenSearch and Elasticsearch: pages by search_after on a point in time, pages behind a cut
// by a filter. If the cluster has lost the point in time (a node failed, the time ran out), a new one is
// opened. The walk then continues from its sort values, and the page says so. `opensearch.ts` and
// `elasticsearch.ts` adapt the two clients.

import { type Branch, branchesOf, type Cut, cutAt, keysOf, reversed, type Term } from '../cut.ts';
import type { Anchor, Direction } from '../order.ts';
import type { CountingSource, SourcePage } from '../source.ts';
import type { TupleValue } from '../tuple.ts';

/** One key of the order: a field with doc values (numbers, dates, booleans, keywords). */
export interface SearchKey extends Direction {
  readonly field: string;
  /** The format of values in filters: `epoch_millis` for dates whose mapping does not read milliseconds. */
  readonly format?: string;
}

/** One hit, as the cluster sends it. */
export interface SearchHit {
  readonly _id: string;
  readonly _source?: unknown;
  readonly fields?: unknown;
  readonly sort?: readonly unknown[];
}

/** The index, keys and conversions that make a list. */
export interface SearchList<T> {
  readonly index: string;
  /** The filter. @default all documents */
  readonly query?: object;
  readonly keys: readonly SearchKey[];
  /** A unique keyword field that every document has. It breaks ties. */
  readonly id: string;
  /** More of the search body: `_source`, `fields`, `docvalue_fields`. */
  readonly body?: object;
  /** How long a point in time outlives its last page; false: pages see the index as it is. @default '1m' */
  readonly keepAlive?: string | false;
  item(hit: SearchHit): T;
  anchor(item: T): Anchor;
}

/** The calls that both clients offer. Rejections carry the HTTP status in `statusCode`. */
export interface SearchCalls {
  search(body: Readonly<Record<string, unknown>>, index: string | undefined): Promise<unknown>;
  openPit(index: string, keepAlive: string): Promise<string>;
  closePit(id: string): Promise<unknown>;
}

/** A source that holds a point in time until it is closed. */
export interface SearchSource<T> extends CountingSource<T> {
  close(): Promise<void>;
}

interface Reply {
  readonly pit_id?: string;
  readonly hits: { readonly hits: readonly SearchHit[] };
  readonly aggregations?: {
    readonly s?: { readonly buckets: Readonly<Record<string, { doc_count: number }>> };
  };
}

/** A list over the calls of either client. */
export function searchSource<T>(calls: SearchCalls, list: SearchList<T>): SearchSource<T> {
  const { keepAlive = '1m', query = { match_all: {} } } = list;
  const order = keysOf(list.keys);
  const fields: SearchKey[] = [...list.keys, { field: list.id }];
  let pit: Promise<string> | undefined;

  const ask = async (body: Readonly<Record<string, unknown>>): Promise<Reply & { renewed: boolean }> => {
    if (keepAlive === false) return { ...((await calls.search(body, list.index)) as Reply), renewed: false };
    const search = async (id: Promise<string>): Promise<Reply> => {
      const reply = (await calls.search(
        { ...body, pit: { id: await id, keep_alive: keepAlive } },
        undefined,
      )) as Reply;
      if (reply.pit_id !== undefined && pit === id) pit = Promise.resolve(reply.pit_id);
      return reply;
    };
    const opened = pit ?? calls.openPit(list.index, keepAlive);
    pit = opened;
    try {
      return { ...(await search(opened)), renewed: false };
    } catch (error) {
      if (pit === opened) pit = undefined;
      if ((error as { statusCode?: unknown }).statusCode !== 404) throw error;
      pit ??= calls.openPit(list.index, keepAlive);
      return { ...(await search(pit)), renewed: true };
    }
  };

  const filtered = (branches: readonly Branch[]): object => ({
    bool: { filter: [query, anyOf(branches, fields)] },
  });

  const pageOf = async (
    body: Readonly<Record<string, unknown>>,
    size: number,
    backwards: boolean,
  ): Promise<SourcePage<T>> => {
    const sort = (backwards ? reversed(order) : order).map(({ descending = false, nulls = 'last' }, i) => ({
      [fields[i]!.field]: { order: descending ? 'desc' : 'asc', missing: `_${nulls}` },
    }));
    const reply = await ask({ query, ...list.body, ...body, size: size + 1, sort, track_total_hits: false });
    const hits = reply.hits.hits;
    const items = hits.slice(0, size).map((hit) => list.item(hit));
    return {
      items: backwards ? items.reverse() : items,
      more: hits.length > size,
      ...(reply.renewed ? { renewed: true } : {}),
    };
  };

  return {
    anchor: (item) => list.anchor(item),
    page({ at, backwards = false, size }) {
      if (at === undefined) return pageOf({}, size, backwards);
      const { values } = cutAt(at, list.keys, false);
      // Clusters send the nulls of number fields as extreme numbers in `sort`, so a position with nulls needs a filter.
      if (values.includes(null))
        return pageOf(
          { query: filtered(branchesOf(order, cutAt(at, list.keys, !backwards), backwards)) },
          size,
          backwards,
        );
      return pageOf({ search_after: values.map(wire) }, size, backwards);
    },
    pageAtCut: (cut: Cut, size, backwards = false) =>
      pageOf({ query: filtered(branchesOf(order, cut, backwards)) }, size, backwards),
    async count(ranges) {
      const filters = Object.fromEntries(
        ranges.map(({ from, to }, i) => {
          const ends = [
            ...(from === undefined ? [] : [anyOf(branchesOf(order, from), fields)]),
            ...(to === undefined ? [] : [anyOf(branchesOf(order, to, true), fields)]),
          ];
          return [`s${i}`, { bool: { filter: ends } }];
        }),
      );
      const reply = await ask({
        query,
        size: 0,
        track_total_hits: false,
        aggs: { s: { filters: { filters } } },
      });
      const buckets = reply.aggregations?.s?.buckets ?? {};
      return ranges.map((_, i) => buckets[`s${i}`]?.doc_count ?? 0);
    },
    async close() {
      const open = pit;
      pit = undefined;
      if (open !== undefined) await calls.closePit(await open);
    },
  };
}

function anyOf(branches: readonly Branch[], fields: readonly SearchKey[]): object {
  const should = branches.map((branch) => ({
    bool: { filter: branch.map((term) => clause(term, fields[term.key]!)) },
  }));
  return { bool: { should, minimum_should_match: 1 } };
}

function clause(term: Term, { field, format }: SearchKey): object {
  if (!('value' in term)) {
    const exists = { exists: { field } };
    return term.test === 'null' ? { bool: { must_not: [exists] } } : exists;
  }
  const value = wire(term.value);
  const written = format === undefined ? {} : { format };
  if (term.test === 'equal')
    return format === undefined
      ? { term: { [field]: value } }
      : { range: { [field]: { gte: value, lte: value, ...written } } };
  return { range: { [field]: { [term.test === 'less' ? 'lt' : 'gt']: value, ...written } } };
}

/** A sort value in JSON: integers beyond 2^53 as text, dates as milliseconds. Bytes cannot be sorted there. */
function wire(value: TupleValue): unknown {
  if (typeof value === 'bigint') {
    const plain = Number(value);
    return Number.isSafeInteger(plain) ? plain : String(value);
  }
  if (value instanceof Date) return value.getTime();
  if (value instanceof Uint8Array) throw new RangeError('OpenSearch and Elasticsearch cannot sort by bytes.');
  return value;
}
