// Which endpoints are there? The families of the search wire, in one list.

import { aliasRoutes } from './aliases.ts';
import { analyzeRoutes } from './analyze.ts';
import { bulkRoutes } from './bulk.ts';
import { byQueryRoutes } from './by-query.ts';
import { catRoutes } from './cat.ts';
import { clusterRoutes } from './cluster.ts';
import { countRoutes } from './count.ts';
import { documentRoutes } from './documents.ts';
import { explainRoutes } from './explain.ts';
import { fieldCapsRoutes } from './field-caps.ts';
import { indicesRoutes } from './indices.ts';
import { mappingRoutes } from './mappings.ts';
import { mgetRoutes } from './mget.ts';
import { msearchRoutes } from './msearch.ts';
import { pitRoutes } from './pit.ts';
import { reindexRoutes } from './reindex.ts';
import type { Route } from './route.ts';
import { scrollRoutes } from './scroll.ts';
import { searchRoutes } from './search.ts';
import { securityRoutes } from './security.ts';
import { settingsRoutes } from './settings.ts';
import { templateRoutes } from './templates.ts';
import { validateRoutes } from './validate.ts';

/** Every endpoint of the search wire. */
export const ROUTES: readonly Route[] = [
  ...documentRoutes,
  ...bulkRoutes,
  ...mgetRoutes,
  ...countRoutes,
  ...byQueryRoutes,
  ...reindexRoutes,
  ...searchRoutes,
  ...scrollRoutes,
  ...pitRoutes,
  ...msearchRoutes,
  ...validateRoutes,
  ...explainRoutes,
  ...fieldCapsRoutes,
  ...indicesRoutes,
  ...aliasRoutes,
  ...mappingRoutes,
  ...settingsRoutes,
  ...templateRoutes,
  ...analyzeRoutes,
  ...catRoutes,
  ...clusterRoutes,
  ...securityRoutes,
];
