// How is a search answered? GET with a body, POST and QUERY are the same; without index, with indices, with a type.

import { searchPit } from './pit.ts';
import type { Call, Reply, Route, Services } from './route.ts';
import { openScroll } from './scroll.ts';
import { SEARCH_PARAMS } from './search/params.ts';
import { engineRequest, readSearch } from './search/request.ts';
import { searchReply } from './search/run.ts';
import { refuseSlice } from './search/slice.ts';
import { searchTarget } from './target.ts';

const METHODS = ['GET', 'POST', 'QUERY'] as const;

/** The rows of this family. */
export const searchRoutes: readonly Route[] = [
  '/_search',
  '/{index}/_search',
  '/{index}/_doc/_search',
  '/{index}/{type}/_search',
].map((path) => ({ methods: METHODS, path, params: SEARCH_PARAMS, handle: answerSearch }));

/** What a search needs of its call; the items of `_msearch` bring it, too. */
export type SearchCall = Pick<Call, 'path' | 'params' | 'signal' | 'object' | 'body' | 'queryString'>;

/** Answers one search. */
export async function answerSearch(call: SearchCall, services: Services): Promise<Reply> {
  const started = performance.now();
  const body = call.object();
  const spec = readSearch(body, call.params, services);
  if (spec.pit !== undefined) return await searchPit(call, services, spec, spec.pit, started);
  const target = searchTarget(services.engine, call);
  if (call.params.has('scroll')) return await openScroll(call, services, spec, target, body, started);
  refuseSlice(spec);
  if (spec.asOf !== undefined) services.walks.require(spec.asOf);
  const request = engineRequest(spec, target, call.signal, services);
  return { body: await searchReply(services, target, spec, request, started) };
}
