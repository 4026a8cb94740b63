// Which documents has the cluster written? What its answers to writes say: index, id, sequence number and version of what
// came to be, nothing for what failed or changed nothing.

import type { JsonValue } from '@octavo/engine';
import type { DocumentChange, IntendedQuery, QueryChange } from '@octavo/records';
import { isObject } from '../../json/json-body.ts';
import { strangeAnswer } from '../client/node-answer.ts';
import type { NodeAnswer } from '../client/send.ts';

/** What a write has done. */
interface Outcome {
  readonly index: string;
  readonly id: string;
  readonly result: string;
  readonly seqNo: number;
  readonly version: number;
}

/** What there is to tell of a write. */
export interface Told {
  readonly changes: readonly DocumentChange[];
  /** What was changed by a query, document by document unknown. */
  readonly queries?: readonly QueryChange[];
  /** What the cluster goes on with after its answer: it is told when it is over. */
  readonly underWay?: IntendedQuery | undefined;
  /** False where the cluster does not know of all of it whether it was done. */
  readonly isAll: boolean;
}

/** The change that an outcome is; undefined where nothing was changed. */
export function changeOf({ index, id, result, seqNo, version }: Outcome): DocumentChange | undefined {
  const isThere = result === 'created' || result === 'updated';
  if (!isThere && result !== 'deleted') return undefined;
  return { kind: isThere ? 'index' : 'delete', index, id, seqNo, version };
}

/** An answer whose numbers are counts, which doubles hold: the reader of the platform takes a quarter of the time of ours. */
function counted(body: Buffer): JsonValue {
  try {
    return JSON.parse(body.toString('utf8')) as JsonValue;
  } catch {
    throw strangeAnswer('JSON that cannot be read', false);
  }
}

/** What an answer tells of, to a write of one document or of many. O(bytes). */
export function toldBy({ status, body }: NodeAnswer): Told {
  if (status >= 400) return { changes: [], isAll: status < 500 };
  const answer = counted(body);
  if (!isObject(answer)) return { changes: [], isAll: true };
  const { items } = answer;
  const outcomes = Array.isArray(items)
    ? items.flatMap((item) => (isObject(item) ? Object.values(item) : []))
    : [answer];
  let isAll = true;
  const changes = outcomes.flatMap((outcome) => {
    if (!isObject(outcome)) return [];
    if (Number(outcome['status'] ?? 200) >= 500) isAll = false;
    const change = changeOf({
      index: String(outcome['_index']),
      id: String(outcome['_id']),
      result: String(outcome['result']),
      seqNo: Number(outcome['_seq_no']),
      version: Number(outcome['_version']),
    });
    return change === undefined ? [] : [change];
  });
  return { changes, isAll };
}
