// `_cat`: the state of the server as tables for people.

import { catCatalogRoutes } from './cat/catalog.ts';
import { catIndicesRoutes } from './cat/indices.ts';
import { catNodesRoutes } from './cat/nodes.ts';
import { catShardsRoutes } from './cat/shards.ts';
import type { Reply, Route } from './route.ts';

const TABLES: readonly Route[] = [
  ...catIndicesRoutes,
  ...catShardsRoutes,
  ...catCatalogRoutes,
  ...catNodesRoutes,
];

/** GET /_cat: the tables there are. */
function list(): Reply {
  return { text: `=^.^=\n${TABLES.map(({ path }) => `${path}\n`).join('')}` };
}

/** `_cat`. */
export const catRoutes: readonly Route[] = [
  { methods: ['GET'], path: '/_cat', params: ['help'], handle: list },
  ...TABLES,
];
