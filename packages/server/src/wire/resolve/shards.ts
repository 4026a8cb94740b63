// The `_shards` objects, and what the peer does by shard. An index is one piece here; its shards are numbers
// in its settings.

import { EngineError, type IndexInfo, type StoredDoc, shardOf } from '@octavo/engine';
import { type ShardFailure, shardFailure } from '../../errors/error-body.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import type { Params } from '../router/route.ts';
import { replicasOf, shardsOf } from './scope.ts';

/** `_shards` of a write: one copy of `1 + replicas` took it. */
export function writeShards(info: IndexInfo | undefined): ReplyObject {
  return { total: 1 + (info === undefined ? 0 : replicasOf(info)), successful: 1, failed: 0 };
}

/** `_shards` of a search: every shard of every index answered, except those of the failures. */
export function searchShards(
  infos: readonly IndexInfo[],
  failures: readonly ShardFailure[] = [],
  node = '',
): ReplyObject {
  const total = shardCount(infos);
  if (failures.length === 0) return { total, successful: total, skipped: 0, failed: 0 };
  const failed = shardCount(infos.filter(({ name }) => failures.some(({ index }) => index === name)));
  return {
    total,
    successful: total - failed,
    skipped: 0,
    failed,
    failures: failures.map((failure) => shardFailure(failure, node)),
  };
}

/** The primary shards of indices, by their settings. */
export function shardCount(infos: readonly IndexInfo[]): number {
  let total = 0;
  for (const info of infos) total += shardsOf(info);
  return total;
}

/**
 * True if a read by id with this routing (by default the id) would find the document on its shard, as with
 * the peer.
 */
export function onSameShard(info: IndexInfo, doc: StoredDoc, routing: string | undefined): boolean {
  const shards = Number(info.settings['index.number_of_shards'] ?? 1);
  if (shards <= 1) return true;
  const requested = routing ?? doc.id;
  const own = doc.routing ?? doc.id;
  return requested === own || shardOf(requested, info.settings) === shardOf(own, info.settings);
}

/**
 * True if one active copy is enough for `wait_for_active_shards`. Throws illegal_argument_exception for a
 * malformed count.
 */
export function hasEnoughShards(params: Params, replicas: number): boolean {
  const requested = params.string('wait_for_active_shards');
  if (requested === undefined) return true;
  if (requested === 'all') return replicas === 0;
  if (!/^\d{1,9}$/.test(requested)) {
    const causedBy = new EngineError('number_format_exception', `For input string: "${requested}"`);
    throw new EngineError('illegal_argument_exception', `cannot parse ActiveShardCount[${requested}]`, {
      causedBy,
    });
  }
  return Number(requested) <= 1;
}
