// Who sends the load? A process of its own, so that making requests and reading replies takes no turn of ours. It is
// sent jobs by its parent, one after the other, and answers with what it measured.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** A reply without this text is an error. */
  readonly mustHave?: string;
}

/** Sends requests, in turn, over some connections until the time or the number is reached. */
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
  /** Byte positions where the requests begin, and the end of the last one. */
  readonly cuts: readonly number[];
  readonly connections: number;
  /** Starts again at the first slice until so much time has gone. */
  readonly againForMs?: number;
  /** Milliseconds between the beginnings of two requests, at least. */
  readonly everyMs?: number;
}

/** Reads a list page by page to its end, or until enough documents came. */
export interface WalkJob {
  readonly kind: 'walk';
  readonly by: 'scroll' | 'next_token' | 'prev_token' | 'search_after';
  readonly url: string;
  readonly path: string;
  /** Of the first page. */
  readonly body: object;
  readonly most: number;
  /** Tell the ids that came, in the order in which they came. */
  readonly keepIds?: boolean;
}

/** Opens scrolls, then reads the next page of each. */
export interface ContextsJob {
  readonly kind: 'contexts';
  readonly url: string;
  readonly path: string;
  /** Of the k-th scroll, where `"$k"` is the number k: each asks for something else. */
  readonly body: object;
  readonly count: number;
}

export type Job = RepeatJob | BulkJob | WalkJob | ContextsJob;

export interface Measured {
  /** Time of each request, in µs, in the order they ended. */
  readonly micros: readonly number[];
  readonly elapsedMs: number;
  /** Documents that came, for a walk; bulk requests that were sent, for a bulk; openings, for contexts. */
  readonly documents: number;
  readonly ids: readonly string[];
  /** The first reply that was an error, if any. */
  readonly error: string | undefined;
  /** µs of the calibration kernel, before and after. */
  readonly calibration: readonly number[];
}

/** The process, from the parent's side. */
export class Load {
  readonly #child = fork(fileURLToPath(new URL('jobs.ts', import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

  run(job: Job): Promise<Measured> {
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error('the load process ended'));
      this.#child.once('exit', gone);
      this.#child.once('message', (answer: { measured?: Measured; failure?: string }) => {
        this.#child.off('exit', gone);
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
