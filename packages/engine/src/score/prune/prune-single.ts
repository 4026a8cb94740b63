// Prunes a single term: blocks whose largest code cannot get in are skipped, and so are postings; only the
// rest is scored.
//
// Source: block-max indexes, Ding and Suel, "Faster Top-k Document Retrieval Using Block-Max Indexes" (SIGIR
// 2011).

import { BLOCK_POSTINGS } from '../../segment/format.ts';
import { NO_NORM, termScore } from '../bm25.ts';
import type { CandidateBounds } from '../lists/candidate-bounds.ts';
import type { PostingLists } from '../lists/posting-lists.ts';

/** Prunes the chunk of the only list. Bounds are codes. */
export function pruneSingle(lists: PostingLists, candidates: CandidateBounds): void {
  let { limit } = candidates;
  if (lists.maxCode[0]! <= limit) return;
  const view = lists.postings[0]!;
  const { lo, code, blockMax } = view;
  const { weight, inverses } = lists.query.terms[0]!;
  const norms = lists.terms.norms[0]!;
  const { base } = lists;
  const end = lists.end[0]!;
  let block = lists.block[0]!;
  for (let from = lists.start[0]!; from < end; from += BLOCK_POSTINGS, block++) {
    if (blockMax[block]! <= limit) continue;
    const to = Math.min(from + BLOCK_POSTINGS, end);
    for (let p = from; p < to; p++) {
      if (code[p]! <= limit) continue;
      const doc = base + lo[p]!;
      if (!candidates.isVisible(doc)) continue;
      const norm = norms.length === 0 ? NO_NORM : norms[doc]!;
      candidates.offer(termScore(weight, view.freq(p, norm), inverses[norm]!), doc);
      limit = candidates.limit;
    }
  }
}
