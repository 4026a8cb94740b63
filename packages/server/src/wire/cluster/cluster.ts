// The cluster, which is one node: identity, health, settings, state, statistics, tasks.

import type { Route } from '../router/route.ts';
import { healthRoutes } from './health-route.ts';
import { info } from './identity.ts';
import { minorRoutes } from './minor.ts';
import { nodeRoutes } from './nodes.ts';
import { clusterSettingsRoutes } from './settings-route.ts';
import { stateRoutes } from './state.ts';
import { taskRoutes } from './tasks.ts';

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
