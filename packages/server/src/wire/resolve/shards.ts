// What do the `_shards` objects say? One process holds one copy of everything, so they are read off the settings.

import type { IndexInfo } from '@octavo/engine';
import type { ReplyObject } from '../router/route.ts';

/** Of a write: one copy of `1 + replicas` took it. */
export function writeShards(info: IndexInfo | undefined): ReplyObject {
  const replicas = Number(info?.settings['index.number_of_replicas'] ?? 1);
  return { total: 1 + replicas, successful: 1, failed: 0 };
}

/** Of a search: every shard of every index answered. */
export function searchShards(infos: readonly IndexInfo[]): ReplyObject {
  const total = shardCount(infos);
  return { total, successful: total, skipped: 0, failed: 0 };
}

/** Primary shards as the settings tell; the engine keeps an index in one piece. */
export function shardCount(infos: readonly IndexInfo[]): number {
  let total = 0;
  for (const info of infos) total += Number(info.settings['index.number_of_shards'] ?? 1);
  return total;
}
