// Templates: what new indices start with.

import type { Route } from '../router/route.ts';
import { composableRoutes } from './composable.ts';
import { legacyRoutes } from './legacy.ts';
import { simulateRoutes } from './simulate.ts';

export { applyTemplates, type IndexBody } from './apply.ts';
export { indexDefaults } from './defaults.ts';

/** `_template`, `_index_template`, `_component_template`. */
export const templateRoutes: readonly Route[] = [...legacyRoutes, ...composableRoutes, ...simulateRoutes];
