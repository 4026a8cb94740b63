// What becomes of `_reindex`? It is refused by name: as a path it looks like an index, and clients should not be told that
// the method is wrong.

import { EngineError } from '@octavo/engine';
import type { Route } from '../router/route.ts';

const refuse: Route['handle'] = ({ uri }) => {
  throw new EngineError(
    'unsupported_operation_exception',
    `[${uri}] is not supported: read the documents with a scroll (or [octavo export]) and write them with [_bulk]`,
  );
};

/** The endpoints, with the parameters of the peer so that none of them is what is refused. */
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
