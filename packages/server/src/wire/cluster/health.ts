// How healthy are the indices? A single node holds every primary; replicas that an index asks for have no place, so it
// is yellow.

import type { IndexInfo } from '@octavo/engine';
import { replicasOf, shardsOf } from '../resolve/scope.ts';

/** The colour of an index or of all. */
export type Colour = 'green' | 'yellow' | 'red';

/** Shards and where they are not. */
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

/** Shards that are there, in percent of those wanted. */
export function activePercent({ primaries, unassigned }: Health): number {
  return primaries + unassigned === 0 ? 100 : (100 * primaries) / (primaries + unassigned);
}
