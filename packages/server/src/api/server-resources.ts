// What does the server say of itself under `/api`? Health, metrics, limits, the meaning of problems, the OpenAPI
// document and the page to browse it. They need no records.

import type { Engine } from '@octavo/engine';
import type { Records } from '@octavo/records';
import type { Limits } from '../limits.ts';
import type { FenceWatch } from '../observe/fence.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Cluster } from '../proxy/client/cluster.ts';
import { backup } from './backup/routes.ts';
import { docs } from './docs/routes.ts';
import { health } from './health/routes.ts';
import { limits } from './limits/routes.ts';
import { metrics } from './metrics/routes.ts';
import { openapi } from './openapi/routes.ts';
import { problems } from './problems/routes.ts';
import type { ResourceApp } from './resource.ts';

/** What these resources are given. */
export interface ServerResources {
  readonly engine: Engine;
  /** Where the documents are, if not in the engine. */
  readonly cluster?: Cluster | undefined;
  readonly records: Records | undefined;
  /** Whether they refuse writes. */
  readonly fence?: FenceWatch | undefined;
  readonly limits: Limits;
  readonly metrics: Metrics;
}

/** Routes over the server itself. */
export type ServerResource = (app: ResourceApp) => Promise<void>;

/** All of them. */
export function serverResources(given: ServerResources): ServerResource[] {
  return [
    health(given),
    metrics(given.metrics),
    backup(given),
    limits(given.limits),
    problems,
    openapi,
    docs,
  ];
}
