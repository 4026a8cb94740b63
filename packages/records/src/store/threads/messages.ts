// The messages between the caller and the threads of the store: calls one way, answers back, many in one message, since a
// message costs more than its contents.

import type { WriteOptions } from '../../contracts/operation.ts';
import type { PackedError } from '../../contracts/store-errors.ts';
import type { LossPolicy, RecordsNote } from '../records-state.ts';

/** The data that a thread starts with. */
export interface ThreadData {
  readonly role: 'writer' | 'reader';
  readonly dir: string;
  /** A module that exports additional `operations`, for tests. */
  readonly extra: string | undefined;
}

/** A call of an operation. */
export interface ThreadCall {
  readonly id: number;
  readonly name: string;
  readonly args: unknown;
  readonly options: WriteOptions | undefined;
}

/** Opens the store. */
export interface OpenRequest {
  readonly kind: 'open';
  /** The newest note of the state of the records. */
  readonly note?: RecordsNote | undefined;
  readonly lost?: LossPolicy | undefined;
}

/** The first message opens the store; calls may follow at once. */
export type ToThread = readonly ThreadCall[] | OpenRequest | 'close';

/** The answer to a call. */
export interface ThreadAnswer {
  /** That of the call. */
  readonly id: number;
  readonly thrown: PackedError | undefined;
  readonly result: unknown;
  /** True for a stored answer of an earlier call. */
  readonly replayed: boolean;
}

/** Answers, and the highest position of an event if it has changed. */
export interface ThreadAnswers {
  readonly answers: readonly ThreadAnswer[];
  readonly lastEvent: bigint | undefined;
}

export type FromThread =
  | { readonly kind: 'ready'; readonly lastEvent: bigint }
  | { readonly kind: 'failed'; readonly thrown: PackedError }
  | {
      readonly kind: 'answers';
      readonly answers: readonly ThreadAnswer[];
      readonly lastEvent: bigint | undefined;
    }
  /** Pages differ from what was written. */
  | { readonly kind: 'damaged'; readonly what: string }
  /** Nothing can be written any more. */
  | { readonly kind: 'broken'; readonly thrown: PackedError }
  | { readonly kind: 'closed' };
