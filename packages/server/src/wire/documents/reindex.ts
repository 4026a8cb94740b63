// The `_reindex` endpoints, which are refused. Without a route the path would count as an index, and the
// error would blame the method.

import { EngineError } from '@octavo/engine';
import type { Route } from '../router/route.ts';

const refuse: Route['handle'] = ({ uri }) => {
  throw new EngineError(
    'unsupported_operation_exception',
    `[${uri}] is not supported: read the documents with a scroll (or [octavo export]) and write them with [_bulk]`,
  );
};

/** The rows of this family, with the peer's parameters, so that the refusal does not name a parameter. */
export const reindexRoutes: readonly Route[] = [
  {
    methods: ['POST'],
    path: '/_reindex',
    params: [
      'max_docs',
      'refresh',
      'requests_per_second',
      'require_alias',
      'scroll',
      'slices',
      'timeout',
      'wait_for_active_shards',
      'wait_for_completion',
    ],
    handle: refuse,
  },
  {
    methods: ['POST'],
    path: '/_reindex/{task_id}/_rethrottle',
    params: ['requests_per_second'],
    handle: refuse,
  },
];
