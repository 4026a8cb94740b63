// Plans one value of a boolean field. The peer keeps booleans as terms and scores them by BM25, each document
// having its value once; here they are numbers, and the frequencies of the score are counted from the column.

import { countBits } from '../../kernels/bits.ts';
import type { FieldType, Key64 } from '../../mapping/types/type.ts';
import { averageLength, idf, NO_NORM, normInverses, termScore } from '../../score/bm25.ts';
import { CHUNK_WORDS } from '../../segment/leaf.ts';
import { newBits, type PlanNode } from '../node/node.ts';
import { NumericRangeNode } from '../node/values/numeric-range-node.ts';
import type { Planner } from '../plan/planner.ts';

/** Documents whose boolean field has the value of a key. */
export function booleanNode(planner: Planner, field: FieldType, key: Key64, boost: number): PlanNode {
  const score = planner.scores ? booleanScore(planner, field, key, boost) : boost;
  return new NumericRangeNode(field.path, key, key, score);
}

function booleanScore(planner: Planner, field: FieldType, key: Key64, boost: number): number {
  let present = 0;
  let values = 0;
  let matches = 0;
  const node = new NumericRangeNode(field.path, key, key, 1);
  const bits = newBits();
  for (const { leaf } of planner.view.leaves) {
    const column = leaf.column(field.path);
    if (column?.kind !== 'numeric') continue;
    const here = countBits(column.present, 0, leaf.docCount);
    present += here;
    values += column.starts === undefined ? here : column.starts[leaf.docCount]!;
    const matcher = node.matcher(leaf);
    for (let chunk = 0; chunk * CHUNK_WORDS * 32 < leaf.docCount; chunk++) {
      if (matcher.match(chunk, bits)) matches += countBits(bits, 0, CHUNK_WORDS * 32);
    }
  }
  if (matches === 0) return boost;
  const similarity = planner.similarity(field.path);
  const inverse = normInverses(averageLength(values, present), similarity)[NO_NORM]!;
  return termScore(planner.weight(boost, idf(matches, present), similarity), 1, inverse);
}
