// A search whose pages this server walks over a cluster, and the body of each request that it sends.

import { illegalArgument, type JsonObject, type JsonValue } from '@octavo/engine';
import type { SearchSpec } from '../../wire/search/body/spec.ts';
import type { Reach } from '../request/cluster-caller.ts';
import type { Forwarded } from '../request/forward.ts';
import { narrowedQuery } from '../request/restrictions.ts';
import type { SortEntry } from '../walks/cluster-sort.ts';

/** Members and parameters that only Octavo knows. */
export const OWN = ['page', 'tokens', 'next_token', 'prev_token', 'as_of'] as const;
/** The window of an index, unless it is set otherwise: what lies beyond is reached by counting. */
export const WINDOW = 10_000;

/** A search that is walked here. */
export interface ListSearch {
  readonly asked: Forwarded;
  readonly reach: Reach;
  readonly body: JsonObject;
  readonly spec: SearchSpec;
  /** The caller's own sort, and with what breaks its ties. */
  readonly own: readonly SortEntry[];
  readonly order: readonly SortEntry[];
}

/** The body as the cluster gets it. */
export function searchBody(list: ListSearch, changes: JsonObject): JsonObject {
  const { asked, body, spec, reach } = list;
  const out: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(body)) {
    if (!(OWN as readonly string[]).includes(name)) out[name] = value;
  }
  const query = narrowedQuery(body, asked.call.params, reach.narrowing);
  return {
    ...out,
    ...(query === undefined ? {} : { query }),
    // Sorted by what it would be sorted by anyhow, a search still shows its scores.
    ...(spec.sort === undefined || spec.trackScores ? { track_scores: true } : {}),
    ...changes,
  };
}

/** Throws for a page that cannot be counted to. */
export function refuseUncounted(what: string): never {
  throw illegalArgument(
    `pages beyond the first ${WINDOW} hits are found by counting, which cannot be done ${what}; ` +
      'walk there by [next_token], or sort by fields that hold one number, date or keyword',
  );
}
