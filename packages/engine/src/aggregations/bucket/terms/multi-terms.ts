// `multi_terms`: one bucket for each combination of the values of several fields.

import type { AggregationBucket, AggregationResult, AggregationValue } from '../../../api.ts';
import { isObject } from '../../../query/parameters.ts';
import type { Steps } from '../../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../../collect/aggregator.ts';
import { BucketNumbers } from '../../collect/bucket-numbers.ts';
import { BucketTable } from '../../collect/bucket-table.ts';
import { bucketComparison, firstBuckets } from '../../collect/order-buckets.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { type BucketOrder, readBucketOrder } from '../../request/bucket-order.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../../request/values-spec.ts';
import { type KeySource, numberKeys, textKeys } from '../../values/key-source.ts';
import { RowProduct } from '../../values/row-product.ts';
import { javaNumber } from '../../values/value-format.ts';
import { isNumericField } from './term-buckets.ts';
import { candidatesOf, isSureOrder, readBucketSize, readMinimum } from './terms.ts';

interface MultiTermsOptions {
  readonly fields: readonly ValuesSpec[];
  readonly size: number;
  readonly shardSize: number;
  readonly minDocCount: number;
  readonly order: readonly BucketOrder[];
  readonly showError: boolean;
}

class MultiTerms implements Aggregator {
  readonly #options: MultiTermsOptions;
  readonly #place: AggregationPlace;
  readonly #sources: readonly KeySource[];
  readonly #product: RowProduct;
  readonly #table: BucketTable;
  readonly #numbers = new BucketNumbers();

  constructor(options: MultiTermsOptions, place: AggregationPlace) {
    const { context } = place;
    this.#options = options;
    this.#place = place;
    this.#sources = options.fields.map((field) =>
      isNumericField(field, place)
        ? numberKeys(field, context, 'multi_terms')
        : textKeys(field, context, 'multi_terms'),
    );
    this.#product = new RowProduct(this.#sources, context);
    this.#table = new BucketTable(context);
  }

  get needsScores(): boolean {
    return this.#place.subs.needsScores;
  }

  *prepare(): Steps<void> {
    yield* this.#product.prepare();
    yield* this.#place.subs.prepare();
  }

  *enter(leaf: AggregationLeaf): Steps<void> {
    this.#product.enter(leaf);
    yield* this.#place.subs.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    const rows = this.#product.rows(batch);
    const table = this.#table;
    const add = (parent: number, combination: number): number =>
      this.#numbers.isComplete ? table.append(parent, 0, combination) : table.add(parent, 0, combination);
    const numbers = this.#numbers.of(rows, this.#product.width, add, table);
    this.#place.subs.addAll(batch, rows, numbers, this.#numbers.hasNone);
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { size, shardSize, minDocCount, order, showError } = this.#options;
    const { subs, meta, context } = this.#place;
    const table = this.#table;
    const product = this.#product;
    const members = table.membersOf(bucket);
    const compare = bucketComparison(order, subs, {
      docCount: (number) => table.docCounts[number]!,
      compareKeys: (a, b) => {
        for (let field = 0; field < this.#sources.length; field++) {
          const order = product.compareField(field, table.lo[a]!, table.lo[b]!);
          if (order !== 0) return order;
        }
        return 0;
      },
    });
    const first = yield* firstBuckets(members, shardSize, compare);
    yield;
    let others = members.reduce((sum, number) => sum + table.docCounts[number]!, 0);
    const error = isSureOrder(order) || members.length < shardSize ? 0n : -1n;
    const buckets: AggregationBucket[] = [];
    for (const number of first) {
      const docCount = table.docCounts[number]!;
      if (docCount >= minDocCount && buckets.length === size) continue;
      others -= docCount;
      if (docCount < minDocCount) continue;
      context.countBuckets(1);
      const key = this.#keyOf(table.lo[number]!);
      const name = key.map((each) => (typeof each === 'number' ? javaNumber(each) : String(each))).join('|');
      const aggregations = yield* subs.results(number);
      const extra = showError ? { doc_count_error_upper_bound: error } : {};
      buckets.push({ name, key, members: { key, key_as_string: name }, docCount, extra, aggregations });
      if (buckets.length % 256 === 0) yield;
    }
    const head = { doc_count_error_upper_bound: error, sum_other_doc_count: BigInt(others) };
    return { shape: 'buckets', typeName: 'multi_terms', meta, head, buckets, keyed: false };
  }

  #keyOf(combination: number): readonly AggregationValue[] {
    return this.#product.keysOf(combination).map(({ hi, lo }, i) => this.#sources[i]!.value(hi, lo));
  }
}

const BY_COUNT: readonly BucketOrder[] = [{ by: '_count', descending: true }];

export const MULTI_TERMS: AggregationKind<MultiTermsOptions> = {
  role: 'bucket',
  name: 'multi_terms',
  parse: (body, name) => {
    const members = new Members('multi_terms', body);
    const list = members.list('terms') ?? [];
    if (list.length < 2)
      throw members.refused(
        'terms',
        `The [terms] parameter in the aggregation [${name}] must be present and have at least 2 fields or scripts.`,
      );
    const fields = list.map((each) => {
      if (!isObject(each)) throw members.wrongType('terms', each);
      const own = new Members('multi_terms', each);
      const spec = readValuesSpec(own);
      own.end();
      return spec;
    });
    const size = readBucketSize(members, name, 10);
    const order = readBucketOrder(members, BY_COUNT);
    const shardSize = candidatesOf(size, members.integer('shard_size'), order);
    const minDocCount = readMinimum(members, 'min_doc_count', name, 1);
    readMinimum(members, 'shard_min_doc_count', name, 0);
    const showError = members.flag('show_term_doc_count_error') ?? false;
    members.choice('collect_mode', ['depth_first', 'breadth_first']);
    members.end();
    return { fields, size, shardSize, minDocCount, order, showError };
  },
  create: (options, place) => new MultiTerms(options, place),
};
