// The connection of the main thread to a thread of the store. Calls leave together, and answers find their
// caller by number. Callers that are answered together call again together: new calls wait here for each
// other, so that many share a message and a commit, and for as long as the thread has enough to do. A thread
// that dies fails all calls that wait.
//
//   call ──▶ outgoing ──gather: a turn of the event loop without news──▶ out (at most two messages) ──▶ thread

import { Worker } from 'node:worker_threads';
import { RecordsError } from '../../contracts/errors.ts';
import type { Caller, WriteOptions } from '../../contracts/operation.ts';
import { storeFailed, unpackError } from '../../contracts/store-errors.ts';
import type { FromThread, OpenRequest, ThreadAnswer, ThreadCall, ThreadData } from './messages.ts';

/** Called before a stored answer of an earlier call. */
type OnReplay = (() => void) | undefined;

/** Unanswered messages of a thread at most: one that it works on, and the next. */
const MOST_OUT = 2;

/**
 * Writes that are worth a commit of their own while another one is running; fewer wait for it and share the next. A read
 * shares nothing and never waits.
 */
const OWN_GROUP = { writer: 64, reader: 1 };

/** The longest time that calls wait for others: most of the cost of a commit. */
const LONGEST_GATHER_MS = 2;

/** A call without an answer, and its caller. */
interface Waiting extends ThreadCall {
  readonly caller: Caller<unknown>;
  readonly onReplay: OnReplay;
}

/** An operation, as the caller needs it: the thread finds it by its name. */
export interface NamedOperation {
  readonly name: string;
}

/** One thread of the store, seen from outside. */
export class ThreadChannel {
  readonly #worker: Worker;
  readonly #mostWaiting: number;
  readonly #ownGroup: number;
  readonly #ready: PromiseWithResolvers<bigint> = Promise.withResolvers();
  readonly #ended: PromiseWithResolvers<void> = Promise.withResolvers();
  #outgoing: Waiting[] = [];
  /** For each message that is not answered in full, the id of its last call. */
  readonly #out: number[] = [];
  /** Calls that were sent, in the order of their ids: answers come in that order. */
  readonly #sent = new Map<number, Waiting>();
  #nextId = 1;
  #unanswered = 0;
  #gathering = false;
  /** The calls at the last look, and when they began to wait. */
  #gathered = 0;
  #gatherBegan = 0;
  #failure: Error | undefined;
  #closing = false;
  /** Called when a commit has emitted events. */
  onEvents: (upTo: bigint) => void = () => {};
  /** Called with damage in words. */
  onDamage: (what: string) => void = () => {};
  /** Called when nothing can be written any more, or the thread has died. */
  onFailure: (error: Error) => void = () => {};

  /** Calls that have no answer yet. */
  get waiting(): number {
    return this.#unanswered;
  }

  /** `thread` is the module that the thread runs. */
  constructor(thread: URL, data: ThreadData, mostWaiting: number) {
    this.#mostWaiting = mostWaiting;
    this.#ownGroup = OWN_GROUP[data.role];
    this.#worker = new Worker(thread, {
      name: 'octavo records',
      workerData: data,
    });
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (error) => this.#died(error.message));
    this.#worker.on('exit', () => {
      this.#died('its thread has ended');
      this.#ended.resolve();
    });
    this.#ready.promise.catch(() => {});
  }

  /**
   * Opens the store: until then the thread has only started. Resolves with the newest position of an event. Rejects where
   * the store cannot be opened.
   */
  open(order: Omit<OpenRequest, 'kind'> = {}): Promise<bigint> {
    this.#worker.postMessage({ kind: 'open', ...order } satisfies OpenRequest);
    return this.#ready.promise;
  }

  /** Sends a call, and answers its caller. Fails with `store-busy` beyond the bound of the queue. */
  submit(
    operation: NamedOperation,
    args: unknown,
    options: WriteOptions | undefined,
    onReplay: OnReplay,
    caller: Caller<unknown>,
  ): void {
    const refusal = this.#refusal();
    if (refusal !== undefined) {
      // A caller is never answered before its call has returned.
      queueMicrotask(() => caller.failed(refusal));
      return;
    }
    this.#unanswered++;
    const calls = this.#outgoing.push({
      id: this.#nextId++,
      name: operation.name,
      args,
      options,
      caller,
      onReplay,
    });
    if (this.#out.length === 0) this.#gather();
    else if (calls === this.#ownGroup) setImmediate(() => this.#sendInTime());
  }

  /** `submit` with a promise. */
  call(
    operation: NamedOperation,
    args: unknown,
    options: WriteOptions | undefined,
    onReplay: OnReplay,
  ): Promise<unknown> {
    return new Promise((done, failed) => {
      this.submit(operation, args, options, onReplay, { done, failed });
    });
  }

  #refusal(): Error | undefined {
    if (this.#failure !== undefined) return this.#failure;
    if (this.#closing) return storeFailed('it was closed');
    return this.#unanswered >= this.#mostWaiting ? this.#busy() : undefined;
  }

  /** Answers all calls that wait, then ends the thread. */
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
    if (length < MOST_OUT && this.#outgoing.length >= this.#ownGroup) this.#send();
    else if (length === 0) this.#gather();
  }

  #gather(): void {
    if (this.#gathering || this.#outgoing.length === 0) return;
    this.#gathering = true;
    this.#gathered = 0;
    this.#gatherBegan = performance.now();
    setImmediate(this.#look);
  }

  readonly #look = (): void => {
    const { length } = this.#outgoing;
    const waited = performance.now() - this.#gatherBegan;
    if (length > this.#gathered && length < this.#ownGroup && waited < LONGEST_GATHER_MS) {
      this.#gathered = length;
      setImmediate(this.#look);
      return;
    }
    this.#gathering = false;
    if (this.#out.length < MOST_OUT) this.#send();
  };

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

  #post(calls: readonly Waiting[]): void {
    this.#worker.postMessage(
      calls.map(({ id, name, args, options }): ThreadCall => ({ id, name, args, options })),
    );
    for (const call of calls) this.#sent.set(call.id, call);
    this.#out.push(calls.at(-1)!.id);
  }

  #sendAlone(call: Waiting): void {
    try {
      this.#post([call]);
    } catch (error) {
      this.#unanswered--;
      tell(call.caller, error as Error, undefined);
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
        this.#fail(unpackError(message.thrown));
        break;
      case 'damaged':
        this.onDamage(message.what);
        break;
      case 'broken':
        this.onFailure(unpackError(message.thrown));
        break;
      case 'closed':
        break;
    }
  }

  #died(why: string): void {
    const isNews = this.#failure === undefined && !this.#closing;
    this.#fail(storeFailed(why));
    if (isNews) this.onFailure(this.#failure!);
  }

  #settle({ answers, lastEvent }: Extract<FromThread, { kind: 'answers' }>): void {
    for (const answer of answers) this.#answer(answer);
    const last = answers.at(-1)?.id ?? 0;
    while (this.#out.length > 0 && this.#out[0]! <= last) this.#out.shift();
    if (lastEvent !== undefined) this.onEvents(lastEvent);
    this.#sendInTime();
  }

  #answer({ id, thrown, result, replayed }: ThreadAnswer): void {
    const call = this.#sent.get(id);
    if (call === undefined) return;
    this.#sent.delete(id);
    this.#unanswered--;
    if (replayed) call.onReplay?.();
    tell(call.caller, thrown && unpackError(thrown), result);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#ready.reject(this.#failure);
    const all = [...this.#sent.values(), ...this.#outgoing];
    this.#sent.clear();
    this.#out.length = 0;
    this.#outgoing = [];
    this.#unanswered = 0;
    for (const { caller } of all) tell(caller, this.#failure, undefined);
  }

  #busy(): RecordsError {
    return new RecordsError(
      'store-busy',
      `${this.#mostWaiting} calls are waiting for the records store. Try again in a moment.`,
    );
  }
}

/** An exception of one caller must not leave others without their answers. */
function tell(caller: Caller<unknown>, error: Error | undefined, result: unknown): void {
  try {
    if (error === undefined) caller.done(result);
    else caller.failed(error);
  } catch (thrown) {
    queueMicrotask(() => {
      throw thrown;
    });
  }
}
