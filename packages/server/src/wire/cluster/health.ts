// The health of indices. A single node has every primary, but no place for replicas, so an index with
// replicas is yellow.

import type { IndexInfo } from '@octavo/engine';
import { replicasOf, shardsOf } from '../resolve/scope.ts';

/** The colour of an index or of all. */
export type Colour = 'green' | 'yellow' | 'red';

/** Primary shards, and copies without a node. */
export interface Health {
  readonly status: Colour;
  readonly primaries: number;
  readonly unassigned: number;
}

/** The health of one index, open or closed. */
export function healthOf(info: IndexInfo): Health {
  const primaries = shardsOf(info);
  const unassigned = primaries * replicasOf(info);
  return { status: unassigned > 0 ? 'yellow' : 'green', primaries, unassigned };
}

/** The health of several together. */
export function healthOfAll(infos: readonly IndexInfo[]): Health {
  let [primaries, unassigned] = [0, 0];
  for (const info of infos) {
    const health = healthOf(info);
    primaries += health.primaries;
    unassigned += health.unassigned;
  }
  return { status: unassigned > 0 ? 'yellow' : 'green', primaries, unassigned };
}

/** Active shards in percent of all that the settings ask for. */
export function activePercent({ primaries, unassigned }: Health): number {
  return primaries + unassigned === 0 ? 100 : (100 * primaries) / (primaries + unassigned);
}
