// The endpoints that a reading thread answers by itself: those that read documents as they are now (searches,
// counts, single documents). All other requests are relayed to the writing thread.

import { NeedsWriterThread } from '@octavo/engine';
import { documentRoutes } from '../wire/documents/documents.ts';
import { mgetRoutes } from '../wire/documents/mget.ts';
import type { Route } from '../wire/router/route.ts';
import { ROUTES } from '../wire/routes.ts';
import { countRoutes } from '../wire/search/count.ts';
import { msearchRoutes } from '../wire/search/msearch.ts';
import { searchRoutes } from '../wire/search/search.ts';

/** Endpoints that only read documents. */
const READS: ReadonlySet<Route> = new Set([
  ...searchRoutes,
  ...countRoutes,
  ...mgetRoutes,
  ...msearchRoutes,
  ...documentRoutes.filter(({ methods }) => methods.includes('GET')),
]);

/** All routes; those of the writing thread stay in the table, because the table decides which route a path means. */
export const READING_ROUTES: readonly Route[] = ROUTES.map((route) =>
  READS.has(route)
    ? route
    : {
        ...route,
        handle: () => {
          throw new NeedsWriterThread(`answers ${route.path}`);
        },
      },
);

/**
 * True for requests that a reading thread tries itself. A scroll would hold a snapshot, which only the
 * writing thread can.
 */
export function isReadingRequest(route: Route | undefined, url: string): boolean {
  return route !== undefined && READS.has(route) && !/[?&]scroll=/.test(url);
}
