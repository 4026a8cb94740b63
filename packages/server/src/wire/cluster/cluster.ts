// The cluster, which is one node: identity, health, settings, state, statistics, tasks.

import type { Route } from '../router/route.ts';
import { healthRoutes } from './health-routes.ts';
import { info } from './identity.ts';
import { minorRoutes } from './minor.ts';
import { nodeRoutes } from './nodes.ts';
import { clusterSettingsRoutes } from './settings-routes.ts';
import { stateRoutes } from './cluster-state.ts';
import { taskRoutes } from '../indices/tasks.ts';

/** Everything about the server as a whole. */
export const clusterRoutes: readonly Route[] = [
  { methods: ['GET', 'HEAD'], path: '/', params: [], handle: (_, services) => info(services) },
  ...healthRoutes,
  ...clusterSettingsRoutes,
  ...stateRoutes,
  ...nodeRoutes,
  ...taskRoutes,
  ...minorRoutes,
];
