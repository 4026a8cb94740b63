// The values of a field as 64-bit keys that sort like them, for combinations of several fields.

import type { AggregationValue } from '../../api.ts';
import type { Steps } from '../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf } from '../collect/aggregator.ts';
import type { AggregationContext } from '../collect/context.ts';
import type { ValuesSpec } from '../request/values-spec.ts';
import { NumericSource } from './numeric-source.ts';
import { OrdinalSource } from './ordinal-source.ts';
import type { ProductRows, ProductSource } from './row-product.ts';

/** A field whose keys can be printed. */
export interface KeySource extends ProductSource {
  value(hi: number, lo: number): AggregationValue;
}

/** Keys of numbers, dates and booleans. */
export function numberKeys(spec: ValuesSpec, context: AggregationContext, aggregation: string): KeySource {
  const source = new NumericSource(spec, context, aggregation);
  const { format, space } = source;
  return {
    enter: (leaf) => source.enter(leaf),
    rows: (batch) => source.keyRows(batch),
    value: (hi, lo) => {
      const value = source.valueOf(hi, lo);
      if (source.kind === 'boolean') return Number(value) !== 0;
      if (!format.isRaw && space !== 'unsigned') return format.text(value);
      return space === 'double' ? Number(value) : BigInt(value);
    },
  };
}

/** Keys of texts and addresses: the numbers of their terms. */
export function textKeys(spec: ValuesSpec, context: AggregationContext, aggregation: string): KeySource {
  return new TextKeys(new OrdinalSource(spec, context, aggregation));
}

class TextKeys implements KeySource {
  readonly #source: OrdinalSource;
  #zeros: Uint32Array = new Uint32Array(0);

  constructor(source: OrdinalSource) {
    this.#source = source;
  }

  *prepare(): Steps<void> {
    yield* this.#source.prepare();
  }

  enter(leaf: AggregationLeaf): void {
    this.#source.enter(leaf);
  }

  rows(batch: AggregationBatch): ProductRows {
    const { docs, buckets, ordinals, count } = this.#source.rows(batch);
    if (this.#zeros.length < count) this.#zeros = new Uint32Array(docs.length);
    return { docs, buckets, hi: this.#zeros, lo: ordinals, count };
  }

  value(_hi: number, lo: number): AggregationValue {
    return this.#source.text(lo);
  }
}
