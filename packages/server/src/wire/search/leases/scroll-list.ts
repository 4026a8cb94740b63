// The list of a scroll: its request as compact text, shared by all scrolls with the same request, and parsed
// again for a page unless it was parsed recently.

import { flatText, isObject, type JsonObject, parseJson, stringifyJson } from '@octavo/engine';
import QuickLRU from 'quick-lru';
import { parseObjectBody } from '../../../json/json-body.ts';
import type { Target } from '../../resolve/target.ts';
import { QueryParams } from '../../router/query-params.ts';
import type { Services } from '../../router/route.ts';
import { type LookupSource, resolveLookups } from '../body/document-lookups.ts';
import { readSearch } from '../body/search-request.ts';
import { sliceOf } from '../body/slice.ts';
import { type TranslatedSearch, translateSearch } from '../translated-searches.ts';

/** The list of some scrolls. Immutable, shared, and as small as its text. */
export interface ScrollList {
  /** The body, as JSON in UTF-8: a character for each byte. */
  readonly body: string;
  /** The query string. */
  readonly query: string;
  readonly indices: readonly string[];
  /** Filters by index, encoded as the body; empty if there are none. */
  readonly filters: string;
  readonly size: number;
}

function textOf(value: JsonObject): string {
  return Buffer.from(stringifyJson(value)).toString('latin1');
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** At least so many lists are shared and remembered parsed, at most twice as many (quick-lru). */
const MOST_LISTS = 250;
const internedLists = new QuickLRU<string, ScrollList>({ maxSize: MOST_LISTS });

/** The list of a new scroll. Its aggregations are on the first page only. */
export function scrollListOf(whole: JsonObject, query: string, target: Target, size: number): ScrollList {
  const { aggs: _, aggregations: __, ...body } = whole;
  const list: ScrollList = {
    body: textOf(body),
    query: flatText(query),
    indices: target.indices,
    filters: target.filters === undefined ? '' : textOf(Object.fromEntries(target.filters)),
    size,
  };
  const key = `${size}\n${query}\n${list.indices.join()}\n${list.filters}\n${list.body}`;
  const same = internedLists.get(key);
  if (same !== undefined) return same;
  internedLists.set(key, list);
  return list;
}

/**
 * The body with the values that its queries look up in other documents: other values at the next page would give another list. Values of
 * more than so many bytes are not stored, and are looked up for each page.
 */
export function withFixedLookups(body: JsonObject, source: LookupSource, mostBytes: number): JsonObject {
  let out = body;
  for (const member of ['query', 'post_filter']) {
    const query = body[member];
    if (!isObject(query)) continue;
    const found = resolveLookups(query, source);
    if (found !== query) out = { ...out, [member]: found };
  }
  return out === body || stringifyJson(out).length <= mostBytes ? out : body;
}

const parsedLists = new WeakMap<Services, QuickLRU<ScrollList, TranslatedSearch>>();

/** The parsed list; undefined if one of its indices was deleted. */
export function readScrollList(list: ScrollList, services: Services): TranslatedSearch | undefined {
  let lists = parsedLists.get(services);
  if (lists === undefined) parsedLists.set(services, (lists = new QuickLRU({ maxSize: MOST_LISTS })));
  const before = lists.get(list);
  if (before?.target.infos.every((info) => services.engine.indices.info(info.name) === info) === true)
    return before;
  const made = parseScrollList(list, services);
  if (made?.isFixed === true) lists.set(list, made);
  return made;
}

function parseScrollList(list: ScrollList, services: Services): TranslatedSearch | undefined {
  const body = parseObjectBody(bytesOf(list.body), undefined);
  const spec = readSearch(body, new QueryParams(list.query), services);
  // Each page has its own parameter for totals.
  spec.totalAsInt = false;
  const infos = list.indices.map((name) => services.engine.indices.info(name));
  if (!infos.every((info) => info !== undefined)) return undefined;
  const filters =
    list.filters === ''
      ? undefined
      : new Map(Object.entries(parseJson(bytesOf(list.filters)) as Record<string, JsonObject>));
  const target: Target = { infos, indices: list.indices, expression: list.indices, filters };
  const translated = translateSearch(spec, target, services);
  const own = { ...sliceOf(spec, 'scroll'), size: list.size, ignoreWindow: true };
  return { ...translated, list: { ...translated.list, ...own } };
}
