// Pages a sort that mixes `_score` with fields: one scan keeps what may still be on the page. Candidates
// collect in a buffer of twice the depth, which is sorted and halved whenever it is full.

import { type Cursor, compareDocs, compareToCursor, type Side } from '../../order/compare.ts';
import { chunkDocs, listDocs } from '../../query/node/chunk-docs.ts';
import { CHUNK_DOCS } from '../../segment/leaf.ts';
import type { Deadline, SearchSteps } from '../deadline.ts';
import type { LeafTask } from '../leaf-task.ts';
import type { DocumentPage, PageDoc } from '../page/document-page.ts';
import type { PageRange } from '../request/cursor.ts';
import { type ScoreOptions, scanMatches } from './scored-scan.ts';

const MIN_BUFFER = 512;

/** A page in the order of a sort that has `_score` among its entries. O(matches · log depth). */
export function* mixedSortPage(
  tasks: readonly LeafTask[],
  sides: readonly Side[],
  range: PageRange,
  options: ScoreOptions,
  deadline: Deadline,
): SearchSteps<DocumentPage> {
  const { from, size, cursor, backwards } = range;
  const depth = from + size;
  const sign = backwards ? -1 : 1;
  const capacity = Math.max(2 * depth, MIN_BUFFER);
  const order = (a: PageDoc, b: PageDoc): number =>
    sign * compareDocs(a.side, a.doc, a.score, b.side, b.doc, b.score);
  let buffer: PageDoc[] = [];
  let worst: PageDoc | undefined;
  let excluded = 0;
  let maxScore = Number.NaN;
  const { total, cutShort } = yield* scanMatches(tasks, options, deadline, (task, chunk, bits, scores) => {
    const side = sides[task.place]!;
    const n = listDocs(bits);
    for (let i = 0; i < n; i++) {
      const low = chunkDocs[i]!;
      const doc = chunk * CHUNK_DOCS + low;
      const score = Math.fround(scores[low]!);
      if (!(score <= maxScore)) maxScore = score;
      if (isBehind(side, doc, score, cursor, sign)) {
        excluded++;
        continue;
      }
      if (
        worst !== undefined &&
        sign * compareDocs(side, doc, score, worst.side, worst.doc, worst.score) > 0
      ) {
        continue;
      }
      buffer.push({ side, doc, score });
      if (buffer.length >= capacity) {
        buffer = buffer.sort(order).slice(0, depth);
        worst = buffer.at(-1);
      }
    }
  });
  const docs = buffer.sort(order).slice(from, depth);
  const left = total - excluded;
  const ahead = left > from + docs.length;
  const behind = excluded > 0 || (from > 0 && left > 0);
  if (backwards) docs.reverse();
  return {
    docs,
    total,
    before: backwards ? ahead : behind,
    after: backwards ? behind : ahead,
    maxScore,
    cutShort,
  };
}

function isBehind(side: Side, doc: number, score: number, cursor: Cursor | undefined, sign: number): boolean {
  return cursor !== undefined && sign * compareToCursor(side, doc, score, cursor) <= 0;
}
