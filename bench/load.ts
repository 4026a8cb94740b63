// Who sends the load? A process of its own, so that making requests and reading replies takes no turn of ours. It is
// sent jobs by its parent and answers with what it measured.

import { fork } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Connection, rawRequest } from './wire.ts';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
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

/** Sends slices of a corpus file as bulk requests. */
export interface BulkJob {
  readonly kind: 'bulk';
  readonly url: string;
  readonly path: string;
  readonly file: string;
  /** Byte positions where the requests begin, and the end of the last one. */
  readonly cuts: readonly number[];
  readonly connections: number;
}

/** Reads a scroll to its end, or until enough documents came. */
export interface ScrollJob {
  readonly kind: 'scroll';
  readonly url: string;
  readonly path: string;
  readonly body: string;
  readonly most: number;
}

export type Job = RepeatJob | BulkJob | ScrollJob;

export interface Measured {
  /** Time of each request, in µs, in the order they ended. */
  readonly micros: readonly number[];
  readonly elapsedMs: number;
  /** Documents that came, for a scroll. */
  readonly documents: number;
  /** The first reply that was an error, if any. */
  readonly error: string | undefined;
}

/** The process, from the parent's side. Jobs run one after the other. */
export class Load {
  readonly #child = fork(fileURLToPath(import.meta.url), ['child'], {
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
    this.#child.disconnect();
  }
}

type Ask = () => Buffer | undefined;

/** Keeps `connections` busy with what `next` gives until it gives nothing. */
async function drive(url: URL, connections: number, next: Ask): Promise<Measured> {
  const micros: number[] = [];
  let error: string | undefined;
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)));
  const start = performance.now();
  await Promise.all(
    opened.map(async (connection) => {
      for (let request = next(); request !== undefined; request = next()) {
        const began = performance.now();
        const { status, body } = await connection.send(request);
        micros.push((performance.now() - began) * 1000);
        if (status >= 400 || body.subarray(0, 60).includes('"errors":true')) {
          error ??= `${status} ${body.toString('utf8', 0, 300)}`;
        }
      }
    }),
  );
  const elapsedMs = performance.now() - start;
  for (const connection of opened) connection.close();
  return { micros, elapsedMs, documents: 0, error };
}

function repeat(job: RepeatJob): Promise<Measured> {
  const url = new URL(job.url);
  const requests = job.requests.map(({ method, path, body }) => rawRequest(url.host, method, path, body));
  const end = performance.now() + job.mostMs;
  let sent = 0;
  return drive(url, job.connections, () =>
    sent < job.most && performance.now() < end ? requests[sent++ % requests.length] : undefined,
  );
}

async function bulk(job: BulkJob): Promise<Measured> {
  const url = new URL(job.url);
  const fd = openSync(job.file, 'r');
  let at = 0;
  const measured = await drive(url, job.connections, () => {
    const [from, to] = [job.cuts[at], job.cuts[at + 1]];
    if (from === undefined || to === undefined) return undefined;
    at++;
    const body = Buffer.allocUnsafe(to - from);
    readSync(fd, body, 0, body.length, from);
    return rawRequest(url.host, 'POST', job.path, body, 'application/x-ndjson');
  });
  closeSync(fd);
  return measured;
}

async function scroll(job: ScrollJob): Promise<Measured> {
  const url = new URL(job.url);
  const connection = await Connection.open(url);
  const micros: number[] = [];
  let documents = 0;
  let error: string | undefined;
  let request = rawRequest(url.host, 'POST', job.path, job.body);
  const start = performance.now();
  while (documents < job.most) {
    const began = performance.now();
    const { status, body } = await connection.send(request);
    micros.push((performance.now() - began) * 1000);
    if (status >= 400) error = `${status} ${body.toString('utf8', 0, 300)}`;
    const came = countOf(body, '"_id":');
    documents += came;
    const id = /"_scroll_id"\s*:\s*"([^"]+)"/.exec(body.toString('latin1', 0, 4000))?.[1];
    if (came === 0 || id === undefined) break;
    request = rawRequest(
      url.host,
      'POST',
      '/_search/scroll',
      JSON.stringify({ scroll: '1m', scroll_id: id }),
    );
  }
  const elapsedMs = performance.now() - start;
  connection.close();
  return { micros, elapsedMs, documents, error };
}

function countOf(text: Buffer, part: string): number {
  let n = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) n++;
  return n;
}

if (process.argv[2] === 'child') {
  process.on('message', (job: Job) => {
    const running = job.kind === 'repeat' ? repeat(job) : job.kind === 'bulk' ? bulk(job) : scroll(job);
    running.then(
      (measured) => process.send?.({ measured }),
      (failure: Error) => process.send?.({ failure: failure.message }),
    );
  });
}
