// Counts the documents of a leaf at once: on one level by ordinal, and on a level below by pair of ordinals.

import type { Steps } from '../../query/steps.ts';
import { type AggregationLeaf, BATCH_DOCS, type LeafMatches } from '../collect/aggregator.ts';
import { NO_NUMBER } from '../collect/bucket-numbers.ts';
import type { BucketTable } from '../collect/bucket-table.ts';
import type { CountedLevel } from '../collect/counted-level.ts';
import type { OrdinalRowSource } from '../collect/ordinal-rows.ts';
import type { SubAggregators } from '../collect/sub-aggregators.ts';
import { countLeaf, type PairSource, pairSource } from '../values/leaf-counts.ts';

/** A level at the top of the tree. */
interface TopLevel {
  readonly source: OrdinalRowSource;
  readonly table: BucketTable;
  readonly subs: SubAggregators;
  /** The number of the bucket of an ordinal. */
  readonly add: (parent: number, ordinal: number) => number;
}

/** Collects all matches of the leaf; false where a level has to be given documents in batches. */
export function* collectCounts(
  { source, table, subs, add }: TopLevel,
  leaf: AggregationLeaf,
  matches: LeafMatches,
): Steps<boolean> {
  const levels = subs.countedLevels();
  if (levels === undefined) return false;
  const outer = source.counted?.();
  const pairs: PairSource[] = [];
  for (const { source: inner } of levels) {
    const isPaired = outer !== undefined && outer.missingOrdinal < 0 && inner.missingOrdinal < 0;
    const found = isPaired ? yield* pairSource(leaf, matches, outer, inner) : undefined;
    if (found === undefined) return false;
    pairs.push(found);
  }
  const found = yield* source.countLeaf(leaf, matches);
  if (found === undefined) return false;
  const numbers = table.countLeaf(found, add);
  for (const [i, pair] of pairs.entries()) {
    const counts = yield* countLeaf(leaf, matches, pair);
    yield* passPairs(levels[i]!, counts!, pair.stride, numbers);
  }
  return true;
}

/** Passes the counts of pairs to the level below; `numbers` are those of the outer ordinals. */
function* passPairs(
  level: CountedLevel,
  counts: Uint32Array,
  stride: number,
  numbers: Uint32Array,
): Steps<void> {
  const most = Math.min(counts.length, BATCH_DOCS);
  const array = (): Uint32Array => new Uint32Array(most);
  const rows = { buckets: array(), ordinals: array(), docs: array(), count: 0 };
  for (let outer = 0; outer < numbers.length; outer++) {
    const bucket = numbers[outer]!;
    if (bucket === NO_NUMBER) continue;
    for (let inner = 0, at = outer * stride; inner < stride; inner++, at++) {
      if (counts[at] === 0) continue;
      if (rows.count === most) {
        level.addCounts(rows);
        rows.count = 0;
        yield;
      }
      const row = rows.count++;
      rows.buckets[row] = bucket;
      rows.ordinals[row] = inner;
      rows.docs[row] = counts[at]!;
    }
  }
  if (rows.count > 0) level.addCounts(rows);
}
