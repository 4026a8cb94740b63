// Plans ranges: numbers and dates by their keys, everything else by bytes.

import { illegalArgument } from '../../errors.ts';
import { plainNumber } from '../../json/java-text.ts';
import { isFeature } from '../../mapping/types/features.ts';
import type { FieldType, RangeBounds, RangeRelation } from '../../mapping/types/type.ts';
import { textKey } from '../node/cache-key.ts';
import { NONE } from '../node/clauses/match-all-node.ts';
import type { PlanNode } from '../node/node.ts';
import { compareTerms, matchingTerms, termRange } from '../node/terms/term-sources.ts';
import { seqNoNode } from '../node/values/documents-node.ts';
import { NumericRangeNode } from '../node/values/numeric-range-node.ts';
import type { Planner } from '../plan/planner.ts';
import { booleanNode } from './boolean-node.ts';
import { checkSearchable, isTextField, plainString, utf8 } from './field-value.ts';
import { isMeta } from './metadata.ts';
import { termSetNode } from './term-set.ts';

/** Documents of a field with a value within bounds, or with a stored range that has a relation to them. */
export function rangeNode(
  planner: Planner,
  path: string,
  bounds: RangeBounds,
  boost: number,
  relation: RangeRelation = 'intersects',
): PlanNode {
  if (path === '_seq_no') return seqNoRange(bounds, boost);
  if (isMeta(path)) {
    throw illegalArgument(`Field [${path}] of type [${path}] does not support range queries`);
  }
  const field = planner.field(path);
  if (field === undefined) return NONE;
  if (isFeature(field.kind) || field.kind === 'completion')
    throw illegalArgument(`Field [${path}] of type [${field.kind}] does not support range queries`);
  checkSearchable(planner, field);
  if (field.range !== undefined) return storedRangeNode(planner, field, bounds, relation, boost);
  if (field.numeric !== undefined) {
    const keys = field.numeric.range(bounds, () => planner.now());
    if (keys === undefined) return NONE;
    if (field.kind === 'boolean' && keys.min.lo === keys.max.lo) {
      return booleanNode(planner, field, field.numeric.parse(keys.min.lo === 1)!, boost);
    }
    return new NumericRangeNode(field.path, keys.min, keys.max, boost);
  }
  if (field.bytes !== undefined && !isTextField(field)) {
    const range = field.bytes.range(bounds);
    return range === undefined ? NONE : termSetNode(field, termRange(range.min, range.max), boost);
  }
  const range = textRange(bounds);
  return range === undefined ? NONE : termSetNode(field, termRange(range.min, range.max, range.open), boost);
}

/** Documents with a stored range that has a relation to the bounds. */
export function storedRangeNode(
  planner: Planner,
  field: FieldType,
  bounds: RangeBounds,
  relation: RangeRelation,
  boost: number,
): PlanNode {
  const matches = field.range!.matcher(bounds, relation, () => planner.now());
  if (matches === undefined) return NONE;
  const key = `${relation} ${JSON.stringify(bounds)}`;
  return termSetNode(field, matchingTerms(textKey(key), matches), boost);
}

/** Bounds of strings: `gt` starts at the next possible string. */
function textRange(
  bounds: RangeBounds,
): { min: Uint8Array; max: Uint8Array | undefined; open: boolean } | undefined {
  let min: Uint8Array = new Uint8Array();
  if (bounds.gte != null) min = utf8(plainString(bounds.gte));
  else if (bounds.gt != null) min = Uint8Array.from([...utf8(plainString(bounds.gt)), 0]);
  const top = bounds.lte ?? bounds.lt;
  const max = top == null ? undefined : utf8(plainString(top));
  const open = bounds.lte == null;
  if (max !== undefined && compareTerms(min, max) > (open ? -1 : 0)) return undefined;
  return { min, max, open };
}

function seqNoRange(bounds: RangeBounds, boost: number): PlanNode {
  const low =
    bounds.gte != null ? plainNumber(bounds.gte) : bounds.gt != null ? plainNumber(bounds.gt) + 1 : 0;
  const top = Number.MAX_SAFE_INTEGER;
  const high =
    bounds.lte != null ? plainNumber(bounds.lte) : bounds.lt != null ? plainNumber(bounds.lt) - 1 : top;
  if (Number.isNaN(low) || Number.isNaN(high)) throw illegalArgument('bounds of [_seq_no] must be numbers');
  return seqNoNode(low, high, boost);
}
