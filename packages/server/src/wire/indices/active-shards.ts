// How many copies of each shard must be there? `wait_for_active_shards`: a number or `all`. One node holds one copy.

import { EngineError } from '@octavo/engine';
import type { Params } from '../router/route.ts';

/** True when one active copy is enough. Throws illegal_argument_exception for what is no count. */
export function enoughShards(params: Params, replicas: number): boolean {
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
