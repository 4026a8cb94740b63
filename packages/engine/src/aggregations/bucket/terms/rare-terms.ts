// `rare_terms`: the values that few documents have, rarest first.

import type { AggregationBucket, AggregationResult } from '../../../api.ts';
import { illegalArgument } from '../../../errors.ts';
import { compareKeys } from '../../../mapping/types/sortable-key.ts';
import type { Steps } from '../../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator, LeafMatches } from '../../collect/aggregator.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../../request/values-spec.ts';
import { type TermBuckets, termBuckets } from './term-buckets.ts';
import { readTermSelection, type TermSelection } from './term-selection.ts';

interface RareTermsOptions {
  readonly values: ValuesSpec;
  readonly selection: TermSelection;
  readonly maxDocCount: number;
}

const MOST_DOCS = 100;

class RareTerms implements Aggregator {
  readonly #options: RareTermsOptions;
  readonly #place: AggregationPlace;
  readonly #buckets: TermBuckets;

  constructor(options: RareTermsOptions, place: AggregationPlace) {
    this.#options = options;
    this.#place = place;
    // As in the peer a document with a number twice counts twice.
    this.#buckets = termBuckets(options.values, options.selection, place, true);
    if (this.#buckets.space === 'double')
      throw illegalArgument('RareTerms aggregation does not support floating point fields.');
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

  *result(bucket: number): Steps<AggregationResult> {
    const { table, isMapped, space } = this.#buckets;
    const { context, subs, meta } = this.#place;
    const { docCounts, hi, lo } = table;
    const rare = table
      .membersOf(bucket)
      .filter((number) => docCounts[number]! <= this.#options.maxDocCount)
      .sort((a, b) => docCounts[a]! - docCounts[b]! || compareKeys(hi[a]!, lo[a]!, hi[b]!, lo[b]!));
    yield;
    context.countBuckets(rare.length);
    const buckets: AggregationBucket[] = [];
    for (const number of rare) {
      const aggregations = yield* subs.results(number);
      const key = this.#buckets.keyOf(number);
      // Unlike `terms`, this prints unsigned longs as texts, too.
      const text = space === 'unsigned' ? { key_as_string: key.name } : {};
      const members = { ...key.members, ...text };
      buckets.push({ ...key, members, docCount: docCounts[number]!, aggregations });
      if (buckets.length % 256 === 0) yield;
    }
    const typeName = isMapped ? (space === 'text' ? 'srareterms' : 'lrareterms') : 'sterms';
    return { shape: 'buckets', typeName, meta, head: {}, buckets, keyed: false };
  }
}

export const RARE_TERMS: AggregationKind<RareTermsOptions> = {
  role: 'bucket',
  name: 'rare_terms',
  parse: (body, name) => {
    const members = new Members('rare_terms', body);
    const maxDocCount = members.integer('max_doc_count') ?? 1;
    if (maxDocCount <= 0)
      throw members.refused(
        'max_doc_count',
        `[max_doc_count] must be greater than 0. Found [${maxDocCount}] in [${name}]`,
      );
    if (maxDocCount > MOST_DOCS)
      throw members.refused(
        'max_doc_count',
        `[max_doc_count] must be smaller than [${MOST_DOCS}] in [${name}]`,
      );
    const precision = members.number('precision');
    if (precision !== undefined && !(precision >= 0.00001))
      throw members.refused('precision', '[precision] must be greater than 0.00001');
    const selection = readTermSelection(members);
    const values = readValuesSpec(members);
    members.end();
    return { values, selection, maxDocCount };
  },
  create: (options, place) => new RareTerms(options, place),
};
