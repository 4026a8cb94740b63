// The `_search` endpoints. A search is taken from the memo of parsed searches, or translated. Then the position
// of the page is added, and the page is found and written. GET with a body, POST and QUERY mean the same.

import { EngineError, type JsonObject, Turn } from '@octavo/engine';
import { hasLocation } from '../../errors/error-location.ts';
import { type MaybePromise, rescue } from '../../sync-first.ts';
import { searchTarget } from '../resolve/target.ts';
import type { Reply, Route, Services } from '../router/route.ts';
import { resolveScripts } from '../scripts/stored-scripts.ts';
import { readSearchBody } from './body/search-body.ts';
import { SEARCH_PARAMS } from './body/search-params.ts';
import { atPosition, readSearch } from './body/search-request.ts';
import type { SearchCall, SearchSpec } from './body/search-spec.ts';
import { refuseSlice } from './body/slice.ts';
import { searchPit } from './leases/pit.ts';
import { openScroll } from './leases/scroll.ts';
import { searchReply } from './page/search-reply.ts';
import {
  findParsed,
  type ParsedSearch,
  parseSearch,
  rememberParsed,
  searchKey,
  withPosition,
} from './parsed-searches.ts';
import { findMalformation } from './search-errors.ts';
import { answerUnlessKnown } from './search-etag.ts';

/** Parsing a longer body uses up a time slice, so its search begins in a later turn of the event loop. */
const LONG_BYTES = 65_536;

const METHODS = ['GET', 'POST', 'QUERY'] as const;

/** The rows of this family. */
export const searchRoutes: readonly Route[] = [
  '/_search',
  '/{index}/_search',
  '/{index}/_doc/_search',
  '/{index}/{type}/_search',
].map((path) => ({ methods: METHODS, path, params: SEARCH_PARAMS, checkBody, handle: answerSearch }));

function checkBody(call: SearchCall): void {
  const malformation = findMalformation(readSearchBody(call.object()));
  if (malformation !== undefined) throw malformation;
}

/** Answers one search, of `_search` or an item of `_msearch`. */
export function answerSearch(call: SearchCall, services: Services): MaybePromise<Reply> {
  const started = performance.now();
  const body = resolveScripts(services.engine, call.object());
  return call.body.length > LONG_BYTES
    ? new Turn().next().then(() => answerBody(call, services, body, started))
    : answerBody(call, services, body, started);
}

function answerBody(
  call: SearchCall,
  services: Services,
  body: JsonObject,
  started: number,
): MaybePromise<Reply> {
  const key = searchKey(call, body, services);
  const parsed = key === undefined ? undefined : findParsed(key, services);
  if (parsed === undefined) return readAndAnswer(call, services, body, key, started);
  return rescue(
    () => answerParsed(call, services, parsed, withPosition(parsed.spec, body, services), started),
    (thrown) => {
      // Reading the whole body again gives the error its line and column.
      if (thrown instanceof EngineError && hasLocation(thrown))
        return readAndAnswer(call, services, body, undefined, started);
      throw thrown;
    },
  );
}

/** Reads the body of a search and answers it. The parsed search is remembered under the key, if it has one. */
function readAndAnswer(
  call: SearchCall,
  services: Services,
  body: JsonObject,
  key: string | undefined,
  started: number,
): MaybePromise<Reply> {
  const spec = readSearch(body, call.params, services);
  if (spec.pit !== undefined) return searchPit(call, services, spec, spec.pit, started);
  const target = searchTarget(services.engine, call);
  if (call.params.has('scroll')) return openScroll(call, services, spec, target, body, started);
  refuseSlice(spec);
  const parsed = parseSearch(spec, target, services);
  if (key !== undefined) rememberParsed(key, call.path['index']!, parsed);
  return answerParsed(call, services, parsed, spec, started);
}

/** Answers a parsed search at the position of its spec. */
function answerParsed(
  call: SearchCall,
  services: Services,
  parsed: ParsedSearch,
  spec: SearchSpec,
  started: number,
): MaybePromise<Reply> {
  const { target, request: list, writer } = parsed;
  if (spec.asOf !== undefined) services.snapshots.require(spec.asOf);
  const request = atPosition(list, spec, call, services.limits);
  return answerUnlessKnown(call, services, parsed, spec, () =>
    searchReply({ call, services, target, spec, request, writer, started }),
  );
}
