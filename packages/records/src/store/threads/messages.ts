// What do the caller and the threads say to each other? Calls one way, answers back: many in one message, since a message
// costs more than what is in it (crossing.ts).

import type { Thrown } from '../../contracts/failures.ts';
import type { Plain, WriteOptions } from '../../contracts/operation.ts';
import type { LostRecords, RecordsNote } from '../state.ts';
import type { AnswerRun, CallRun } from './crossing.ts';

/** What a thread is told at its start. */
export interface ThreadData {
  readonly role: 'writer' | 'reader';
  readonly dir: string;
  /** A module that exports `operations` beside those of the package, for tests. */
  readonly extra: string | undefined;
}

/** One call. */
export interface Call {
  readonly id: number;
  readonly name: string;
  readonly args: unknown;
  readonly options: WriteOptions | undefined;
}

/** What opens the store. */
export interface OpenOrder {
  readonly kind: 'open';
  /** What is known of the records. */
  readonly note?: RecordsNote | undefined;
  readonly lost?: LostRecords | undefined;
}

/** The first one opens the store; calls may follow at once. */
export type ToThread = readonly CallRun[] | OpenOrder | 'close';

/** One answer. */
export interface Answer {
  readonly id: number;
  /** Of the operation. */
  readonly name: string;
  readonly thrown: Thrown | undefined;
  readonly result: unknown;
  /** True when it is an answer of earlier that was kept. */
  readonly replayed: boolean;
}

/** The answers of calls that ran together: results as they cross. */
export interface PackedAnswers {
  readonly id: number;
  readonly count: number;
  readonly packed: Plain;
}

/** Answers, and the highest position of an event when it moved. */
export interface Answers {
  readonly answers: readonly (Answer | PackedAnswers)[];
  readonly lastEvent: bigint | undefined;
}

export type FromThread =
  | { readonly kind: 'ready'; readonly lastEvent: bigint }
  | { readonly kind: 'failed'; readonly thrown: Thrown }
  | {
      readonly kind: 'answers';
      readonly answers: readonly AnswerRun[];
      readonly lastEvent: bigint | undefined;
    }
  /** Pages are not as they were written. */
  | { readonly kind: 'damaged'; readonly what: string }
  | { readonly kind: 'closed' };
