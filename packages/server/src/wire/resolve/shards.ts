// What do the `_shards` objects say? One process holds one copy of everything, so they are read off the settings.

import { EngineError, type IndexInfo, type StoredDoc, shardOf } from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import type { Params } from '../router/route.ts';

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

/** True where a read by id with this routing (the id by default) finds the document. */
export function onSameShard(info: IndexInfo, doc: StoredDoc, routing: string | undefined): boolean {
  const shards = Number(info.settings['index.number_of_shards'] ?? 1);
  if (shards <= 1) return true;
  const asked = routing ?? doc.id;
  const kept = doc.routing ?? doc.id;
  return asked === kept || shardOf(asked, info.settings) === shardOf(kept, info.settings);
}

/** True when one active copy is enough. Throws illegal_argument_exception for what is no count. */
export function hasEnoughShards(params: Params, replicas: number): boolean {
  const asked = params.string('wait_for_active_shards');
  if (asked === undefined) return true;
  if (asked === 'all') return replicas === 0;
  if (!/^\d{1,9}$/.test(asked)) {
    const causedBy = new EngineError('number_format_exception', `For input string: "${asked}"`);
    throw new EngineError('illegal_argument_exception', `cannot parse ActiveShardCount[${asked}]`, {
      causedBy,
    });
  }
  return Number(asked) <= 1;
}
