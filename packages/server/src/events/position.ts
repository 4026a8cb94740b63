// Where in the stream of events is a follower? Two sources flow into it, each with its own order:
//
//   r<position of the outbox>.d<commit>[.<item>]      r120.d4711.3; without item, the end of the commit
//
// An id of the stream names the place behind its event in both, so that any of them can be gone on from.

import type { ChangePosition } from '@octavo/engine';

/** A place in the merged stream. */
export interface StreamPosition {
  /** Of the outbox: items, messages, transfers, keys. */
  readonly records: bigint;
  /** Of the documents. */
  readonly documents: ChangePosition;
}

/** Before everything that is kept. */
export const BEGINNING: StreamPosition = { records: 0n, documents: { commit: 0 } };

const FORM = /^r(\d{1,18})\.d(\d{1,15})(?:\.(\d{1,15}))?$/;

/** `r120.d4711.3`. */
export function printPosition({ records, documents }: StreamPosition): string {
  const item = documents.item === undefined ? '' : `.${documents.item}`;
  return `r${records}.d${documents.commit}${item}`;
}

/** The position of a text; `0` is the beginning of what is kept. Undefined for what is none. */
export function readPosition(text: string): StreamPosition | undefined {
  if (text === '0') return BEGINNING;
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, records = '', commit = '', item] = match;
  return {
    records: BigInt(records),
    documents: { commit: Number(commit), ...(item === undefined ? {} : { item: Number(item) }) },
  };
}
