// One write of a caller inside the engine: the operation with the index it goes to, the limits it is checked against,
// and the result it gets when it is refused.

import type { WriteOp, WriteResult } from '../../api.ts';
import type { EngineError } from '../../errors.ts';
import type { IndexState } from '../index-state/index-state.ts';

/** Longest id in bytes: the log and the id tables are made for it. */
export const LONGEST_ID = 512;

/** Limits of writes in force. Replay applies none: what was acknowledged comes back. */
export interface WriteLimits {
  readonly idBytes: number;
  /** Depth of objects and arrays in a document. */
  readonly nesting: number;
}

/** A write whose index is known and open. */
export interface ResolvedOp {
  readonly op: WriteOp;
  readonly state: IndexState;
}

/** The result of a write that failed and changed nothing; `id` where the engine has given one already. */
export function refusedWrite(
  op: WriteOp,
  index: string,
  error: EngineError,
  id: string = op.id ?? '',
): WriteResult {
  return {
    index,
    id,
    type: op.type ?? '_doc',
    result: 'error',
    version: -1,
    seqNo: -2,
    error,
    source: undefined,
  };
}
