// A position in the event stream, which merges two sources with an order of their own each:
//
//   r<position of the outbox>.d<commit>[.<item>]      r120.d4711.3; without item, the end of the commit
//
// An id of the stream is the position after its event in both sources, so a stream can be resumed from any of
// them.

import type { ChangePosition } from '@octavo/engine';

export interface StreamPosition {
  /** In the outbox: items, messages, transfers, keys. */
  readonly records: bigint;
  /** In the documents. */
  readonly documents: ChangePosition;
}

/** Before everything that is retained. */
export const BEGINNING: StreamPosition = { records: 0n, documents: { commit: 0 } };

/** The id of an event itself: its position in its own source. */
const OF_RECORD = /^r(\d{1,18})$/;
const OF_CHANGE = /^d(\d{1,15})\.(\d{1,15})\.[^/]+$/;

const FORM = /^r(\d{1,18})\.d(\d{1,15})(?:\.(\d{1,15}))?$/;

/** `r120.d4711.3`. */
export function printPosition({ records, documents }: StreamPosition): string {
  const item = documents.item === undefined ? '' : `.${documents.item}`;
  return `r${records}.d${documents.commit}${item}`;
}

/**
 * Parses a position; `0` is the beginning of what is retained. Undefined if malformed. The id of an event
 * says nothing of the other source, which then starts at its beginning, so that nothing is missed.
 */
export function parsePosition(text: string): StreamPosition | undefined {
  if (text === '0') return BEGINNING;
  const record = OF_RECORD.exec(text);
  if (record !== null) return { ...BEGINNING, records: BigInt(record[1]!) };
  const change = OF_CHANGE.exec(text);
  if (change !== null)
    return { ...BEGINNING, documents: positionBefore(Number(change[1]), Number(change[2])) };
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, records = '', commit = '', item] = match;
  return {
    records: BigInt(records),
    documents: { commit: Number(commit), ...(item === undefined ? {} : { item: Number(item) }) },
  };
}

/**
 * The position before an event: changes of several indices can share its numbers, and none may be skipped.
 */
function positionBefore(commit: number, item: number): ChangePosition {
  return item > 0 ? { commit, item: item - 1 } : { commit: Math.max(0, commit - 1) };
}
