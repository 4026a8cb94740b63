// How is a search answered? GET with a body, POST and QUERY are the same; without index, with indices, with a type.

import { searchPit } from './pit.ts';
import type { Call, Reply, Route, Services } from './route.ts';
import { openScroll } from './scroll.ts';
import { SEARCH_PARAMS } from './search/params.ts';
import { engineRequest, readSearch } from './search/request.ts';
import { searchReply } from './search/run.ts';
import { refuseSlice } from './search/slice.ts';
import { type Asked, answerAgain, askedOf, remember } from './search/templates.ts';
import { searchTarget } from './target.ts';

const METHODS = ['GET', 'POST', 'QUERY'] as const;

/** The route that most searches take. */
export const SEARCH_PATH = '/{index}/_search';

/** The rows of this family. */
export const searchRoutes: readonly Route[] = [
  '/_search',
  SEARCH_PATH,
  '/{index}/_doc/_search',
  '/{index}/{type}/_search',
].map((path) => ({ methods: METHODS, path, params: SEARCH_PARAMS, handle: answerRoute }));

/** Answers a search that was asked before the short way, and others the long one. */
async function answerRoute(call: Call, services: Services): Promise<Reply> {
  const started = performance.now();
  const asked = askedOf(call);
  const again = asked && (await answerAgain(asked, call, services, started));
  return again ?? (await answerSearch(call, services, asked));
}

/** What a search needs of its call; the items of `_msearch` bring it, too. */
export type SearchCall = Pick<
  Call,
  'path' | 'params' | 'signal' | 'isGone' | 'object' | 'body' | 'queryString'
> & {
  /** True for an item, whose reply becomes a part of another. */
  readonly isItem?: true;
};

/** Answers one search; `asked` is remembered once it has an answer. */
export async function answerSearch(call: SearchCall, services: Services, asked?: Asked): Promise<Reply> {
  const started = performance.now();
  const body = call.object();
  const spec = readSearch(body, call.params, services);
  if (spec.pit !== undefined) return await searchPit(call, services, spec, spec.pit, started);
  const target = searchTarget(services.engine, call);
  if (call.params.has('scroll')) return await openScroll(call, services, spec, target, body, started);
  refuseSlice(spec);
  if (spec.asOf !== undefined) services.walks.require(spec.asOf);
  const request = engineRequest(spec, target, call.signal, services);
  const reply = await searchReply(call, services, target, spec, request, started);
  if (asked !== undefined) remember(asked, call, spec, target, services);
  return reply;
}
