// Aliases: other names of indices.

import type { Route } from '../router/route.ts';
import { aliasRoutesByPath } from './put.ts';
import { updateRoutes } from './update-aliases.ts';

/** `_alias` and `_aliases`. */
export const aliasRoutes: readonly Route[] = [...aliasRoutesByPath, ...updateRoutes];
