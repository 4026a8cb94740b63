// Prints the hits inside a bucket (`top_hits`) by the members of the aggregation that are those of a search.

import type { HitsResult, JsonObject } from '@octavo/engine';
import type { ReplyObject } from '../../../json/reply-value.ts';
import type { Target } from '../../resolve/target.ts';
import type { Services } from '../../router/route.ts';
import { readSearchBody } from '../body/search-body.ts';
import type { SearchSpec } from '../body/search-spec.ts';
import { hitsTree } from './search-reply.ts';

/** The `hits` member of a bucket. */
export function bucketHits(
  services: Services,
  target: Target,
  outer: SearchSpec,
  result: HitsResult['result'],
  request: JsonObject,
): ReplyObject {
  const spec = { ...readSearchBody(request), totalAsInt: outer.totalAsInt };
  const found = { ...result, timedOut: false, terminatedEarly: undefined };
  return hitsTree(services, target, spec, { ...found, more: false, moreBefore: false, snapshot: 0 });
}
