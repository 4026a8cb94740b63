// Scores every match: one pass over the chunks of all leaves in insertion order, with a look at the deadline
// between chunks. A collector decides what becomes of the scored documents.

import { popcount32 } from '../../kernels/bits.ts';
import { testsDocuments } from '../../query/matcher.ts';
import { chunkDocs, listDocs } from '../../query/node/chunk-docs.ts';
import { borrowScores, returnScores } from '../../query/node/node.ts';
import { compileInSteps, matchInSteps, scoreInSteps } from '../../query/steps.ts';
import { CHUNK_DOCS, CHUNK_WORDS } from '../../segment/leaf.ts';
import { liveDocs, maskLive } from '../../segment/live-docs.ts';
import { type Deadline, type SearchSteps, untilLate } from '../deadline.ts';
import { chunkWords, keepFirst } from '../leaf-matches.ts';
import type { LeafTask } from '../leaf-task.ts';

/**
 * Takes the matches of a chunk, at once or in steps. `scores` are doubles by the low 16 bits, not yet rounded;
 * the scan zeroes them afterwards.
 */
export type Collect = (
  task: LeafTask,
  chunk: number,
  bits: Uint32Array,
  scores: Float64Array,
) => SearchSteps<void> | void;

/** What decides which matches are in a list, beside the query. */
export interface ScoreOptions {
  /** Text of the query, boosts included: equal texts score equally on equal views. */
  queryText(): string;
  /** False where no other search can ask for the same list, because its query depends on this moment. */
  readonly isLasting: boolean;
  readonly minScore: number | undefined;
  readonly limitPerIndex: number | undefined;
  /** How far matches must be counted: 0 not at all, Infinity to the end. */
  readonly countTo: number;
}

/** What a scan saw. */
interface ScanResult {
  readonly total: number;
  /** True when an index had more matches than `limitPerIndex`. */
  readonly cutShort: boolean;
}

/** Clears the bits and scores of documents below a score. */
function dropBelow(bits: Uint32Array, words: number, scores: Float64Array, minScore: number): void {
  const n = listDocs(bits, words);
  for (let i = 0; i < n; i++) {
    const doc = chunkDocs[i]!;
    if (Math.fround(scores[doc]!) >= minScore) continue;
    bits[doc >>> 5]! &= ~(1 << (doc & 31));
    scores[doc] = 0;
  }
}

function countChunk(bits: Uint32Array, words: number): number {
  let n = 0;
  for (let w = 0; w < words; w++) n += popcount32(bits[w]!);
  return n;
}

/** Zeroes scores: one by one where few were written, else all of them. */
function clearScores(scores: Float64Array, bits: Uint32Array, words: number, count: number): void {
  if (count > 1_024) {
    scores.fill(0, 0, words * 32);
    return;
  }
  const n = listDocs(bits, words);
  for (let i = 0; i < n; i++) scores[chunkDocs[i]!] = 0;
}

/** Scores every visible match. Stops when the time is up; the total then counts what was seen. */
export function* scanMatches(
  tasks: readonly LeafTask[],
  options: Pick<ScoreOptions, 'minScore' | 'limitPerIndex'>,
  deadline: Deadline,
  collect: Collect,
): SearchSteps<ScanResult> {
  const bits = new Uint32Array(CHUNK_WORDS);
  const seen = new Map<number, number>();
  let total = 0;
  let cutShort = false;
  for (const task of tasks) {
    const matcher = yield* untilLate(compileInSteps(task.plan, task.view.leaf), deadline);
    if (matcher === undefined) return { total, cutShort };
    const candidates = testsDocuments(task.plan) ? new Uint32Array(CHUNK_WORDS) : undefined;
    for (let chunk = 0; chunk * CHUNK_DOCS < task.view.docCount; chunk++) {
      if (deadline.late) return { total, cutShort };
      const before = seen.get(task.indexPlace) ?? 0;
      if (options.limitPerIndex !== undefined && before >= options.limitPerIndex) {
        cutShort = true;
        break;
      }
      if (candidates !== undefined) liveDocs(task.view, chunk, candidates);
      const any = yield* untilLate(matchInSteps(matcher, chunk, bits, candidates), deadline);
      if (any === undefined) return { total, cutShort };
      if (!any) continue;
      maskLive(task.view, chunk, bits);
      const words = chunkWords(task.view.leaf.docCount, chunk);
      const scores = borrowScores();
      const isScored = yield* untilLate(scoreInSteps(matcher, chunk, bits, scores), deadline);
      if (isScored === undefined) return { total, cutShort };
      if (options.minScore !== undefined) dropBelow(bits, words, scores, options.minScore);
      let dropped = false;
      let count = countChunk(bits, words);
      if (options.limitPerIndex !== undefined && before + count > options.limitPerIndex) {
        keepFirst(bits, options.limitPerIndex - before);
        count = options.limitPerIndex - before;
        cutShort = true;
        dropped = true;
      }
      seen.set(task.indexPlace, before + count);
      total += count;
      if (count > 0) {
        const steps = collect(task, chunk, bits, scores);
        if (steps !== undefined) yield* steps;
      }
      if (dropped) scores.fill(0, 0, words * 32);
      else clearScores(scores, bits, words, count);
      returnScores(scores);
      yield;
    }
  }
  return { total, cutShort };
}
