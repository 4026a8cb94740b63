// The cluster, which is one node: identity, health, settings, state, statistics, tasks.

import { healthRoutes } from './cluster/health-route.ts';
import { info } from './cluster/identity.ts';
import { minorRoutes } from './cluster/minor.ts';
import { nodeRoutes } from './cluster/nodes.ts';
import { clusterSettingsRoutes } from './cluster/settings-route.ts';
import { stateRoutes } from './cluster/state.ts';
import { taskRoutes } from './cluster/tasks.ts';
import type { Route } from './route.ts';

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
