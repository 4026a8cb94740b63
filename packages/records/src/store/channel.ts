// How does a caller talk to a thread? Calls of one turn of the event loop leave as one message; answers find their promise
// by number. A thread that dies rejects all who wait.

import { Worker } from 'node:worker_threads';
import { RecordsError } from '../errors.ts';
import type { Packing, Plain, WriteOptions } from '../operation.ts';
import { storeFailed, type Thrown, unpack } from './failures.ts';
import { ANSWER_WIDTH, CALL_WIDTH, type FromThread, type ThreadData } from './messages.ts';

/** What is called with each answer that is not the first of its kind. */
export type OnReplay = (() => void) | undefined;

/** What a channel must know of an operation. */
export interface CrossingOperation {
  readonly name: string;
  readonly packing?: Packing<unknown, unknown>;
}

interface Waiting {
  readonly args: unknown;
  readonly packing: Packing<unknown, unknown> | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onReplay: OnReplay;
}

/** One thread of the store, seen from outside. */
export class Channel {
  readonly #worker: Worker;
  readonly #mostWaiting: number;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ready: PromiseWithResolvers<bigint> = Promise.withResolvers();
  readonly #ended: PromiseWithResolvers<void> = Promise.withResolvers();
  /** As ToThread says. */
  #outgoing: unknown[] = [];
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
    this.#worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: data });
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (error) => this.#fail(storeFailed(error.message)));
    this.#worker.on('exit', () => {
      this.#fail(storeFailed('its thread has ended'));
      this.#ended.resolve();
    });
    this.#ready.promise.catch(() => {});
  }

  /** Resolves with the newest position of an event. Rejects where the store cannot be opened. */
  ready(): Promise<bigint> {
    return this.#ready.promise;
  }

  /** Sends a call. Rejects with `store-busy` beyond the bound of the queue. */
  call(
    { name, packing }: CrossingOperation,
    args: unknown,
    options: WriteOptions | undefined,
    onReplay: OnReplay,
  ): Promise<unknown> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#closing) return Promise.reject(storeFailed('it was closed'));
    if (this.#waiting.size >= this.#mostWaiting) return Promise.reject(this.#busy());
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const crossing = packing === undefined ? args : packing.packArgs(args);
      this.#waiting.set(id, { args, packing, resolve, reject, onReplay });
      if (this.#outgoing.length === 0) setImmediate(() => this.#send());
      this.#outgoing.push(id, name, crossing, options);
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

  #send(): void {
    const calls = this.#outgoing;
    if (calls.length === 0) return;
    this.#outgoing = [];
    try {
      this.#worker.postMessage(calls);
    } catch {
      // One of them cannot be cloned: it fails alone.
      for (let at = 0; at < calls.length; at += CALL_WIDTH) this.#sendAlone(calls.slice(at, at + CALL_WIDTH));
    }
  }

  #sendAlone(call: readonly unknown[]): void {
    try {
      this.#worker.postMessage(call);
    } catch (error) {
      const id = call[0] as number;
      this.#waiting.get(id)?.reject(error as Error);
      this.#waiting.delete(id);
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
    for (let at = 0; at < answers.length; at += ANSWER_WIDTH) {
      const id = answers[at] as number;
      const waiting = this.#waiting.get(id);
      if (waiting === undefined) continue;
      this.#waiting.delete(id);
      const thrown = answers[at + 1] as Thrown | undefined;
      const result = answers[at + 2];
      const replayed = answers[at + 3] === true;
      if (replayed) waiting.onReplay?.();
      if (thrown !== undefined) waiting.reject(unpack(thrown));
      else if (replayed || waiting.packing === undefined) waiting.resolve(result);
      else waiting.resolve(waiting.packing.unpackResult(result as Plain, waiting.args));
    }
    if (lastEvent !== undefined) this.onEvents(lastEvent);
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
