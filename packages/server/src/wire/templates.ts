// Templates: what new indices start with.

import type { Route } from './route.ts';
import { composableRoutes } from './templates/composable.ts';
import { legacyRoutes } from './templates/legacy.ts';
import { simulateRoutes } from './templates/simulate.ts';

export { applyTemplates, type IndexBody } from './templates/apply.ts';
export { indexDefaults } from './templates/defaults.ts';

/** `_template`, `_index_template`, `_component_template`. */
export const templateRoutes: readonly Route[] = [...legacyRoutes, ...composableRoutes, ...simulateRoutes];
