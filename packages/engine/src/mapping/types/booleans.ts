// The boolean type: values as the keys of 0 and 1.

import { illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { isGiven, valueText } from './integers.ts';
import { longKey, longOf } from './sortable-key.ts';
import type { NumericType } from './type.ts';

/** true or false of a query value. */
export function readBoolean(value: JsonValue): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw illegalArgument(`Can't parse boolean value [${valueText(value)}], expected [true] or [false]`);
}

export const BOOLEAN: NumericType = {
  parse: (value) => longKey(readBoolean(value) ? 1 : 0),
  range(bounds) {
    let min = 0;
    let max = 1;
    if (isGiven(bounds.gte)) min = Math.max(min, readBoolean(bounds.gte) ? 1 : 0);
    if (isGiven(bounds.gt)) min = Math.max(min, readBoolean(bounds.gt) ? 2 : 1);
    if (isGiven(bounds.lte)) max = Math.min(max, readBoolean(bounds.lte) ? 1 : 0);
    if (isGiven(bounds.lt)) max = Math.min(max, readBoolean(bounds.lt) ? 0 : -1);
    return min > max ? undefined : { min: longKey(min), max: longKey(max) };
  },
  decode: longOf,
  format: (_hi, lo) => lo === 1,
};
