// Load: the handle of the process that sends requests. A separate process, so that making requests and
// reading replies takes no time of the caller. It runs one job after another and returns the measurements.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** Further header lines. */
  readonly headers?: readonly string[];
  /** A reply without this text is an error. */
  readonly mustHave?: string;
}

/** Sends requests in turn over some connections, until a time or a number is reached. */
export interface RepeatJob {
  readonly kind: 'repeat';
  readonly url: string;
  readonly requests: readonly Request[];
  readonly connections: number;
  readonly most: number;
  readonly mostMs: number;
}

/** Sends slices of a file as bulk requests. */
export interface BulkJob {
  readonly kind: 'bulk';
  readonly url: string;
  readonly path: string;
  readonly file: string;
  /** The start of each request in bytes, and the end of the last one. */
  readonly cuts: readonly number[];
  readonly connections: number;
  /** Repeats all slices until this time has passed, in ms. */
  readonly againForMs?: number;
  /** The shortest time between the starts of two requests, in ms. */
  readonly everyMs?: number;
}

/** Reads a list page by page to its end, or until enough documents have arrived. */
export interface WalkJob {
  readonly kind: 'walk';
  readonly by: 'scroll' | 'next_token' | 'prev_token' | 'search_after';
  readonly url: string;
  readonly path: string;
  /** The body of the first page. */
  readonly body: object;
  readonly most: number;
  /** Return the ids of all documents in order of arrival. */
  readonly keepIds?: boolean;
}

/** Opens scrolls, then reads the next page of each. */
export interface ContextsJob {
  readonly kind: 'contexts';
  readonly url: string;
  readonly path: string;
  /** The body of the k-th scroll, with k in place of `"$k"`, so that every scroll differs. */
  readonly body: object;
  readonly count: number;
}

export type Job = RepeatJob | BulkJob | WalkJob | ContextsJob;

export interface JobResult {
  /** The time of each request, in µs, in the order of completion. */
  readonly micros: readonly number[];
  readonly elapsedMs: number;
  /** Received documents (walk), sent bulk requests (bulk), or opened scrolls (contexts). */
  readonly documents: number;
  readonly ids: readonly string[];
  /** The first error reply, if any. */
  readonly error: string | undefined;
  /** µs of the calibration kernel, before and after. */
  readonly calibration: readonly number[];
}

/** The load process, seen from its parent. */
export class Load {
  readonly #child = fork(fileURLToPath(new URL('jobs.ts', import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

  run(job: Job): Promise<JobResult> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error('the load process ended'));
      this.#child.once('exit', onExit);
      this.#child.once('message', (answer: { measured?: JobResult; failure?: string }) => {
        this.#child.off('exit', onExit);
        if (answer.measured !== undefined) resolve(answer.measured);
        else reject(new Error(answer.failure));
      });
      this.#child.send(job);
    });
  }

  close(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}
