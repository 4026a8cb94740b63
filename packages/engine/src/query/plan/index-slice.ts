// Plans `slice: {id, max, field}` for one index: the documents of one part, once fields and shards of the
// index are known.

import { EngineError, illegalArgument } from '../../errors.ts';
import type { PlanNode } from '../node/node.ts';
import { partitionNode } from '../node/values/slice-node.ts';
import type { IndexView } from './index-view.ts';

/** One of `max` parts of a list. REQUIRES: 0 <= id < max. */
export interface Slice {
  readonly id: number;
  readonly max: number;
  /** A numeric field with doc values whose hash decides the part; `_id` by default. */
  readonly field?: string;
}

/** The documents of a slice. Errors: fields that are missing or hold no numbers. */
export function sliceNode(view: IndexView, slice: Slice): PlanNode {
  const { id, max, field: path = '_id' } = slice;
  const shards = Number(view.settings['index.number_of_shards'] ?? 1);
  if (path !== '_id') {
    const field = view.mapping.field(path);
    if (field === undefined) throw illegalArgument(`field ${path} not found`);
    if (field.numeric === undefined || !field.hasDocValues)
      throw illegalArgument(`cannot load numeric doc values on ${path}`);
    if (shards < max) return partitionNode(id, max, { by: 'number', path: field.path });
  }
  return partitionNode(id, max, shards >= max ? { by: 'shard', settings: view.settings } : { by: 'id' });
}

/** Throws where there are more slices than the setting of the index allows. */
export function checkSliceCount(view: IndexView, slice: Slice, walk: 'scroll' | 'pit'): void {
  const setting = `index.max_slices_per_${walk}`;
  const most = Number(view.settings[setting] ?? 1024);
  if (slice.max <= most) return;
  throw new EngineError(
    walk === 'pit' ? 'rejected_execution_exception' : 'illegal_argument_exception',
    `The number of slices [${slice.max}] is too large. It must be less than [${most}]. ` +
      `This limit can be set by changing the [${setting}] index level setting.`,
  );
}
