// The values of a field as 64-bit keys that sort like them, for combinations of several fields.

import type { AggregationValue } from '../../api.ts';
import type { AggregationContext } from '../collect/context.ts';
import type { OrdinalRowSource } from '../collect/ordinal-rows.ts';
import type { ValuesSpec } from '../request/values-spec.ts';
import { NumericSource } from './numeric-source.ts';
import { OrdinalSource } from './ordinal-source.ts';
import { RoundedSource } from './rounded-source.ts';

/** A field whose keys can be printed. */
export interface KeySource extends OrdinalRowSource {
  value(hi: number, lo: number): AggregationValue;
}

/** Keys of numbers, dates and booleans. */
export function numberKeys(spec: ValuesSpec, context: AggregationContext, aggregation: string): KeySource {
  return new NumberKeys(new NumericSource(spec, context, aggregation, 'keyword'), { identity: 'as it is' });
}

class NumberKeys extends RoundedSource implements KeySource {
  value(hi: number, lo: number): AggregationValue {
    const { source } = this;
    const { format, space } = source;
    const value = source.valueOf(hi, lo);
    if (source.kind === 'boolean') return Number(value) !== 0;
    if (!format.isRaw && space !== 'unsigned') return format.text(value);
    return space === 'double' ? Number(value) : BigInt(value);
  }
}

/** Keys of texts and addresses: the numbers of their terms. */
export function textKeys(spec: ValuesSpec, context: AggregationContext, aggregation: string): KeySource {
  return new TextKeys(spec, context, aggregation);
}

class TextKeys extends OrdinalSource implements KeySource {
  value(_hi: number, lo: number): AggregationValue {
    return this.text(lo);
  }
}
