// What passes between a lane and those who answer its requests? A whole request, and an answer that is ready to be printed.

import type { Sent } from '../access/senders.ts';
import type { FixedHeaders } from './printed.ts';

/** The head of a request. */
export interface Head extends Sent {
  /** Path and query string, as sent. */
  readonly target: string;
}

/** A whole request that nobody could read in two ways. */
export interface PlainRequest extends Head {
  readonly method: string;
  /** As it came; empty where there is none. */
  readonly body: Buffer;
  /** When it began to come, in ms of performance.now(). */
  readonly at: number;
}

/** An answer. */
export interface PlainAnswer {
  readonly status: number;
  /** Headers that it has in common with others; they stand before its own. */
  readonly fixed?: FixedHeaders;
  /** Names and values in turn, without date, length and connection. Values are visible ASCII and spaces. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array;
  /** Bytes of a text, where they are known. */
  readonly bodyBytes?: number;
  /** True where the length of the body is told and the body kept (HEAD). */
  readonly isHead?: boolean;
}

/** Who waits for an answer. */
export interface Asker {
  /** Throws where a header cannot be carried; then nothing has been answered. Returns when that was, in ms of performance.now(). */
  answer(answer: PlainAnswer): number;
  /** The same with headers that are printed, each a line with its end, and a text of so many bytes. */
  answerPrinted(status: number, lines: string, body: string, bodyBytes: number): number;
  /**
   * Answers with bytes [start, end); what is before them may be written over. True where all of it has left, so that the
   * bytes may be used again.
   */
  answerFrom(status: number, headers: readonly string[], bytes: Buffer, start: number, end: number): boolean;
  /** True once it has gone away. */
  readonly isGone: boolean;
  /** Calls the listener when it goes away. Returns how to stop. */
  onGone(listener: () => void): () => void;
}

/** Who answers plain requests. */
export interface TakePlain {
  /** True where it is worth to wait for a body of so many bytes: nothing can be said before it is there. */
  awaits(head: Head & { readonly method: string; readonly bodyBytes: number }): boolean;
  /** True where the asker will have its answer, or has it; false where nothing was done. */
  take(request: PlainRequest, asker: Asker): boolean;
}
