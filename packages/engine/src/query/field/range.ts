// Which documents have a value between two bounds? Numbers and dates by their keys, everything else by bytes.

import { illegalArgument } from '../../errors.ts';
import { plainNumber } from '../../json/java-text.ts';
import type { RangeBounds } from '../../mapping/types/type.ts';
import { NONE } from '../node/clauses/match-all-node.ts';
import type { Node } from '../node/node.ts';
import { compareBytes, termRange } from '../node/terms/term-sources.ts';
import { seqNoNode } from '../node/values/documents-node.ts';
import { NumericNode } from '../node/values/numeric-range-node.ts';
import type { Planner } from '../plan/planner.ts';
import { presentNode } from './exists.ts';
import { isMeta } from './meta.ts';
import { termNode } from './term.ts';
import { termSet } from './termset.ts';
import { checkSearchable, isText, plain, utf8 } from './value.ts';

/** Documents of a field with a value within bounds. */
export function rangeNode(planner: Planner, path: string, bounds: RangeBounds, boost: number): Node {
  if (path === '_seq_no') return seqNoRange(bounds, boost);
  if (isMeta(path)) {
    throw illegalArgument(`Field [${path}] of type [${path}] does not support range queries`);
  }
  const field = planner.field(path);
  if (field === undefined) return NONE;
  checkSearchable(planner, field);
  const { gt, gte, lt, lte } = bounds;
  if (gt == null && gte == null && lt == null && lte == null) return presentNode(field, boost);
  if (field.numeric !== undefined) {
    const keys = field.numeric.range(bounds, () => planner.now());
    if (keys === undefined) return NONE;
    if (field.kind === 'boolean' && keys.min.lo === keys.max.lo) {
      return termNode(planner, path, keys.min.lo === 1, boost);
    }
    return new NumericNode(field.path, keys.min, keys.max, boost);
  }
  if (field.bytes !== undefined && !isText(field)) {
    const range = field.bytes.range(bounds);
    return range === undefined ? NONE : termSet(field, termRange(range.min, range.max), boost);
  }
  const range = textRange(bounds);
  return range === undefined ? NONE : termSet(field, termRange(range.min, range.max, range.open), boost);
}

/** Bounds of words: a `gt` starts at the next possible string. */
function textRange(
  bounds: RangeBounds,
): { min: Uint8Array; max: Uint8Array | undefined; open: boolean } | undefined {
  let min: Uint8Array = new Uint8Array();
  if (bounds.gte != null) min = utf8(plain(bounds.gte));
  else if (bounds.gt != null) min = Uint8Array.from([...utf8(plain(bounds.gt)), 0]);
  const top = bounds.lte ?? bounds.lt;
  const max = top == null ? undefined : utf8(plain(top));
  const open = bounds.lte == null;
  if (max !== undefined && compareBytes(min, max) > (open ? -1 : 0)) return undefined;
  return { min, max, open };
}

function seqNoRange(bounds: RangeBounds, boost: number): Node {
  const low =
    bounds.gte != null ? plainNumber(bounds.gte) : bounds.gt != null ? plainNumber(bounds.gt) + 1 : 0;
  const top = Number.MAX_SAFE_INTEGER;
  const high =
    bounds.lte != null ? plainNumber(bounds.lte) : bounds.lt != null ? plainNumber(bounds.lt) - 1 : top;
  if (Number.isNaN(low) || Number.isNaN(high)) throw illegalArgument('bounds of [_seq_no] must be numbers');
  return seqNoNode(low, high, boost);
}
