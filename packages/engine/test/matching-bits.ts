// Matches a whole leaf through the filter cache, as a search does in steps.

import type { Plan } from '../src/query/matcher.ts';
import type { FilterCache } from '../src/search/caches/filter-cache.ts';
import { CHUNK_DOCS, CHUNK_WORDS, type Leaf } from '../src/segment/leaf.ts';

/** The bitmap of a plan in a leaf: the cached one, else a new one that is cached. */
export function matchingBits(cache: FilterCache, plan: Plan, leaf: Leaf): Uint32Array {
  const cached = cache.peek(plan, leaf);
  if (cached !== undefined) return cached;
  const chunks = Math.ceil(leaf.docCount / CHUNK_DOCS);
  const bits = new Uint32Array(chunks * CHUNK_WORDS);
  const matcher = plan.matcher(leaf);
  for (let chunk = 0; chunk < chunks; chunk++)
    matcher.match(chunk, bits.subarray(chunk * CHUNK_WORDS, (chunk + 1) * CHUNK_WORDS));
  return cache.set(plan, leaf, bits);
}
