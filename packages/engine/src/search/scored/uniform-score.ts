// The one score that all matches of an index get, where its plan does not rank them: by the plan, else by
// scoring one match.

import { andInto, setBit } from '../../kernels/bits.ts';
import { CHUNK_DOCS, CHUNK_WORDS } from '../../segment/leaf.ts';
import type { LeafTask } from '../leaf-task.ts';

// Scratch for synchronous use; every score that is written is zeroed again.
const matched = new Uint32Array(CHUNK_WORDS);
const selected = new Uint32Array(CHUNK_WORDS);
const scores = new Float64Array(CHUNK_DOCS);

/** The scores of some documents of a leaf, as float32 values; NaN for those that do not match. */
function scoreDocs(task: LeafTask, docs: readonly number[]): number[] {
  const matcher = task.plan.matcher(task.view.leaf);
  const out: number[] = new Array(docs.length).fill(Number.NaN);
  const byChunk = Map.groupBy(docs.keys(), (i) => docs[i]! >>> 16);
  for (const [chunk, members] of byChunk) {
    selected.fill(0);
    for (const i of members) setBit(selected, docs[i]! & 0xffff);
    if (!matcher.match(chunk, matched, selected) || !andInto(selected, matched)) continue;
    matcher.score(chunk, selected, scores);
    for (const i of members) {
      const low = docs[i]! & 0xffff;
      if ((selected[low >>> 5]! >>> (low & 31)) & 1) out[i] = Math.fround(scores[low]!);
    }
    for (const i of members) scores[docs[i]! & 0xffff] = 0;
  }
  return out;
}

/** The one score of a plan that gives every match the same; NaN where the leaf has no match. */
export function uniformScore(task: LeafTask, matches: Uint32Array | undefined): number {
  if (matches === undefined) return scoreDocs(task, [0])[0]!;
  const word = matches.findIndex((w) => w !== 0);
  if (word < 0) return Number.NaN;
  if (!task.plan.scoring && task.plan.constant !== undefined) return Math.fround(task.plan.constant);
  const bit = matches[word]!;
  return scoreDocs(task, [word * 32 + 31 - Math.clz32(bit & -bit)])[0]!;
}
