// The `_search` endpoints. A search is taken from the memo of translated searches, or translated. Then the position
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
import { findMalformation } from './search-errors.ts';
import { answerUnlessKnown } from './search-etag.ts';
import {
  findTranslated,
  rememberTranslated,
  searchKey,
  type TranslatedSearch,
  translateSearch,
  withPosition,
} from './translated-searches.ts';

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
  const translated = key === undefined ? undefined : findTranslated(key, services);
  if (translated === undefined) return readAndAnswer(call, services, body, key, started);
  return rescue(
    () =>
      answerTranslated(call, services, translated, withPosition(translated.spec, body, services), started),
    (thrown) => {
      // Reading the whole body again gives the error its line and column.
      if (thrown instanceof EngineError && hasLocation(thrown))
        return readAndAnswer(call, services, body, undefined, started);
      throw thrown;
    },
  );
}

/** Reads the body of a search and answers it. The translated search is remembered under the key, if it has one. */
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
  const translated = translateSearch(spec, target, services);
  if (key !== undefined) rememberTranslated(key, call.path['index']!, translated);
  return answerTranslated(call, services, translated, spec, started);
}

/** Answers a translated search at the position of its spec. */
function answerTranslated(
  call: SearchCall,
  services: Services,
  translated: TranslatedSearch,
  spec: SearchSpec,
  started: number,
): MaybePromise<Reply> {
  const { target, list, writer } = translated;
  if (spec.asOf !== undefined) services.snapshots.require(spec.asOf);
  const request = atPosition(list, spec, call, services.limits);
  return answerUnlessKnown(call, services, translated, spec, () =>
    searchReply({ call, services, target, spec, request, writer, started }),
  );
}
