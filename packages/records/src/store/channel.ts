// How does a caller talk to a thread? Calls leave together and answers find their promise by number. While the thread has
// enough to do, calls wait here, so that the busier it is, the more of them share a message and a commit. A thread that
// dies rejects all who wait.

import { Worker } from 'node:worker_threads';
import { RecordsError } from '../errors.ts';
import type { WriteOptions } from '../operation.ts';
import { type AnswerRun, type CrossingOperation, callRuns, type Outgoing } from './crossing.ts';
import { storeFailed, unpack } from './failures.ts';
import type { FromThread, ThreadData } from './messages.ts';

/** What is called with each answer that is not the first of its kind. */
export type OnReplay = (() => void) | undefined;

/** Messages that a thread has not answered: one that it works on, and one to go on with. */
const MOST_OUT = 2;

/**
 * Writes that are worth a commit of their own while another one is under way; fewer wait for it and share the next. A read
 * shares nothing, and waits for nothing.
 */
const OWN_GROUP = { writer: 64, reader: 1 };

interface Waiting {
  readonly operation: CrossingOperation;
  readonly args: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onReplay: OnReplay;
}

/** One thread of the store, seen from outside. */
export class Channel {
  readonly #worker: Worker;
  readonly #mostWaiting: number;
  readonly #ownGroup: number;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ready: PromiseWithResolvers<bigint> = Promise.withResolvers();
  readonly #ended: PromiseWithResolvers<void> = Promise.withResolvers();
  #outgoing: Outgoing[] = [];
  /** The last call of each message that is not answered. */
  readonly #out: number[] = [];
  #nextId = 1;
  #failure: Error | undefined;
  #closing = false;
  /** Told when a commit has emitted events. */
  onEvents: (upTo: bigint) => void = () => {};

  /** Calls that have no answer yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  constructor(data: ThreadData, mostWaiting: number) {
    this.#mostWaiting = mostWaiting;
    this.#ownGroup = OWN_GROUP[data.role];
    this.#worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: data });
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (error) => this.#fail(storeFailed(error.message)));
    this.#worker.on('exit', () => {
      this.#fail(storeFailed('its thread has ended'));
      this.#ended.resolve();
    });
    this.#ready.promise.catch(() => {});
  }

  /**
   * Opens the store: until then the thread has only started. Resolves with the newest position of an event. Rejects where
   * the store cannot be opened.
   */
  open(): Promise<bigint> {
    this.#worker.postMessage('open');
    return this.#ready.promise;
  }

  /** Sends a call. Rejects with `store-busy` beyond the bound of the queue. */
  call(
    operation: CrossingOperation,
    args: unknown,
    options: WriteOptions | undefined,
    onReplay: OnReplay,
  ): Promise<unknown> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#closing) return Promise.reject(storeFailed('it was closed'));
    if (this.#waiting.size >= this.#mostWaiting) return Promise.reject(this.#busy());
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { operation, args, resolve, reject, onReplay });
      const calls = this.#outgoing.push({ id, operation, args, options });
      if (calls === (this.#out.length === 0 ? 1 : this.#ownGroup)) setImmediate(() => this.#sendInTime());
    });
  }

  /** Answers all who wait, then ends the thread. */
  async close(): Promise<void> {
    if (!this.#closing && this.#failure === undefined) {
      this.#closing = true;
      this.#send();
      this.#worker.postMessage('close');
    }
    await this.#ended.promise;
  }

  #sendInTime(): void {
    const { length } = this.#out;
    if (length === 0 || (length < MOST_OUT && this.#outgoing.length >= this.#ownGroup)) this.#send();
  }

  #send(): void {
    const calls = this.#outgoing;
    if (calls.length === 0) return;
    this.#outgoing = [];
    try {
      this.#post(calls);
    } catch {
      // One of them cannot be cloned: it fails alone.
      for (const call of calls) this.#sendAlone(call);
    }
  }

  #post(calls: readonly Outgoing[]): void {
    this.#worker.postMessage(callRuns(calls));
    this.#out.push(calls.at(-1)!.id);
  }

  #sendAlone(call: Outgoing): void {
    try {
      this.#post([call]);
    } catch (error) {
      this.#waiting.get(call.id)?.reject(error as Error);
      this.#waiting.delete(call.id);
    }
  }

  #receive(message: FromThread): void {
    switch (message.kind) {
      case 'answers':
        this.#settle(message);
        break;
      case 'ready':
        this.#ready.resolve(message.lastEvent);
        break;
      case 'failed':
        this.#fail(unpack(message.thrown));
        break;
      case 'closed':
        break;
    }
  }

  #settle({ answers, lastEvent }: Extract<FromThread, { kind: 'answers' }>): void {
    let last = 0;
    for (const run of answers) {
      last = run[0] + run[1] - 1;
      this.#settleRun(run);
    }
    while (this.#out.length > 0 && this.#out[0]! <= last) this.#out.shift();
    if (lastEvent !== undefined) this.onEvents(lastEvent);
    this.#sendInTime();
  }

  #settleRun([firstId, count, packed, each]: AnswerRun): void {
    const asked: Waiting[] = [];
    for (let id = firstId; id < firstId + count; id++) {
      const waiting = this.#waiting.get(id);
      if (waiting === undefined) return;
      this.#waiting.delete(id);
      asked.push(waiting);
    }
    if (each === undefined) {
      const { packing } = asked[0]!.operation;
      const args = asked.map((one) => one.args);
      const results = packing!.unpackResults(packed, args);
      for (const [i, { resolve }] of asked.entries()) resolve(results[i]);
      return;
    }
    for (const [i, { resolve, reject, onReplay }] of asked.entries()) {
      const [thrown, result, replayed] = each[i]!;
      if (replayed) onReplay?.();
      if (thrown === undefined) resolve(result);
      else reject(unpack(thrown));
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#ready.reject(this.#failure);
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }

  #busy(): RecordsError {
    return new RecordsError(
      'store-busy',
      `${this.#mostWaiting} calls are waiting for the records store. Try again in a moment.`,
    );
  }
}
