// `terms`: one bucket for each value of a field, the best of them by count, key, or a number of a
// sub-aggregation.

import type { AggregationBucket, AggregationResult } from '../../../api.ts';
import { compareKeys } from '../../../mapping/types/sortable-key.ts';
import type { Steps } from '../../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator, LeafMatches } from '../../collect/aggregator.ts';
import type { CountedLevel } from '../../collect/counted-level.ts';
import { bucketComparison, firstBuckets } from '../../collect/order-buckets.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { type BucketOrder, readBucketOrder } from '../../request/bucket-order.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../../request/values-spec.ts';
import { type TermBuckets, termBuckets } from './term-buckets.ts';
import { readTermSelection, type TermSelection } from './term-selection.ts';

interface TermsOptions {
  readonly values: ValuesSpec;
  readonly size: number;
  readonly shardSize: number;
  readonly minDocCount: number;
  readonly shardMinDocCount: number;
  readonly order: readonly BucketOrder[];
  readonly showError: boolean;
  readonly selection: TermSelection;
}

class Terms implements Aggregator {
  readonly #options: TermsOptions;
  readonly #place: AggregationPlace;
  readonly #buckets: TermBuckets;

  constructor(options: TermsOptions, place: AggregationPlace) {
    this.#options = options;
    this.#place = place;
    this.#buckets = termBuckets(options.values, options.selection, place);
  }

  get needsScores(): boolean {
    return this.#place.subs.needsScores;
  }

  prepare(): Steps<void> {
    return this.#buckets.prepare();
  }

  enter(leaf: AggregationLeaf): Steps<void> {
    return this.#buckets.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    this.#buckets.collect(batch);
  }

  collectLeaf(leaf: AggregationLeaf, matches: LeafMatches): Steps<boolean> {
    return this.#buckets.collectLeaf(leaf, matches);
  }

  countedLevel(): CountedLevel | undefined {
    return this.#buckets.countedLevel();
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { size, shardSize, minDocCount, shardMinDocCount, order } = this.#options;
    const { subs, meta, context } = this.#place;
    const { table, isMapped, space } = this.#buckets;
    const added = minDocCount === 0 ? yield* this.#buckets.addEmpty(bucket) : undefined;
    const members = added ?? table.membersOf(bucket);
    let others = 0;
    let candidates = 0;
    const eligible = new Uint32Array(members.length);
    for (let i = 0; i < members.length; i++) {
      const count = table.docCounts[members[i]!]!;
      others += count;
      if (count >= shardMinDocCount) eligible[candidates++] = members[i]!;
      if (i % 65_536 === 65_535) yield;
    }
    const compare = bucketComparison(order, subs, {
      docCount: (number) => table.docCounts[number]!,
      compareKeys: (a, b) => compareKeys(table.hi[a]!, table.lo[a]!, table.hi[b]!, table.lo[b]!),
    });
    // As on a shard of the peer, so many buckets compete for the counts of others.
    const first = yield* firstBuckets(eligible.subarray(0, candidates), shardSize, compare);
    yield;
    const error = isSureOrder(order) || candidates < shardSize ? 0n : -1n;
    const shown: AggregationBucket[] = [];
    for (const number of first) {
      const docCount = table.docCounts[number]!;
      if (docCount < minDocCount) {
        others -= docCount;
        continue;
      }
      if (shown.length === size) continue;
      others -= docCount;
      context.countBuckets(1);
      const aggregations = yield* subs.results(number);
      const extra = this.#options.showError ? { doc_count_error_upper_bound: error } : {};
      shown.push({ ...this.#buckets.keyOf(number), docCount, extra, aggregations });
      if (shown.length % 256 === 0) yield;
    }
    return {
      shape: 'buckets',
      typeName: isMapped ? TYPE_NAMES[space] : 'sterms',
      meta,
      head: { doc_count_error_upper_bound: error, sum_other_doc_count: BigInt(others) },
      buckets: shown,
      keyed: false,
    };
  }
}

const TYPE_NAMES = { text: 'sterms', long: 'lterms', unsigned: 'ulterms', double: 'dterms' } as const;

/** Whether the counts of the best buckets are exact whatever the shards. */
export function isSureOrder([first]: readonly BucketOrder[]): boolean {
  return first!.by === '_key' || (first!.by === '_count' && first!.descending);
}

/** How many buckets a shard of the peer keeps: those asked for, or some more than are shown unless keys decide. */
export function candidatesOf(
  size: number,
  asked: number | undefined,
  [first]: readonly BucketOrder[],
): number {
  return Math.max(size, asked ?? (first!.by === '_key' ? size : Math.floor(size * 1.5 + 10)));
}

const BY_COUNT: readonly BucketOrder[] = [{ by: '_count', descending: true }];

/** Reads `size`: how many buckets there are at most. */
export function readBucketSize(members: Members, name: string, preset: number): number {
  const size = members.integer('size') ?? preset;
  if (size > 0) return size;
  throw members.refused('size', `[size] must be greater than 0. Found [${size}] in [${name}]`);
}

/** Reads a count that must not be negative. */
export function readMinimum(members: Members, member: string, name: string, preset: number): number {
  const minimum = members.integer(member) ?? preset;
  if (minimum >= 0) return minimum;
  throw members.refused(
    member,
    `[${member}] must be greater than or equal to 0. Found [${minimum}] in [${name}]`,
  );
}

export const TERMS: AggregationKind<TermsOptions> = {
  role: 'bucket',
  name: 'terms',
  parse: (body, name) => {
    const members = new Members('terms', body);
    const size = readBucketSize(members, name, 10);
    const asked = members.integer('shard_size') ?? -1;
    if (members.has('shard_size') && asked <= 0)
      throw members.refused(
        'shard_size',
        `[shardSize] must be greater than 0. Found [${asked}] in [${name}]`,
      );
    const order = readBucketOrder(members, BY_COUNT);
    const shardSize = candidatesOf(size, asked > 0 ? asked : undefined, order);
    const minDocCount = readMinimum(members, 'min_doc_count', name, 1);
    const shardMinDocCount = readMinimum(members, 'shard_min_doc_count', name, 0);
    const showError = members.flag('show_term_doc_count_error') ?? false;
    members.choice('collect_mode', ['depth_first', 'breadth_first']);
    members.text('execution_hint');
    const selection = readTermSelection(members);
    const values = readValuesSpec(members);
    members.end();
    const least = Math.min(shardMinDocCount, minDocCount);
    return { values, size, shardSize, minDocCount, shardMinDocCount: least, order, showError, selection };
  },
  create: (options, place) => new Terms(options, place),
};
