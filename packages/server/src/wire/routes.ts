// Which endpoints are there? The families of the search wire, in one list.

import { bulkRoutes } from './bulk.ts';
import { byQueryRoutes } from './by-query.ts';
import { countRoutes } from './count.ts';
import { documentRoutes } from './documents.ts';
import { mgetRoutes } from './mget.ts';
import { pitRoutes } from './pit.ts';
import type { Route } from './route.ts';
import { scrollRoutes } from './scroll.ts';
import { searchRoutes } from './search.ts';

/** Every endpoint of the search wire. */
export const ROUTES: readonly Route[] = [
  ...documentRoutes,
  ...bulkRoutes,
  ...mgetRoutes,
  ...countRoutes,
  ...byQueryRoutes,
  ...searchRoutes,
  ...scrollRoutes,
  ...pitRoutes,
];
