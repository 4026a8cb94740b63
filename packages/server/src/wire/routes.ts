// The routes of the search wire: all families of endpoints in one list.

import { aliasRoutes } from './aliases/alias-routes.ts';
import { byQueryRoutes } from './by-query/by-query.ts';
import { reindexRoutes } from './by-query/reindex.ts';
import { catRoutes } from './cat/cat.ts';
import { clusterStateRoutes } from './cluster/cluster-state.ts';
import { healthRoutes } from './cluster/health-routes.ts';
import { identityRoutes } from './cluster/identity.ts';
import { licenseRoutes } from './cluster/license.ts';
import { minorRoutes } from './cluster/minor.ts';
import { nodeRoutes } from './cluster/nodes.ts';
import { searchShardsRoutes } from './cluster/search-shards.ts';
import { clusterSettingsRoutes } from './cluster/settings-routes.ts';
import { taskRoutes } from './cluster/tasks.ts';
import { bulkRoutes } from './documents/bulk.ts';
import { documentRoutes } from './documents/documents.ts';
import { mgetRoutes } from './documents/mget.ts';
import { termvectorsRoutes } from './documents/termvectors.ts';
import { indicesRoutes } from './indices/indices.ts';
import { mappingRoutes } from './indices/mapping-routes.ts';
import { settingsRoutes } from './indices/settings-routes.ts';
import type { Route } from './router/route.ts';
import { scriptRoutes } from './scripts/script-routes.ts';
import { analyzeRoutes } from './search/analyze.ts';
import { countRoutes } from './search/count.ts';
import { explainRoutes } from './search/explain.ts';
import { fieldCapsRoutes } from './search/field-caps.ts';
import { pitRoutes } from './search/leases/pit.ts';
import { scrollRoutes } from './search/leases/scroll.ts';
import { msearchRoutes } from './search/msearch.ts';
import { rankEvalRoutes } from './search/rank-eval/rank-eval.ts';
import { searchRoutes } from './search/search.ts';
import { searchTemplateRoutes } from './search/search-template.ts';
import { termsEnumRoutes } from './search/terms-enum.ts';
import { validateRoutes } from './search/validate.ts';
import { securityRoutes } from './security/security.ts';
import { templateRoutes } from './templates/template-routes.ts';

/** Every endpoint of the search wire. */
export const ROUTES: readonly Route[] = [
  ...documentRoutes,
  ...bulkRoutes,
  ...mgetRoutes,
  ...termvectorsRoutes,
  ...countRoutes,
  ...byQueryRoutes,
  ...reindexRoutes,
  ...searchRoutes,
  ...searchTemplateRoutes,
  ...scrollRoutes,
  ...pitRoutes,
  ...msearchRoutes,
  ...validateRoutes,
  ...explainRoutes,
  ...rankEvalRoutes,
  ...searchShardsRoutes,
  ...termsEnumRoutes,
  ...fieldCapsRoutes,
  ...indicesRoutes,
  ...aliasRoutes,
  ...mappingRoutes,
  ...settingsRoutes,
  ...scriptRoutes,
  ...templateRoutes,
  ...analyzeRoutes,
  ...catRoutes,
  ...identityRoutes,
  ...licenseRoutes,
  ...healthRoutes,
  ...clusterSettingsRoutes,
  ...clusterStateRoutes,
  ...nodeRoutes,
  ...taskRoutes,
  ...minorRoutes,
  ...securityRoutes,
];
