// Which endpoints go on to the cluster, and what must a caller be allowed for each? One row an endpoint; what has no row
// is refused by name and never gets there.

import type { QueryChange } from '@octavo/records';
import type { Action } from '../access/guard/rules.ts';
import type { ResolveOptions } from '../wire/resolve/resolve.ts';
import {
  CATALOG_SCOPE,
  CHANGE_SCOPE,
  CLOSE_SCOPE,
  DELETE_SCOPE,
  OPEN_SCOPE,
  SHARD_SCOPE,
} from '../wire/resolve/scope.ts';

/** How the indices of a request are told to the cluster. */
export type Reaching =
  /** Nothing is said of any index: for all callers. */
  | 'open'
  /** The whole cluster: for callers that may see all of it. */
  | 'cluster'
  /** One index by its name, which need not be there yet. */
  | 'named'
  /** Those that an expression means by these rules. */
  | ResolveOptions;

/** An endpoint that goes on as it is, with its indices resolved. */
export interface Passing {
  readonly verb: 'read' | 'write' | 'admin';
  readonly action: Action;
  readonly reaching: Reaching;
  /** Asking twice is the same as asking once. */
  readonly repeatable: boolean;
  /** Also for callers that see documents through a filter: it tells nothing of single documents. */
  readonly filtered: boolean;
  /** What the catalog knows may be changed by it. */
  readonly changes: boolean;
  /** It changes documents, and does not say which. */
  readonly byQuery?: QueryChange['by'];
}

const READ: Passing = {
  verb: 'read',
  action: 'indices:admin/get',
  reaching: CATALOG_SCOPE,
  repeatable: true,
  filtered: true,
  changes: false,
};
const FIGURES: Passing = { ...READ, action: 'indices:monitor/stats', filtered: false };
const WHOLE: Passing = { ...FIGURES, reaching: 'cluster' };
const ADMIN: Passing = {
  verb: 'admin',
  action: 'indices:admin/get',
  reaching: 'named',
  repeatable: false,
  filtered: false,
  changes: true,
};
const CLUSTER_ADMIN: Passing = {
  ...ADMIN,
  action: 'cluster:admin/settings/update',
  reaching: 'cluster',
};
const BY_QUERY: Passing = {
  ...CLUSTER_ADMIN,
  verb: 'write',
  action: 'indices:data/write/bulk',
  changes: false,
};
const SEARCH: Passing = {
  ...READ,
  action: 'indices:data/read/search',
  reaching: SHARD_SCOPE,
  filtered: false,
};

function rows(lines: readonly string[], passing: Passing): [string, Passing][] {
  return lines.flatMap((line) => {
    const [methods = '', ...paths] = line.split(' ');
    return paths.flatMap((path) =>
      methods.split(',').map((method): [string, Passing] => [`${method} ${path}`, passing]),
    );
  });
}

/** By method and path of the route. */
export const PASSING: ReadonlyMap<string, Passing> = new Map([
  ...rows(['GET,HEAD /'], { ...READ, action: 'indices:monitor/stats', reaching: 'open' }),
  ...rows(
    [
      'GET,HEAD /{index}',
      'GET /_alias /_aliases /_alias/{name} /{index}/_alias /{index}/_alias/{name}',
      'HEAD /_alias/{name} /{index}/_alias /{index}/_alias/{name}',
      'GET /_mapping /_mappings /{index}/_mapping /{index}/_mappings',
      'GET /_mapping/field/{fields} /{index}/_mapping/field/{fields}',
      'GET /_settings /_settings/{name} /{index}/_settings /{index}/_settings/{name}',
    ],
    READ,
  ),
  ...rows(['GET,POST /{index}/_analyze'], READ),
  ...rows(['GET,POST /_analyze'], { ...READ, reaching: 'open' }),
  ...rows(
    [
      'GET /_stats /_stats/{metric} /{index}/_stats /{index}/_stats/{metric}',
      'GET /_segments /{index}/_segments /_recovery /{index}/_recovery',
    ],
    FIGURES,
  ),
  ...rows(['GET,POST,QUERY /_field_caps /{index}/_field_caps'], SEARCH),
  ...rows(['GET,POST /_refresh /{index}/_refresh'], {
    ...READ,
    action: 'indices:admin/refresh',
    reaching: SHARD_SCOPE,
  }),
  ...rows(['GET,POST /_flush /{index}/_flush'], {
    ...ADMIN,
    action: 'indices:admin/flush',
    reaching: SHARD_SCOPE,
    repeatable: true,
    changes: false,
  }),
  ...rows(['POST /_forcemerge /{index}/_forcemerge /_cache/clear /{index}/_cache/clear'], {
    ...ADMIN,
    action: 'indices:admin/forcemerge',
    reaching: SHARD_SCOPE,
    changes: false,
  }),
  ...rows(['DELETE /{index}'], { ...ADMIN, action: 'indices:admin/delete', reaching: DELETE_SCOPE }),
  ...rows(['POST /_open /{index}/_open'], { ...ADMIN, action: 'indices:admin/close', reaching: OPEN_SCOPE }),
  ...rows(['POST /_close /{index}/_close', 'PUT /{index}/_block/{block}'], {
    ...ADMIN,
    action: 'indices:admin/close',
    reaching: CLOSE_SCOPE,
  }),
  ...rows(['PUT,POST /{index}/_mapping /{index}/_mappings'], {
    ...ADMIN,
    action: 'indices:admin/mapping/put',
    reaching: CHANGE_SCOPE,
  }),
  ...rows(['PUT /_settings /{index}/_settings'], {
    ...ADMIN,
    action: 'indices:admin/settings/update',
    reaching: CHANGE_SCOPE,
  }),
  ...rows(
    [
      'PUT /_alias /_alias/{name} /_aliases/{name} /{index}/_alias /{index}/_aliases',
      'PUT,POST /{index}/_alias/{name} /{index}/_aliases/{name}',
      'POST /_alias/{name} /_aliases/{name} /_aliases',
      'DELETE /{index}/_alias/{name} /{index}/_aliases/{name}',
      'POST /{index}/_rollover /{index}/_rollover/{target}',
      'PUT,POST /{index}/_shrink/{target} /{index}/_split/{target} /{index}/_clone/{target}',
    ],
    { ...CLUSTER_ADMIN, action: 'indices:admin/aliases' },
  ),
  ...rows(
    [
      'GET /_template /_index_template /_component_template',
      'GET,HEAD /_template/{name} /_index_template/{name} /_component_template/{name}',
      'POST /_index_template/_simulate_index/{name}',
      'GET /_resolve/index/{name}',
      'GET /_cat /_cat/indices /_cat/indices/{index} /_cat/shards /_cat/shards/{index}',
      'GET /_cat/segments /_cat/segments/{index} /_cat/allocation /_cat/allocation/{node}',
      'GET /_cat/aliases /_cat/aliases/{name} /_cat/templates /_cat/templates/{name}',
      'GET /_cat/count /_cat/count/{index} /_cat/health /_cat/nodes /_cat/cluster_manager /_cat/master',
      'GET /_cat/plugins /_cat/thread_pool /_cat/thread_pool/{pools}',
      'GET /_cluster/health /_cluster/health/{index} /_cluster/settings /_cluster/state',
      'GET /_cluster/state/{metric} /_cluster/state/{metric}/{index}',
      'GET /_nodes /_nodes/{either} /_nodes/{node}/{metric} /_nodes/stats /_nodes/stats/{metric}',
      'GET /_nodes/stats/{metric}/{index_metric} /_nodes/{node}/stats/{metric}/{index_metric}',
      'GET /_nodes/{node}/stats /_nodes/{node}/stats/{metric} /_cluster/stats /_cluster/stats/nodes/{node}',
      'GET /_tasks /_tasks/{task} /_remote/info /_cluster/pending_tasks',
      'GET /_ingest/pipeline /_ingest/pipeline/{id} /_search/pipeline /_search/pipeline/{id}',
      'GET /_scripts/{id} /_data_stream /_data_stream/{name}',
      'GET,POST,QUERY /_validate/query /{index}/_validate/query /{index}/_explain/{id}',
      'GET,POST /_msearch/template /{index}/_msearch/template /_search/template /{index}/_search/template',
    ],
    WHOLE,
  ),
  ...rows(
    [
      'PUT,POST /_template/{name} /_index_template/{name} /_component_template/{name}',
      'DELETE /_template/{name} /_index_template/{name} /_component_template/{name}',
      'PUT /_cluster/settings',
      'PUT,DELETE /_ingest/pipeline/{id} /_search/pipeline/{id}',
      'PUT,POST,DELETE /_scripts/{id}',
      'PUT,DELETE /_data_stream/{name}',
      'POST /_reindex/{task_id}/_rethrottle',
    ],
    CLUSTER_ADMIN,
  ),
  ...rows(['POST /_reindex'], { ...CLUSTER_ADMIN, byQuery: 'reindex' }),
  ...rows(['POST /{index}/_delete_by_query'], { ...BY_QUERY, byQuery: 'delete_by_query' }),
  ...rows(['POST /{index}/_update_by_query'], { ...BY_QUERY, byQuery: 'update_by_query' }),
]);
