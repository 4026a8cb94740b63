// The memo of translated searches. The pages of a list are requested with bodies that differ only in the position
// of the page, so such a body is checked and translated for the engine once. The request has a
// `shape`, by which the engine finds the plan and order of other pages.
//
//   key           the caller, the index, the query string, and the body without `from`, `page`, `search_after` and tokens
//   value         the rest of the search, which does not depend on the position
//   bound         MIN_ENTRIES for all callers together, up to twice as many, the least recently used are dropped; bodies of MOST_BYTES
//   invalidation  an index that is changed in any way is another object (`Indices.info`)
//   benefit       a random page of 20 takes 25 µs of CPU, 70 without
//
// Cutting the position out of the bytes, without parsing the rest, would save another 3 µs.

import { type JsonObject, type SearchRequest, stringifyJson } from '@octavo/engine';
import QuickLRU from 'quick-lru';
import type { Target } from '../resolve/target.ts';
import type { Services } from '../router/route.ts';
import { readSearchMember } from './body/search-body.ts';
import { buildListRequest, checkSpec } from './body/search-request.ts';
import { type SearchCall, type SearchSpec, TOKEN_NAMES } from './body/search-spec.ts';
import { PageWriter } from './page/page-writer.ts';

/** Longer bodies are parsed each time. */
const MOST_BYTES = 4_096;
/** At least so many searches are kept, at most twice as many (quick-lru). A search takes a few KB. */
const MIN_ENTRIES = 1_000;

/** A translated search without its position. Immutable. */
export interface TranslatedSearch {
  readonly spec: SearchSpec;
  readonly target: Target;
  /** The request for the whole list: without position, snapshot and caller. */
  readonly list: SearchRequest;
  readonly writer: PageWriter;
  /** False if its query looks up values in other documents, which is done for each page. */
  readonly isFixed: boolean;
}

/** Translates a search for the engine, after `readSearch` has parsed it. */
export function translateSearch(spec: SearchSpec, target: Target, services: Services): TranslatedSearch {
  const request = buildListRequest(spec, target, services);
  const isFixed =
    request.query === spec.query &&
    request.postFilter === spec.postFilter &&
    request.aggregations === spec.aggregations;
  const list = isFixed ? { ...request, shape: {} } : request;
  return { spec, target, list, writer: new PageWriter(target, spec), isFixed };
}

/** Searches with one of these parameters (the position of the page, or a scroll) are parsed each time. */
const UNKEYED_PARAMS = ['from', 'page', ...TOKEN_NAMES, 'scroll'] as const;
/** Members of a body that set the position of the page. */
const POSITION: readonly string[] = ['from', 'page', 'search_after', ...TOKEN_NAMES];

/** The key of a search in the memo; undefined if it is parsed each time. O(body). */
export function searchKey(call: SearchCall, body: JsonObject, services: Services): string | undefined {
  const { path, params, queryString } = call;
  const { index } = path;
  if (index === undefined || path['type'] !== undefined || call.body.length > MOST_BYTES) return undefined;
  if (queryString !== '' && UNKEYED_PARAMS.some((name) => params.has(name))) return undefined;
  let key = `${numberOf(services)} ${index}?${queryString}`;
  for (const name in body)
    if (!POSITION.includes(name)) key += `\n${stringifyJson(name)}:${stringifyJson(body[name]!)}`;
  return key;
}

/** The spec with the position of a body. Throws for positions that exclude each other. */
export function withPosition(spec: SearchSpec, body: JsonObject, services: Services): SearchSpec {
  const out = { ...spec };
  for (const name of POSITION) if (body[name] !== undefined) readSearchMember(out, body, name);
  checkSpec(out, services);
  return out;
}

const memo = new QuickLRU<string, TranslatedSearch>({ maxSize: MIN_ENTRIES });

/** The search under a key, if it is still valid. */
export function findTranslated(key: string, { engine }: Services): TranslatedSearch | undefined {
  const found = memo.get(key);
  if (found === undefined) return undefined;
  const [info] = found.target.infos;
  if (engine.indices.info(info!.name) === info) return found;
  memo.delete(key);
  return undefined;
}

/**
 * Remembers a search. Only searches of one index that is named itself (no alias, no wildcard): they become
 * invalid only when that index changes.
 */
export function rememberTranslated(key: string, index: string, translated: TranslatedSearch): void {
  const { spec, target, isFixed } = translated;
  if (!isFixed || target.indices.length !== 1 || target.indices[0] !== index || target.filters !== undefined)
    return;
  memo.set(key, { ...translated, spec: { ...spec, ...FIRST_PAGE } });
}

const FIRST_PAGE: Pick<SearchSpec, 'from' | 'page' | 'searchAfter' | 'nextToken' | 'prevToken'> = {
  from: undefined,
  page: undefined,
  searchAfter: undefined,
  nextToken: undefined,
  prevToken: undefined,
};

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** A number for each object, such as a caller, or an index in one state: an index that is changed in any way is another object. */
export function numberOf(object: object): number {
  let number = numbers.get(object);
  if (number === undefined) numbers.set(object, (number = ++lastNumber));
  return number;
}
