// The `_cat` endpoints: the state of the server as tables for people.

import type { Reply, Route } from '../router/route.ts';
import { catCatalogRoutes } from './catalog-tables.ts';
import { catIndicesRoutes } from './indices-table.ts';
import { catNodesRoutes } from './node-tables.ts';
import { catShardsRoutes } from './shard-tables.ts';

const TABLES: readonly Route[] = [
  ...catIndicesRoutes,
  ...catShardsRoutes,
  ...catCatalogRoutes,
  ...catNodesRoutes,
];

/** GET /_cat: the paths of all tables. */
function list(): Reply {
  return { text: `=^.^=\n${TABLES.map(({ path }) => `${path}\n`).join('')}` };
}

/** The rows of this family. */
export const catRoutes: readonly Route[] = [
  { methods: ['GET'], path: '/_cat', params: ['help'], handle: list },
  ...TABLES,
];
