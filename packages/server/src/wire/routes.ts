// Which endpoints are there? The families of the search wire, in one list.

import { documentRoutes } from './documents.ts';
import type { Route } from './route.ts';

/** Every endpoint of the search wire. */
export const ROUTES: readonly Route[] = [...documentRoutes];
