// The `order` of buckets: by count, by key, or by a number of a sub-aggregation.

import { EngineError } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { isObject } from '../../query/parameters.ts';
import type { Members } from './members.ts';

/** One step of an order. */
export interface BucketOrder {
  /** `_count`, `_key`, or a path to a number of a sub-aggregation. */
  readonly by: string;
  readonly descending: boolean;
}

/** Reads `order`: one step or a list of them. The key breaks ties. */
export function readBucketOrder(members: Members, preset: readonly BucketOrder[]): readonly BucketOrder[] {
  const read = members.read('order', (value) => {
    if (typeof value !== 'object' || value === null) throw members.wrongType('order', value);
    try {
      return (Array.isArray(value) ? value : [value]).map(readStep);
    } catch (error) {
      throw error instanceof EngineError ? members.failed('order', error) : error;
    }
  });
  return withTiebreak(read ?? preset);
}

function readStep(value: JsonValue): BucketOrder {
  if (!isObject(value)) {
    throw new EngineError('parsing_exception', 'Must specify at least one field for [order]');
  }
  const names = Object.keys(value);
  const [name] = names;
  if (name === undefined || names.length > 1)
    throw new EngineError('parsing_exception', 'Must specify at least one field for [order]');
  const direction = value[name]!;
  const text = typeof direction === 'string' ? direction.toLowerCase() : '';
  if (text !== 'asc' && text !== 'desc') {
    throw new EngineError(
      'parsing_exception',
      `Unknown order direction [${typeof direction === 'string' ? direction : JSON.stringify(direction)}]`,
    );
  }
  return { by: name === '_term' || name === '_time' ? '_key' : name, descending: text === 'desc' };
}

function withTiebreak(order: readonly BucketOrder[]): readonly BucketOrder[] {
  const last = order.at(-1);
  return last?.by === '_key' ? order : [...order, { by: '_key', descending: false }];
}
