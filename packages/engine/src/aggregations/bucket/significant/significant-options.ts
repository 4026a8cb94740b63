// The members that `significant_terms` and `significant_text` have in common, and the choice of their buckets.

import type { AggregationBucket, AggregationResult } from '../../../api.ts';
import { illegalArgument } from '../../../errors.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { Members } from '../../request/members.ts';
import { checkedQuery } from '../filters/filter.ts';
import { readTermSelection, type TermSelection } from '../terms/term-selection.ts';
import { readBucketSize, readMinimum } from '../terms/terms.ts';
import { type Heuristic, readHeuristic } from './heuristics.ts';

/** What is asked of significant terms. */
export interface SignificantOptions {
  readonly size: number;
  readonly minDocCount: number;
  readonly heuristic: Heuristic;
  /** The documents that the bucket is compared with; undefined for all. */
  readonly background: JsonObject | undefined;
  readonly selection: TermSelection;
}

/** Reads the common members. All terms compete, so those for the candidates of a shard have no effect. */
export function readSignificantOptions(members: Members, name: string): SignificantOptions {
  const size = readBucketSize(members, name, 10);
  members.read('shard_size', () => {
    const shardSize = members.integer('shard_size')!;
    if (shardSize > 0) return;
    throw illegalArgument(`[shardSize] must be greater than  0. Found [${shardSize}] in [${name}]`);
  });
  const minDocCount = readMinimum(members, 'min_doc_count', name, 3);
  readMinimum(members, 'shard_min_doc_count', name, 0);
  members.text('execution_hint');
  const heuristic = readHeuristic(members);
  const background = members.object('background_filter');
  if (background !== undefined) checkedQuery(background);
  return { size, minDocCount, heuristic, background, selection: readTermSelection(members) };
}

/** A term of a bucket. */
export interface SignificantTerm {
  /** Its number among the terms. Ascends with the terms. */
  readonly number: number;
  readonly docCount: number;
  readonly backgroundCount: number;
  readonly score: number;
}

/** The most significant terms, best first; the first terms where they are alike. */
export function mostSignificant(
  terms: Iterable<Omit<SignificantTerm, 'score'>>,
  { size, minDocCount, heuristic }: SignificantOptions,
  totals: { readonly own: number; readonly all: number },
  compare: (a: SignificantTerm, b: SignificantTerm) => number,
): SignificantTerm[] {
  const found: SignificantTerm[] = [];
  for (const term of terms) {
    if (term.docCount < minDocCount) continue;
    const { docCount: own, backgroundCount: all } = term;
    const score = heuristic({ own, ownTotal: totals.own, all, allTotal: totals.all });
    if (score > 0) found.push({ ...term, score });
  }
  return found.sort((a, b) => b.score - a.score || compare(a, b)).slice(0, size);
}

/** The result, or that over a field which no index maps. */
export function significantResult(
  typeName: string,
  meta: JsonObject | undefined,
  totals: { readonly own: number; readonly all: number } | undefined,
  buckets: readonly AggregationBucket[],
): AggregationResult {
  const head = totals === undefined ? {} : { doc_count: BigInt(totals.own), bg_count: BigInt(totals.all) };
  return { shape: 'buckets', typeName, meta, head, buckets, keyed: false };
}
