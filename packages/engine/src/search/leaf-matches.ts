// The documents of a leaf that a plan matches, as a bitmap in document order: from the filter cache, else
// computed chunk by chunk with a look at the deadline after each.

import { andInto, popcount32, wordsFor } from '../kernels/bits.ts';
import type { Visible } from '../order/rank/visible.ts';
import { type Plan, testsDocuments } from '../query/matcher.ts';
import { compileInSteps, matchInSteps } from '../query/steps.ts';
import { CHUNK_DOCS, CHUNK_WORDS, type LeafView } from '../segment/leaf.ts';
import { liveDocs } from '../segment/live-docs.ts';
import { type Deadline, type SearchSteps, untilLate } from './deadline.ts';
import type { LeafTask } from './leaf-task.ts';
import type { SearchServices } from './services.ts';

/** Words of the bitmap of a chunk that lie within the leaf. */
export function chunkWords(docCount: number, chunk: number): number {
  return Math.min(CHUNK_WORDS, wordsFor(docCount) - chunk * CHUNK_WORDS);
}

/**
 * The matches of a leaf, dead documents included except where documents are tested one by one; undefined when everything
 * matches. Incomplete when the time was up.
 */
export function* matchLeaf(
  view: LeafView,
  plan: Plan,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<Uint32Array | undefined> {
  if (plan.matchesAll) return undefined;
  const { leaf } = view;
  const cached = services.caches.filters.peek(plan, leaf);
  if (cached !== undefined) return cached;
  const chunks = Math.ceil(leaf.docCount / CHUNK_DOCS);
  const bits = new Uint32Array(chunks * CHUNK_WORDS);
  const matcher = yield* untilLate(compileInSteps(plan, leaf), deadline);
  if (matcher === undefined) return bits;
  const candidates = testsDocuments(plan) ? new Uint32Array(CHUNK_WORDS) : undefined;
  for (let chunk = 0; chunk < chunks; chunk++) {
    const words = bits.subarray(chunk * CHUNK_WORDS, (chunk + 1) * CHUNK_WORDS);
    if (candidates !== undefined) liveDocs(view, chunk, candidates);
    yield* untilLate(matchInSteps(matcher, chunk, words, candidates), deadline);
    if (candidates !== undefined) andInto(words, candidates);
    yield;
    if (deadline.late) return bits;
  }
  return services.caches.filters.set(plan, leaf, bits);
}

/** The documents of a leaf that a search may show. */
export function* visibleMatches(
  task: LeafTask,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<Visible> {
  const matches = yield* matchLeaf(task.view, task.plan, services, deadline);
  return {
    view: task.view,
    filterKey: task.plan.matchesAll ? '' : task.plan.key,
    matches,
    cacheable: !deadline.late,
  };
}

/** How many documents of a bitmap in document order are visible; all `docCount` where there is no bitmap. */
export function countVisible(bits: Uint32Array | undefined, docCount: number): number {
  if (bits === undefined) return docCount;
  let n = 0;
  for (let w = 0; w < bits.length; w++) n += popcount32(bits[w]!);
  return n;
}

/** Keeps the first `n` set bits of a bitmap and clears the rest. */
export function keepFirst(bits: Uint32Array, n: number): void {
  let left = n;
  for (let w = 0; w < bits.length; w++) {
    let word = bits[w]!;
    const count = popcount32(word);
    if (count <= left) {
      left -= count;
      continue;
    }
    let kept = 0;
    for (; left > 0; left--) {
      kept |= word & -word;
      word &= word - 1;
    }
    bits[w] = kept;
  }
}
