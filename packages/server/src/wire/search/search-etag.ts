// The entity tags of searches by GET and QUERY. A client that already has this page of this commit gets 304, and no
// search runs.

import { hash, randomBytes } from 'node:crypto';
import { matchesTag } from '../../http/entity-tags.ts';
import { chain, type MaybePromise } from '../../sync-first.ts';
import type { Reply, Services } from '../router/route.ts';
import type { SearchCall, SearchSpec } from './body/search-spec.ts';
import { numberOf, type TranslatedSearch } from './translated-searches.ts';

/** Numbers of objects mean nothing in another run of the server. */
const RUN = randomBytes(9).toString('base64url');

/** Words of searches whose results change with time or by chance. */
const UNSTEADY = /now|random|currentTimeMillis/;

/**
 * The tag of a search: of the caller, the request, the commit and the indices. Undefined for other methods, and for searches whose
 * results depend on more than these. O(body).
 */
function searchEtag(
  call: SearchCall,
  services: Services,
  { target, isFixed }: TranslatedSearch,
  spec: SearchSpec,
): string | undefined {
  const { method, uri = '', queryString, body } = call;
  if (method !== 'GET' && method !== 'QUERY') return undefined;
  if (!isFixed || spec.timeoutMs !== undefined || spec.profile) return undefined;
  const text = `${queryString}\n${Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')}`;
  if (UNSTEADY.test(text)) return undefined;
  const commit = spec.asOf ?? services.engine.snapshot();
  const indices = target.infos.map(numberOf).join();
  const state = `${RUN} ${numberOf(services)} ${commit} ${indices}`;
  return `W/"${hash('sha256', `${state} ${uri}?${text}`, 'base64url').slice(0, 22)}"`;
}

/** Answers a search, or replies 304. */
export function answerUnlessKnown(
  call: SearchCall,
  services: Services,
  translated: TranslatedSearch,
  spec: SearchSpec,
  answer: () => MaybePromise<Reply>,
): MaybePromise<Reply> {
  const tag = searchEtag(call, services, translated, spec);
  if (tag === undefined) return answer();
  const headers = { etag: tag, 'cache-control': 'private, no-cache' };
  const known = call.headers?.['if-none-match'];
  if (matchesTag(Array.isArray(known) ? known.join() : known, tag)) return { status: 304, headers };
  // The tag does not know the cluster settings that indices may fail by.
  return chain(answer(), (reply) =>
    reply.failedIndices !== undefined ? reply : { ...reply, headers: { ...reply.headers, ...headers } },
  );
}
