// Which endpoints does a reading thread answer by itself? Those that look at documents as they are now: searches, counts,
// single documents. All others are the writing thread's.

import { Elsewhere } from '@octavo/engine';
import { documentRoutes } from '../wire/documents/documents.ts';
import { mgetRoutes } from '../wire/documents/mget.ts';
import type { Route } from '../wire/router/route.ts';
import { ROUTES } from '../wire/routes.ts';
import { countRoutes } from '../wire/search/count.ts';
import { msearchRoutes } from '../wire/search/msearch.ts';
import { searchRoutes } from '../wire/search/search.ts';

/** The endpoints. */
const READS: ReadonlySet<Route> = new Set([
  ...searchRoutes,
  ...countRoutes,
  ...mgetRoutes,
  ...msearchRoutes,
  ...documentRoutes.filter(({ methods }) => methods.includes('GET')),
]);

/** What only the writing thread answers stays in the table: it decides which path means what. */
export const READING_ROUTES: readonly Route[] = ROUTES.map((route) =>
  READS.has(route)
    ? route
    : {
        ...route,
        handle: () => {
          throw new Elsewhere(`answers ${route.path}`);
        },
      },
);

/** True for requests that are worth trying on a reading thread: a scroll would hold a snapshot. */
export function isReadingRequest(route: Route | undefined, url: string): boolean {
  return route !== undefined && READS.has(route) && !/[?&]scroll=/.test(url);
}
