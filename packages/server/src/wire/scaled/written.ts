// Which documents has the cluster written? What its answers to writes say: index, id, sequence number and version of what
// came to be, nothing for what failed or changed nothing.

import type { JsonValue } from '@octavo/engine';
import type { DocumentChange } from '@octavo/records';
import { isObject } from '../json-body.ts';
import { strangeAnswer } from './genuine.ts';
import type { NodeAnswer } from './send.ts';

/** What a write has done. */
interface Outcome {
  readonly index: string;
  readonly id: string;
  readonly result: string;
  readonly seqNo: number;
  readonly version: number;
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

/** The changes that an answer tells of, to a write of one document or of many. O(bytes). */
export function changesOf({ status, body }: NodeAnswer): DocumentChange[] {
  if (status >= 400) return [];
  const answer = counted(body);
  if (!isObject(answer)) return [];
  const { items } = answer;
  const outcomes = Array.isArray(items)
    ? items.flatMap((item) => (isObject(item) ? Object.values(item) : []))
    : [answer];
  return outcomes.flatMap((outcome) => {
    if (!isObject(outcome)) return [];
    const change = changeOf({
      index: String(outcome['_index']),
      id: String(outcome['_id']),
      result: String(outcome['result']),
      seqNo: Number(outcome['_seq_no']),
      version: Number(outcome['_version']),
    });
    return change === undefined ? [] : [change];
  });
}
