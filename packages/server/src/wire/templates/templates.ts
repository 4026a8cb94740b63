// Templates: what new indices start with.

import type { Route } from '../router/route.ts';
import { composableRoutes } from './composable.ts';
import { legacyRoutes } from './legacy.ts';
import { simulateRoutes } from './simulate-index.ts';

export { applyTemplates, type IndexBody } from './apply-templates.ts';
export { indexDefaults } from './index-defaults.ts';

/** `_template`, `_index_template`, `_component_template`. */
export const templateRoutes: readonly Route[] = [...legacyRoutes, ...composableRoutes, ...simulateRoutes];
