// Endpoints of features that this server does not have (pipelines, data streams): a true
// empty reply, or a refusal.

import { EngineError } from '@octavo/engine';
import { WAIT_PARAMS } from '../resolve/scope.ts';
import type { Call, Reply, Route } from '../router/route.ts';

/** The handler of a constant reply. */
function always(reply: Reply): () => Reply {
  return () => reply;
}

function refuse(what: string, instead: string) {
  return (): never => {
    throw new EngineError('illegal_argument_exception', `${what} are not supported: ${instead}`);
  };
}

/** The reply to `_data_stream`: an empty list; 404 for a plain name. */
function noDataStreams(call: Call): Reply {
  const name = call.path['name'];
  if (name !== undefined && name !== '_all' && !name.includes('*')) {
    throw new EngineError('index_not_found_exception', `no such index [${name}]`, {
      details: { index: name, 'resource.id': name, 'resource.type': 'index_or_alias', index_uuid: '_na_' },
    });
  }
  return { body: call.method === 'DELETE' ? { acknowledged: true } : { data_streams: [] } };
}

const noPipelines = refuse('ingest pipelines', 'prepare documents before they are sent');
const noSearchPipelines = refuse('search pipelines', 'send the whole request');
const noStreams = refuse('data streams', 'use an index and an alias');

/** The routes of ingest or search pipelines. */
function pipelineRoutes(path: string, put: () => never): Route[] {
  return [
    { methods: ['GET'], path, params: WAIT_PARAMS, handle: always({ status: 404, body: {} }) },
    {
      methods: ['GET'],
      path: `${path}/{id}`,
      params: WAIT_PARAMS,
      handle: always({ status: 404, body: {} }),
    },
    { methods: ['PUT'], path: `${path}/{id}`, params: WAIT_PARAMS, handle: put },
    { methods: ['DELETE'], path: `${path}/{id}`, params: WAIT_PARAMS, handle: missingPipeline },
  ];
}

function missingPipeline(call: Call): Reply {
  if (call.path['id']!.includes('*')) return { body: { acknowledged: true } };
  throw new EngineError('resource_not_found_exception', `pipeline [${call.path['id']}] is missing`);
}

/** The rows of this family. */
export const minorRoutes: readonly Route[] = [
  { methods: ['GET'], path: '/_remote/info', params: [], handle: always({ body: {} }) },
  {
    methods: ['GET'],
    path: '/_cluster/pending_tasks',
    params: ['local', ...WAIT_PARAMS],
    handle: always({ body: { tasks: [] } }),
  },
  ...pipelineRoutes('/_ingest/pipeline', noPipelines),
  ...pipelineRoutes('/_search/pipeline', noSearchPipelines),
  { methods: ['GET'], path: '/_data_stream', params: ['expand_wildcards'], handle: noDataStreams },
  {
    methods: ['GET', 'DELETE'],
    path: '/_data_stream/{name}',
    params: ['expand_wildcards'],
    handle: noDataStreams,
  },
  { methods: ['PUT'], path: '/_data_stream/{name}', params: WAIT_PARAMS, handle: noStreams },
];
