// Runs a plan without shortcuts: every chunk of every leaf, all matches, scores rounded as a collector rounds
// them.

import type { JsonObject } from '../src/json/value.ts';
import { hasBit, nextSetBit } from '../src/kernels/bits.ts';
import { borrowScores, returnScores } from '../src/query/node/node.ts';
import { parseQuery } from '../src/query/parse.ts';
import type { IndexView } from '../src/query/plan/index-view.ts';
import { planQuery } from '../src/query/plan-query.ts';
import { CHUNK_DOCS, CHUNK_WORDS } from '../src/segment/leaf.ts';

const NO_SCORES: Buffer = Buffer.alloc(CHUNK_DOCS * 8);

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
      const sums = borrowScores();
      const before = found.length;
      if (scores && any) matcher.score(chunk, bits.slice(), sums);
      const docs = Math.min(CHUNK_DOCS, leaf.docCount - chunk * CHUNK_DOCS);
      if (nextSetBit(bits, docs) >= 0) throw new Error('matches beyond the last document');
      for (let low = 0; low < docs; low++) {
        if (hasBit(bits, low)) found.push([leaf.docs.id(chunk * CHUNK_DOCS + low), Math.fround(sums[low]!)]);
        else if (sums[low] !== 0) throw new Error(`score of a document that does not match: ${low}`);
        sums[low] = 0;
      }
      // As bytes, because a comparison number by number would be most of the time of a test.
      if (!Buffer.from(sums.buffer, sums.byteOffset, sums.byteLength).equals(NO_SCORES))
        throw new Error('scores beyond the last document');
      returnScores(sums);
      if (!any && found.length > before) throw new Error('matches where match said there were none');
    }
  }
  return scores ? found.sort((a, b) => b[1] - a[1]) : found;
}
