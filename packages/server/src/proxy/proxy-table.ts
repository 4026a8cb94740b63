// The endpoints that are passed through to the cluster, and the rights each requires. An endpoint with
// neither a row here nor a handler is refused and never reaches the cluster.

import type { QueryChange } from '@octavo/records';
import type { Action } from '../access/guard/caller-rules.ts';
import type { ResolveOptions } from '../wire/resolve/resolve.ts';
import {
  CATALOG_SCOPE,
  CHANGE_SCOPE,
  CLOSE_SCOPE,
  DELETE_SCOPE,
  OPEN_SCOPE,
  SHARD_SCOPE,
} from '../wire/resolve/scope.ts';

/** How the indices of a request are resolved. */
type IndexTarget =
  /** The endpoint is about no index; all callers may use it. */
  | 'open'
  /** The whole cluster, for callers that may see all of it. */
  | 'cluster'
  /** One index by its name, which may not exist yet. */
  | 'named'
  /** The indices that an expression resolves to under these options. */
  | ResolveOptions;

/** An endpoint that is forwarded as it is, with its indices resolved. */
export interface PassThrough {
  readonly verb: 'read' | 'write' | 'admin';
  readonly action: Action;
  readonly target: IndexTarget;
  /** Sending it twice has the same effect as sending it once. */
  readonly repeatable: boolean;
  /** True if callers with a document filter may use it: it reveals nothing of single documents. */
  readonly allowsDocumentFilter: boolean;
  /** True if it may change indices, so the cached catalog is dropped. */
  readonly changesCatalog: boolean;
  /** It changes documents without saying which. */
  readonly byQuery?: QueryChange['by'];
}

const READ: PassThrough = {
  verb: 'read',
  action: 'indices:admin/get',
  target: CATALOG_SCOPE,
  repeatable: true,
  allowsDocumentFilter: true,
  changesCatalog: false,
};
const FIGURES: PassThrough = { ...READ, action: 'indices:monitor/stats', allowsDocumentFilter: false };
const WHOLE: PassThrough = { ...FIGURES, target: 'cluster' };
const ADMIN: PassThrough = {
  verb: 'admin',
  action: 'indices:admin/get',
  target: 'named',
  repeatable: false,
  allowsDocumentFilter: false,
  changesCatalog: true,
};
const CLUSTER_ADMIN: PassThrough = {
  ...ADMIN,
  action: 'cluster:admin/settings/update',
  target: 'cluster',
};
const BY_QUERY: PassThrough = {
  ...CLUSTER_ADMIN,
  verb: 'write',
  action: 'indices:data/write/bulk',
  changesCatalog: false,
};
const SEARCH: PassThrough = {
  ...READ,
  action: 'indices:data/read/search',
  target: SHARD_SCOPE,
  allowsDocumentFilter: false,
};

function rows(lines: readonly string[], passing: PassThrough): [string, PassThrough][] {
  return lines.flatMap((line) => {
    const [methods = '', ...paths] = line.split(' ');
    return paths.flatMap((path) =>
      methods.split(',').map((method): [string, PassThrough] => [`${method} ${path}`, passing]),
    );
  });
}

/** By method and path of the route. */
export const PASS_THROUGH: ReadonlyMap<string, PassThrough> = new Map([
  ...rows(['GET,HEAD /'], { ...READ, action: 'indices:monitor/stats', target: 'open' }),
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
  ...rows(['GET,POST /_analyze'], { ...READ, target: 'open' }),
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
    target: SHARD_SCOPE,
  }),
  ...rows(['GET,POST /_flush /{index}/_flush'], {
    ...ADMIN,
    action: 'indices:admin/flush',
    target: SHARD_SCOPE,
    repeatable: true,
    changesCatalog: false,
  }),
  ...rows(['POST /_forcemerge /{index}/_forcemerge /_cache/clear /{index}/_cache/clear'], {
    ...ADMIN,
    action: 'indices:admin/forcemerge',
    target: SHARD_SCOPE,
    changesCatalog: false,
  }),
  ...rows(['DELETE /{index}'], { ...ADMIN, action: 'indices:admin/delete', target: DELETE_SCOPE }),
  ...rows(['POST /_open /{index}/_open'], { ...ADMIN, action: 'indices:admin/close', target: OPEN_SCOPE }),
  ...rows(['POST /_close /{index}/_close', 'PUT /{index}/_block/{block}'], {
    ...ADMIN,
    action: 'indices:admin/close',
    target: CLOSE_SCOPE,
  }),
  ...rows(['PUT,POST /{index}/_mapping /{index}/_mappings'], {
    ...ADMIN,
    action: 'indices:admin/mapping/put',
    target: CHANGE_SCOPE,
  }),
  ...rows(['PUT /_settings /{index}/_settings'], {
    ...ADMIN,
    action: 'indices:admin/settings/update',
    target: CHANGE_SCOPE,
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
      'POST /_cat/count /_cat/count/{index}',
      'GET /_license /_xpack /_xpack/usage',
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
      'GET,POST /_search_shards /{index}/_search_shards',
      'GET,POST /_mtermvectors /{index}/_mtermvectors',
      // Their bodies may name other indices.
      'GET,POST /{index}/_termvectors /{index}/_termvectors/{id} /{index}/_terms_enum',
      'GET,POST /_rank_eval /{index}/_rank_eval',
      'GET,POST /_msearch/template /{index}/_msearch/template /_search/template /{index}/_search/template',
      'GET,POST /_render/template /_render/template/{id} /_scripts/painless/_execute',
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
      'PUT,POST /_scripts/{id}/{context}',
      'PUT,DELETE /_data_stream/{name}',
      'POST /_reindex/{task_id}/_rethrottle /_update_by_query/{task_id}/_rethrottle',
      'POST /_delete_by_query/{task_id}/_rethrottle /_tasks/_cancel /_tasks/{task}/_cancel',
    ],
    CLUSTER_ADMIN,
  ),
  ...rows(['POST /_reindex'], { ...CLUSTER_ADMIN, byQuery: 'reindex' }),
  ...rows(['POST /{index}/_delete_by_query'], { ...BY_QUERY, byQuery: 'delete_by_query' }),
  ...rows(['POST /{index}/_update_by_query'], { ...BY_QUERY, byQuery: 'update_by_query' }),
]);
