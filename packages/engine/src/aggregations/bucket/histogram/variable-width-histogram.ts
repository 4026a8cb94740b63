// `variable_width_histogram`: clusters of near values.

import type { AggregationBucket, AggregationMembers, AggregationResult } from '../../../api.ts';
import { illegalArgument } from '../../../errors.ts';
import type { FieldKind } from '../../../mapping/types/type.ts';
import type { Steps } from '../../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../../collect/aggregator.ts';
import { DeferredDocs } from '../../collect/deferred-docs.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../../request/values-spec.ts';
import { unsupportedField } from '../../values/fields.ts';
import { NumericSource } from '../../values/numeric-source.ts';
import { type MergedCluster, mergeClusters } from './merge-clusters.ts';
import { initialClusters, ValueClusters } from './value-clusters.ts';

interface VariableOptions {
  readonly values: ValuesSpec;
  readonly wanted: number;
  /** Clusters of one index at most. */
  readonly shardSize: number;
  readonly bufferSize: number;
}

const REFUSED: ReadonlySet<FieldKind> = new Set<FieldKind>(['date', 'date_nanos', 'boolean']);

class VariableWidthHistogram implements Aggregator {
  readonly #options: VariableOptions;
  readonly #place: AggregationPlace;
  readonly #source: NumericSource;
  /** By index. */
  readonly #indices: readonly ValueClusters[];
  readonly #deferred: DeferredDocs;
  #clusters: ValueClusters | undefined;
  #shown: readonly MergedCluster[] = [];

  constructor(options: VariableOptions, place: AggregationPlace) {
    const { values, wanted, shardSize, bufferSize } = options;
    if (bufferSize < wanted)
      throw illegalArgument(
        `initial_buffer must be at least buckets but was [${bufferSize}<${wanted}] for [${place.name}]`,
      );
    if (initialClusters(shardSize) < wanted)
      throw illegalArgument(
        `3/4 of shard_size must be at least buckets but was [${initialClusters(shardSize)}<${wanted}] for [${place.name}]`,
      );
    this.#options = options;
    this.#place = place;
    this.#source = new NumericSource(values, place.context, place.type);
    const { kind } = this.#source;
    if (kind !== undefined && REFUSED.has(kind)) throw unsupportedField(values.field, kind, place.type);
    this.#indices = place.context.views.map(() => new ValueClusters(shardSize, bufferSize));
    this.#deferred = new DeferredDocs(place.context, place.subs.needsScores);
  }

  get needsScores(): boolean {
    return this.#place.subs.needsScores;
  }

  *prepare(): Steps<void> {
    yield* this.#place.subs.prepare();
  }

  enter(leaf: AggregationLeaf): void {
    this.#source.enter(leaf);
    this.#deferred.enter(leaf);
    this.#clusters = this.#indices[leaf.indexPlace];
  }

  collect(batch: AggregationBatch): void {
    const { docs, buckets, values, count } = this.#source.rows(batch);
    const clusters = this.#clusters!;
    const hasSubs = !this.#place.subs.isEmpty;
    for (let i = 0; i < count; i++) {
      if (buckets[i] !== 0)
        throw illegalArgument(
          '[variable_width_histogram] cannot be nested inside an aggregation that collects more than a single bucket.',
        );
      if (i > 0 && docs[i] === docs[i - 1] && values[i] === values[i - 1]) continue;
      const ticket = clusters.add(values[i]!);
      if (hasSubs) this.#deferred.add(docs[i]!, ticket);
    }
  }

  *finish(): Steps<void> {
    const { subs } = this.#place;
    const clusters = this.#indices.map((each) => each.finish());
    yield;
    this.#shown = yield* mergeClusters(clusters, this.#options.wanted);
    const numbers = clusters.map((own) => new Uint32Array(own.length));
    for (const [shown, { parts }] of this.#shown.entries())
      for (const { index, number } of parts) numbers[index]![number] = shown;
    let own: ValueClusters | undefined;
    let numberOf = new Uint32Array(0);
    const indices = this.#indices;
    yield* this.#deferred.replay({
      *enter(leaf) {
        own = indices[leaf.indexPlace];
        numberOf = numbers[leaf.indexPlace]!;
        yield* subs.enter(leaf);
      },
      collect({ docs, buckets, count }) {
        let last = -1;
        for (let i = 0; i < count; i++) {
          const number = numberOf[own!.clusterOf(buckets[i]!)]!;
          // Values of a document ascend, so those of one cluster follow each other.
          if (number === last && docs[i] === docs[i - 1]) continue;
          last = number;
          subs.add(docs[i]!, number);
        }
        subs.flush();
      },
    });
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { subs, meta, context } = this.#place;
    const shown = bucket === 0 ? this.#shown : [];
    context.countBuckets(shown.length);
    const buckets: AggregationBucket[] = [];
    for (const [number, { min, mean, max, count }] of shown.entries()) {
      const aggregations = yield* subs.results(number);
      const text = this.#source.format.text(mean);
      buckets.push({
        name: text,
        key: mean,
        members: this.#members(min, mean, max),
        docCount: count,
        aggregations,
      });
      if (number % 256 === 255) yield;
    }
    return { shape: 'buckets', typeName: this.#place.type, meta, head: {}, buckets, keyed: false };
  }

  #members(min: number, key: number, max: number): AggregationMembers {
    const { format } = this.#source;
    if (format.isRaw) return { min, key, max };
    return {
      min,
      min_as_string: format.text(min),
      key,
      key_as_string: format.text(key),
      max,
      max_as_string: format.text(max),
    };
  }
}

const DEFAULT_BUCKETS = 10;
/** Clusters of an index for each bucket that is wanted. */
const CLUSTERS_PER_BUCKET = 50;
const BUFFERED_PER_CLUSTER = 10;
const MAX_BUFFERED = 50_000;

/** Reads a size that must be greater than `least`. */
function readSize(members: Members, member: string, least: number, name: string): number | undefined {
  return members.read(member, () => {
    const size = members.integer(member)!;
    if (size > least) return size;
    throw illegalArgument(`${member} must be greater than [${least}] for [${name}]`);
  });
}

export const VARIABLE_WIDTH_HISTOGRAM: AggregationKind<VariableOptions> = {
  role: 'bucket',
  name: 'variable_width_histogram',
  parse: (body, name) => {
    const members = new Members('variable_width_histogram', body);
    const wanted = readSize(members, 'buckets', 0, name) ?? DEFAULT_BUCKETS;
    const shardSize = readSize(members, 'shard_size', 1, name) ?? wanted * CLUSTERS_PER_BUCKET;
    const bufferSize =
      readSize(members, 'initial_buffer', 0, name) ??
      Math.min(shardSize * BUFFERED_PER_CLUSTER, MAX_BUFFERED);
    const values = readValuesSpec(members);
    members.end();
    return { values, wanted, shardSize, bufferSize };
  },
  create: (options, place) => new VariableWidthHistogram(options, place),
};
