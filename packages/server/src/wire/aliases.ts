// Aliases: other names of indices.

import { aliasRoutesByPath } from './aliases/put.ts';
import { updateRoutes } from './aliases/update.ts';
import type { Route } from './route.ts';

/** `_alias` and `_aliases`. */
export const aliasRoutes: readonly Route[] = [...aliasRoutesByPath, ...updateRoutes];
