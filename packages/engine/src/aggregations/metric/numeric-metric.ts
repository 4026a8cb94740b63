// The common part of metrics over the values of one numeric field: rows of each batch are added to the
// accumulators of their buckets.

import type { AggregationMembers, AggregationResult, MetricResult } from '../../api.ts';
import type { JsonObject } from '../../json/value.ts';
import { wordsFor } from '../../kernels/bits.ts';
import type { Steps } from '../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator, LeafMatches } from '../collect/aggregator.ts';
import { grown } from '../collect/bucket-table.ts';
import type { NumericSource } from '../values/numeric-source.ts';
import type { ValueFormat } from '../values/value-format.ts';

/** Words of a bitmap between two yields. */
const SLICE = 512;

/** Accumulates numbers by bucket. */
export abstract class NumericMetric implements Aggregator {
  protected readonly source: NumericSource;
  /** Buckets that the accumulators have room for. */
  #size = 0;

  constructor(source: NumericSource) {
    this.source = source;
  }

  enter(leaf: AggregationLeaf): void {
    this.source.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    const { buckets, values, count } = this.source.rows(batch);
    let highest = -1;
    for (let i = 0; i < count; i++) if (buckets[i]! > highest) highest = buckets[i]!;
    this.#makeRoom(highest);
    this.addRows(buckets, values, count);
  }

  *collectLeaf({ leaf }: AggregationLeaf, { bits }: LeafMatches): Steps<boolean> {
    const words = wordsFor(leaf.docCount);
    this.#makeRoom(0);
    for (let from = 0; from < words; from += SLICE) {
      if (from > 0) yield;
      const { values, count } = this.source.within(bits, from, Math.min(words, from + SLICE));
      this.addValues(values, count);
    }
    return true;
  }

  #makeRoom(highest: number): void {
    if (highest < this.#size) return;
    this.#size = Math.max(16, highest + 1, this.#size * 2);
    this.resize(this.#size);
  }

  result(bucket: number): AggregationResult {
    return this.metric(bucket < this.#size ? bucket : -1);
  }

  number(bucket: number, path: readonly string[], key: string): number | undefined {
    if (path.length > 0) return undefined;
    return this.numberOf(bucket < this.#size ? bucket : -1, key);
  }

  /** Makes room for so many buckets. */
  protected abstract resize(buckets: number): void;

  protected abstract addRows(buckets: Uint32Array, values: Float64Array, count: number): void;

  /** Adds values to bucket 0. */
  protected abstract addValues(values: Float64Array, count: number): void;

  /** The result of a bucket; -1 is one without documents. */
  protected abstract metric(bucket: number): MetricResult;

  protected abstract numberOf(bucket: number, key: string): number | undefined;
}

/** A longer array whose new part has one value. */
export function extended(array: Float64Array, length: number, value: number): Float64Array {
  const out = grown(array, length);
  out.fill(value, array.length);
  return out;
}

/** The result of a metric with one number. */
export function singleMetric(
  typeName: string,
  meta: JsonObject | undefined,
  value: number | null,
  format: ValueFormat,
): MetricResult {
  const members: AggregationMembers = {
    value,
    value_as_string: value === null || format.isRaw ? undefined : format.text(value),
  };
  return { shape: 'metric', typeName, meta, members, numbers: new Map([['value', value]]) };
}
