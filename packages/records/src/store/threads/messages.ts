// The messages between the caller and the threads of the store: calls one way, answers back, many in one message, since a
// message costs more than its contents.

import type { WriteOptions } from '../../contracts/operation.ts';
import type { Thrown } from '../../contracts/store-errors.ts';
import type { LostRecords, RecordsNote } from '../records-state.ts';

/** The data that a thread starts with. */
export interface ThreadData {
  readonly role: 'writer' | 'reader';
  readonly dir: string;
  /** A module that exports `operations` beside those of the package, for tests. */
  readonly extra: string | undefined;
}

/** A call of an operation. */
export interface Call {
  readonly id: number;
  readonly name: string;
  readonly args: unknown;
  readonly options: WriteOptions | undefined;
}

/** Opens the store. */
export interface OpenOrder {
  readonly kind: 'open';
  /** The newest note of the state of the records. */
  readonly note?: RecordsNote | undefined;
  readonly lost?: LostRecords | undefined;
}

/** The first message opens the store; calls may follow at once. */
export type ToThread = readonly Call[] | OpenOrder | 'close';

/** The answer to a call. */
export interface Answer {
  /** That of the call. */
  readonly id: number;
  readonly thrown: Thrown | undefined;
  readonly result: unknown;
  /** True for a stored answer of an earlier call. */
  readonly replayed: boolean;
}

/** Answers, and the highest position of an event if it has changed. */
export interface Answers {
  readonly answers: readonly Answer[];
  readonly lastEvent: bigint | undefined;
}

export type FromThread =
  | { readonly kind: 'ready'; readonly lastEvent: bigint }
  | { readonly kind: 'failed'; readonly thrown: Thrown }
  | {
      readonly kind: 'answers';
      readonly answers: readonly Answer[];
      readonly lastEvent: bigint | undefined;
    }
  /** Pages differ from what was written. */
  | { readonly kind: 'damaged'; readonly what: string }
  | { readonly kind: 'closed' };
