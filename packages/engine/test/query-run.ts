// Runs a plan the plain way: every chunk of every leaf, all matches, scores rounded as a collector does.

import type { JsonObject } from '../src/json/value.ts';
import { parseQuery } from '../src/query/parse.ts';
import { planQuery } from '../src/query/planner.ts';
import type { IndexView } from '../src/query/view.ts';
import { CHUNK_DOCS, CHUNK_WORDS } from '../src/segment/leaf.ts';

/** A match and its score. */
export type Found = [id: string, score: number];

/** Matches in score order, ties in the order of indexing. */
export function run(query: JsonObject, view: IndexView, scores = true, compat?: 'elasticsearch'): Found[] {
  const context = { now: Date.UTC(2024, 5, 1), scores, ...(compat === undefined ? {} : { compat }) };
  const plan = planQuery(parseQuery(query), view, context);
  const found: Found[] = [];
  const bits = new Uint32Array(CHUNK_WORDS);
  for (const { leaf } of view.leaves) {
    const matcher = plan.matcher(leaf);
    for (let chunk = 0; chunk * CHUNK_DOCS < leaf.docCount; chunk++) {
      bits.fill(0xdeadbeef);
      const any = matcher.match(chunk, bits);
      const sums = new Float64Array(CHUNK_DOCS);
      const before = found.length;
      if (scores && any) matcher.score(chunk, bits.slice(), sums);
      for (let low = 0; low < CHUNK_DOCS; low++) {
        if (((bits[low >>> 5]! >>> (low & 31)) & 1) === 0) {
          if (sums[low] !== 0) throw new Error(`score of a document that does not match: ${low}`);
          continue;
        }
        found.push([leaf.docs.id(chunk * CHUNK_DOCS + low), Math.fround(sums[low]!)]);
      }
      if (!any && found.length > before) throw new Error('matches where match said there were none');
    }
  }
  return scores ? found.sort((a, b) => b[1] - a[1]) : found;
}
