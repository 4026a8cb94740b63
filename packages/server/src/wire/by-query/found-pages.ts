// The documents of this server that a change by query has found, as they were at the first page.

import type { SearchRequest } from '@octavo/engine';
import { SearchPhaseError } from '../../errors/error-body.ts';
import type { Target } from '../resolve/target.ts';
import type { FoundPages } from '../router/document-pages.ts';
import type { Services } from '../router/route.ts';
import { resolveLookups } from '../search/body/document-lookups.ts';
import type { SearchSpec } from '../search/body/search-spec.ts';
import { sliceOf } from '../search/body/slice.ts';
import { infosByName } from '../search/leases/index-info-memo.ts';
import { contextMissing } from '../search/leases/lease-id.ts';
import { wrapShardErrors } from '../search/search-errors.ts';

/** The snapshot stays so much longer than a page is expected to take. */
const SPARE_MS = 300_000;

/** Pages of the indices of this server. The lease keeps documents from moving up behind deleted ones. */
export function localPages(
  services: Services,
  target: Target,
  spec: SearchSpec,
  signal: AbortSignal,
): FoundPages {
  const { engine, nodeId } = services;
  const { query, sort = ['_doc'], terminateAfter = 0 } = spec;
  const lease = engine.openLease({ kind: 'by-query', keepAliveMs: SPARE_MS });
  const request: SearchRequest = {
    indices: target.indices,
    ...(target.filters === undefined ? {} : { filters: target.filters }),
    ...(query === undefined ? {} : { query: resolveLookups(query, { engine, indices: target.indices }) }),
    sort,
    ...(terminateAfter === 0 ? {} : { terminateAfter }),
    ...sliceOf(spec, 'scroll'),
    snapshot: lease.snapshot,
    now: Date.now(),
    as: infosByName(target.infos),
    ignoreWindow: true,
    signal,
  };
  let from = 0;
  return {
    async next(size, holdMs) {
      if (target.indices.length === 0) return { total: 0, documents: [], more: false };
      if (engine.lease(lease.id, holdMs + SPARE_MS) === undefined)
        throw new SearchPhaseError([{ index: undefined, error: contextMissing(lease.id) }], nodeId);
      const page = await wrapShardErrors(services, target, request, () =>
        engine.search({ ...request, from, size }),
      );
      from += page.hits.length;
      return { total: page.total?.value ?? page.hits.length, documents: page.hits, more: page.more };
    },
    async close() {
      engine.closeLease(lease.id);
    },
  };
}
