// What do the caller and the threads say to each other? Rows of calls one way, rows of answers back: one message per turn
// of an event loop, since a message costs more than what is in it, and no objects, since their names cost more as well.

import type { WriteOptions } from '../operation.ts';
import type { Thrown } from './failures.ts';

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

/** Calls one behind the other, CALL_WIDTH values each: id, name, arguments (packed, where they can be), options. */
export type ToThread = readonly unknown[] | 'close';

export const CALL_WIDTH = 4;

/** One answer. */
export interface Answer {
  readonly id: number;
  readonly thrown: Thrown | undefined;
  readonly result: unknown;
  /** True when it is an answer of earlier that was kept. */
  readonly replayed: boolean;
}

/** Answers, and the highest position of an event when it moved. */
export interface Answers {
  readonly answers: readonly Answer[];
  readonly lastEvent: bigint | undefined;
}

export type FromThread =
  | { readonly kind: 'ready'; readonly lastEvent: bigint }
  | { readonly kind: 'failed'; readonly thrown: Thrown }
  | {
      readonly kind: 'answers';
      /** ANSWER_WIDTH values each: id, what was thrown, result (packed, where it can be and is no replay), replayed. */
      readonly answers: readonly unknown[];
      readonly lastEvent: bigint | undefined;
    }
  | { readonly kind: 'closed' };

export const ANSWER_WIDTH = 4;
