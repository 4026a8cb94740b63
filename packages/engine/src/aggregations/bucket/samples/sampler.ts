// `sampler` and `diversified_sampler`: the best documents of each index by score, the latter with a limit on how
// many share a value.

import type { AggregationResult } from '../../../api.ts';
import { EngineError, illegalArgument } from '../../../errors.ts';
import { parsingError } from '../../../query/errors.ts';
import type { Steps } from '../../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../../collect/aggregator.ts';
import { DocCounts } from '../../collect/counts.ts';
import { DeferredDocs } from '../../collect/deferred-docs.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../../request/values-spec.ts';
import { fieldsOf, isNumeric, unsupportedField } from '../../values/fields.ts';
import { NumericSource } from '../../values/numeric-source.ts';
import { OrdinalSource } from '../../values/ordinal-source.ts';
import { BestDocs, comparePlaces, type SampleDoc } from './best-docs.ts';

interface SamplerOptions {
  /** Documents of each index. */
  readonly size: number;
  /** The field whose values are limited; undefined without one. */
  readonly values: ValuesSpec | undefined;
  readonly perValue: number;
}

/** Bytes of a candidate. */
const CANDIDATE_BYTES = 64;

class Sampler implements Aggregator {
  readonly needsScores = true;
  readonly #options: SamplerOptions;
  readonly #place: AggregationPlace;
  readonly #keys: SampleKeys | undefined;
  /** By bucket and index. */
  readonly #samples: (BestDocs | undefined)[] = [];
  readonly #buckets: { readonly number: number; readonly best: BestDocs }[] = [];
  readonly #counts = new DocCounts();
  #leaf: AggregationLeaf | undefined;

  constructor(options: SamplerOptions, place: AggregationPlace) {
    this.#options = options;
    this.#place = place;
    if (options.values !== undefined) this.#keys = new SampleKeys(options.values, place);
  }

  *prepare(): Steps<void> {
    // Checked here, not in the constructor: OpenSearch reports other errors first, and accepts this one on an empty index.
    const hasDocuments = this.#place.context.views.some(({ leaves }) => leaves.length > 0);
    if (hasDocuments && this.#keys?.isMapped !== false && this.#place.subs.isEmpty)
      throw new EngineError(
        'aggregation_execution_exception',
        'Sampler aggregation must be used with child aggregations.',
      );
    if (this.#keys !== undefined) yield* this.#keys.prepare();
    yield* this.#place.subs.prepare();
  }

  enter(leaf: AggregationLeaf): void {
    this.#leaf = leaf;
    this.#keys?.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    if (this.#keys?.isMappedHere === false) return;
    const { docs, buckets, count } = batch;
    const leaf = this.#leaf!;
    const keys = this.#keys?.of(batch);
    const { size, perValue } = this.#options;
    const width = this.#place.context.views.length;
    for (let i = 0; i < count; i++) {
      const number = buckets[i]!;
      const at = number * width + leaf.indexPlace;
      let best = this.#samples[at];
      if (best === undefined) {
        this.#place.context.claimBytes(CANDIDATE_BYTES * Math.min(size, 100));
        this.#samples[at] = best = new BestDocs(size, keys === undefined ? size : perValue);
        this.#buckets.push({ number, best });
      }
      const doc = docs[i]!;
      const score = Math.fround(leaf.scores![doc & 0xffff]!);
      best.add({ leaf, doc, score, key: keys?.[i] ?? 0 });
    }
  }

  *finish(): Steps<void> {
    const { subs, context } = this.#place;
    const chosen: { readonly number: number; readonly doc: SampleDoc }[] = [];
    for (const { number, best } of this.#buckets) {
      for (const doc of best.best()) {
        chosen.push({ number, doc });
        this.#counts.add(number);
      }
      yield;
    }
    chosen.sort((a, b) => comparePlaces(a.doc, b.doc) || a.number - b.number);
    const deferred = new DeferredDocs(context, subs.needsScores);
    let place = -1;
    for (const { number, doc } of chosen) {
      if (doc.leaf.place !== place) deferred.enter(doc.leaf);
      place = doc.leaf.place;
      deferred.add(doc.doc, number, doc.score);
    }
    yield* deferred.replay(subs);
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { meta, subs } = this.#place;
    const aggregations = this.#keys?.isMapped === false ? new Map() : yield* subs.results(bucket);
    return { shape: 'bucket', typeName: 'sampler', meta, docCount: this.#counts.of(bucket), aggregations };
  }

  number(bucket: number, path: readonly string[], key: string): number | undefined {
    if (path.length > 0) return this.#place.subs.number(bucket, path, key);
    return key === '' || key === 'doc_count' || key === '_count' ? this.#counts.of(bucket) : undefined;
  }
}

/**
 * The values that are limited, as numbers: whole parts of numbers, numbers of terms. As for the peer, a document without a value
 * has that of 0, or of the first term of its index.
 */
class SampleKeys {
  readonly #numbers: NumericSource | undefined;
  readonly #terms: OrdinalSource | undefined;
  /** By index. */
  readonly #isMappedIn: readonly boolean[];
  /** What stands for no value, by index. */
  #absent: readonly number[] = [];
  #keys = new Float64Array(0);
  #indexPlace = 0;

  constructor(values: ValuesSpec, { context, type }: AggregationPlace) {
    const fields = fieldsOf(values.field, context.views);
    const first = fields.find((field) => field !== undefined);
    this.#isMappedIn = fields.map((field) => field !== undefined || values.missing !== undefined);
    if (first?.kind === 'ip') throw unsupportedField(values.field, first.kind, type);
    if (first !== undefined && isNumeric(first))
      this.#numbers = new NumericSource(values, context, type, 'keyword');
    else this.#terms = new OrdinalSource(values, context, type);
  }

  get isMapped(): boolean {
    return this.#numbers?.isMapped ?? this.#terms!.isMapped;
  }

  /** Whether the index of the current leaf has the field, or a value for what is missing. Others have no samples. */
  get isMappedHere(): boolean {
    return this.isMapped && (this.#isMappedIn[this.#indexPlace]! || !this.#isMappedIn.includes(true));
  }

  *prepare(): Steps<void> {
    const terms = this.#terms;
    if (terms === undefined) return;
    yield* terms.prepare();
    this.#absent = this.#isMappedIn.map((_, place) => terms.firstOf(place));
  }

  enter(leaf: AggregationLeaf): void {
    this.#indexPlace = leaf.indexPlace;
    this.#numbers?.enter(leaf);
    this.#terms?.enter(leaf);
  }

  /** The key of each document of a batch. Valid until the next call. */
  of(batch: AggregationBatch): Float64Array {
    if (this.#keys.length < batch.count) this.#keys = new Float64Array(batch.count);
    const keys = this.#keys;
    const numbers = this.#numbers?.rows(batch);
    const terms = this.#terms?.rows(batch);
    const { docs, buckets, count } = (numbers ?? terms)!;
    const absent = this.#absent[this.#indexPlace] ?? 0;
    let row = 0;
    for (let i = 0; i < batch.count; i++) {
      keys[i] = absent;
      if (row === count || docs[row] !== batch.docs[i] || buckets[row] !== batch.buckets[i]) continue;
      keys[i] = numbers === undefined ? terms!.ordinals[row]! : Math.trunc(numbers.values[row]!);
      row++;
      if (row < count && docs[row] === batch.docs[i] && buckets[row] === batch.buckets[i])
        throw illegalArgument('Sample diversifying key must be a single valued-field');
    }
    return keys;
  }
}

const DEFAULT_SIZE = 100;

export const SAMPLER: AggregationKind<SamplerOptions> = {
  role: 'bucket',
  name: 'sampler',
  parse: (body, name) => {
    let size = DEFAULT_SIZE;
    for (const [key, value] of Object.entries(body)) {
      if (key !== 'shard_size' || typeof value !== 'number')
        throw parsingError(`Unsupported property "${key}" for aggregation "${name}`);
      size = Math.trunc(value);
    }
    return { size: checkedSize(size), values: undefined, perValue: size };
  },
  create: (options, place) => new Sampler(options, place),
};

function checkedSize(size: number): number {
  if (size > 0) return size;
  throw illegalArgument(`[shard_size] must be greater than 0. Found [${size}]`);
}

const HINTS: readonly string[] = ['map', 'bytes_hash', 'global_ordinals'];

export const DIVERSIFIED_SAMPLER: AggregationKind<SamplerOptions> = {
  role: 'bucket',
  name: 'diversified_sampler',
  parse: (body, name) => {
    const members = new Members('diversified_sampler', body);
    const size =
      members.read('shard_size', () => checkedSize(members.integer('shard_size')!)) ?? DEFAULT_SIZE;
    const perValue = members.read('max_docs_per_value', () => {
      const most = members.integer('max_docs_per_value')!;
      if (most >= 0) return most;
      throw illegalArgument(
        `[maxDocsPerValue] must be greater than or equal to 0. Found [${most}] in [${name}]`,
      );
    });
    const hint = members.text('execution_hint');
    if (hint !== undefined && !HINTS.includes(hint))
      throw illegalArgument(`Unknown \`execution_hint\`: [${hint}], expected any of [${HINTS.join(', ')}]`);
    const values = readValuesSpec(members);
    members.end();
    return { size, values, perValue: perValue ?? 1 };
  },
  create: (options, place) => new Sampler(options, place),
};
