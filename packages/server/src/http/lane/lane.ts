// One connection that is answered without node:http: 13–22 µs of CPU a request instead of 35–50. It answers
// plain requests (request-head.ts), one at a time. The first request that is not plain, has more than 64 KiB, arrives before the
// previous one is answered, or is refused by the handler goes to node:http, and the connection stays there.

import type { Socket } from 'node:net';
import { afterPendingReads } from '../connections.ts';
import { type PartialAnswer, untilWritable } from '../exchange.ts';
import type { RequestHandler, ResponseSink } from './request.ts';
import type { PlainHead, PlainHeadReader } from './request-head.ts';
import { responseHead } from './response-head.ts';

/** Larger requests go to node:http: a lane copies all parts of a request into one buffer. */
const MOST_BYTES = 65_536;
/** Shorter bodies are copied behind their head, so that one write sends both. */
const COPIED_BELOW = 16_384;

/** Read once: the global is an accessor, which costs a call each time. */
const clock: typeof performance = performance;
const EMPTY: Buffer = Buffer.alloc(0);
const CLOSE = 'Connection: close\r\n\r\n';

/**
 * What a connection is doing. `partial`: a part of a request has come. `answering`: the client waits for an answer. `sending`: the
 * lane waits for the client to read a long answer.
 */
type LaneState = 'new' | 'idle' | 'partial' | 'answering' | 'sending';

/** A request of which a part has come. */
interface Partial {
  readonly head: PlainHead;
  /** The buffer for the whole request; `filled` bytes of it have come. */
  readonly bytes: Buffer;
  filled: number;
}

/** What the lanes of a server share (`Lanes`). */
export interface LaneGroup {
  readonly handler: RequestHandler;
  readonly heads: PlainHeadReader;
  /** The last lines of a response head, with its empty line. */
  readonly keepAlive: string;
  readonly writeIdleTimeoutMs: number;
  /** True once the server closes: then every answer is the last on its connection. */
  readonly closing: boolean;
  /** The first byte of the first request has come. */
  onFirstRequest(lane: Lane): void;
  /** The connection has closed. */
  onClose(lane: Lane): void;
  /** The client has ended its side in the middle of a request. */
  onTruncated(lane: Lane): void;
  /** From now on node:http serves the connection. */
  handOver(lane: Lane): void;
}

/** One connection. */
export class Lane implements ResponseSink {
  readonly #socket: Socket;
  readonly #lanes: LaneGroup;
  /** When the connection was last active, in ms of performance.now(). */
  lastActivity: number = clock.now();
  #state: LaneState = 'new';
  #partial: Partial | undefined;
  /** Bytes that came before the current answer was sent. */
  #pipelined: Buffer | undefined;
  #isHead = false;
  #ending = false;
  #stopped = false;

  readonly #onData = (bytes: Buffer): void => {
    if (!this.#stopped) this.#onBytes(bytes);
  };
  readonly #onEnd = (): void => this.#end();
  readonly #onError = (): void => void this.#socket.destroy();
  readonly #onClose = (): void => this.#lanes.onClose(this);
  readonly #onDrain = (): void => this.#drained();
  readonly #onTimeout = (): void => {
    if (this.#socket.writableLength > 0) this.#socket.destroy();
  };

  constructor(socket: Socket, lanes: LaneGroup) {
    this.#socket = socket;
    this.#lanes = lanes;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
    socket.on('timeout', this.#onTimeout);
  }

  get socket(): Socket {
    return this.#socket;
  }

  get state(): LaneState {
    return this.#state;
  }

  /** True while the client has not read all that was sent. */
  get hasUnsentBytes(): boolean {
    return this.#socket.writableLength > 0;
  }

  get isGone(): boolean {
    return this.#socket.destroyed;
  }

  get hasHungUp(): boolean {
    return this.#socket.destroyed || this.#socket.readableEnded;
  }

  onGone(listener: () => void): () => void {
    this.#socket.once('close', listener);
    return () => void this.#socket.removeListener('close', listener);
  }

  /**
   * Ends the connection after the pending answer. A request of which a part has come is handed to node:http, which has the
   * timeouts for it.
   */
  finish(): void {
    const partial = this.#partial;
    if (this.#state === 'answering') this.#ending = true;
    else if (this.#state === 'sending' || this.hasUnsentBytes) this.#close();
    else if (partial !== undefined && !this.isGone) this.#handOver(partial.bytes.subarray(0, partial.filled));
    else afterPendingReads(() => this.#stopped || this.#socket.destroy());
  }

  /** Reads no more requests. A pending answer is still sent. */
  stop(): void {
    this.#stopped = true;
    this.#socket.removeListener('data', this.#onData);
    this.#socket.removeListener('end', this.#onEnd);
  }

  #onBytes(bytes: Buffer): void {
    if (this.#state === 'answering' || this.#state === 'sending') {
      // One request at a time: pipelined requests stay in the socket, except for bytes that were read already.
      this.#pipelined = this.#pipelined === undefined ? bytes : Buffer.concat([this.#pipelined, bytes]);
      this.#socket.pause();
      return;
    }
    if (this.#partial !== undefined) {
      this.#appendPartial(this.#partial, bytes);
      return;
    }
    this.lastActivity = clock.now();
    const head = this.#ending ? undefined : this.#lanes.heads.read(bytes);
    const needed = head === undefined ? 0 : head.headBytes + head.bodyBytes;
    if (head === undefined || bytes.length > needed) this.#handOver(bytes);
    else if (bytes.length === needed) this.#handle(head, bytes);
    else if (
      needed > MOST_BYTES ||
      !this.#lanes.handler.acceptsBody({ ...head, socket: this.#socket }, head.bodyBytes)
    )
      this.#handOver(bytes);
    else {
      this.#noteFirstRequest();
      this.#state = 'partial';
      this.#partial = { head, bytes: Buffer.allocUnsafe(needed), filled: 0 };
      this.#appendPartial(this.#partial, bytes);
    }
  }

  #appendPartial(partial: Partial, bytes: Buffer): void {
    const { head, bytes: all, filled } = partial;
    if (filled + bytes.length > all.length) {
      this.#handOver(Buffer.concat([all.subarray(0, filled), bytes]));
      return;
    }
    all.set(bytes, filled);
    partial.filled += bytes.length;
    if (partial.filled < all.length) return;
    this.#partial = undefined;
    this.#handle(head, all);
  }

  #handle({ method, target, headers, headBytes, bodyBytes }: PlainHead, all: Buffer): void {
    const body = bodyBytes === 0 ? EMPTY : all.subarray(headBytes);
    this.#noteFirstRequest();
    this.#state = 'answering';
    this.#isHead = method === 'HEAD';
    const request = { method, target, headers, body, socket: this.#socket, startedAt: this.lastActivity };
    if (!this.#lanes.handler.handle(request, this)) this.#handOver(all);
  }

  #noteFirstRequest(): void {
    if (this.#state === 'new') this.#lanes.onFirstRequest(this);
  }

  answer(status: number, headers: readonly string[], body: string | Uint8Array, onSent?: () => void): number {
    const now = clock.now();
    const ending = this.#ending || this.#lanes.closing;
    const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    const head = responseHead(status, headers, bytes, ending ? CLOSE : this.#lanes.keepAlive, now);
    this.#write(head, this.#isHead || status === 204 || status === 304 ? EMPTY : body, bytes, onSent);
    this.#afterAnswer(ending, now);
    return now;
  }

  begin(status: number, headers: readonly string[]): PartialAnswer {
    const socket = this.#socket;
    const connection = this.#ending || this.#lanes.closing ? CLOSE : this.#lanes.keepAlive;
    socket.write(responseHead(status, headers, undefined, connection, clock.now()), 'latin1');
    // Ends the connection if the client reads nothing for this long.
    socket.setTimeout(this.#lanes.writeIdleTimeoutMs);
    return {
      write: (bytes) => {
        if (this.#isHead || bytes.length === 0) return undefined;
        socket.cork();
        socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1');
        socket.write(bytes);
        socket.write('\r\n', 'latin1');
        socket.uncork();
        return socket.writableNeedDrain && !socket.destroyed ? untilWritable(socket) : undefined;
      },
      end: () => {
        if (!this.#isHead) socket.write('0\r\n\r\n', 'latin1');
        this.#afterAnswer(this.#ending || this.#lanes.closing, clock.now());
      },
      abort: () => void socket.destroy(),
    };
  }

  #write(head: string, body: string | Uint8Array, bodyBytes: number, onSent: (() => void) | undefined): void {
    const socket = this.#socket;
    if (bodyBytes >= COPIED_BELOW) {
      socket.cork();
      socket.write(head, 'latin1');
      socket.write(body, onSent);
      socket.uncork();
    } else if (typeof body !== 'string') {
      const out = Buffer.allocUnsafe(head.length + body.length);
      out.set(body, out.latin1Write(head, 0));
      socket.write(out, onSent);
    } else if (body.length === bodyBytes) {
      // ASCII only: head and body leave as one string.
      socket.write(head + body, 'latin1', onSent);
    } else {
      const out = Buffer.allocUnsafe(head.length + bodyBytes);
      out.utf8Write(body, out.latin1Write(head, 0));
      socket.write(out, onSent);
    }
  }

  #afterAnswer(ending: boolean, now: number): void {
    const socket = this.#socket;
    this.lastActivity = now;
    // Ends the connection if the client reads nothing for this long.
    if (this.hasUnsentBytes) socket.setTimeout(this.#lanes.writeIdleTimeoutMs);
    if (ending) this.#close();
    else if (socket.writableNeedDrain) {
      this.#state = 'sending';
      socket.once('drain', this.#onDrain);
    } else this.#nextRequest();
  }

  #drained(): void {
    this.lastActivity = clock.now();
    if (this.#state === 'sending') this.#nextRequest();
  }

  #nextRequest(): void {
    this.#state = 'idle';
    const pipelined = this.#pipelined;
    if (pipelined === undefined) return;
    this.#pipelined = undefined;
    this.#socket.resume();
    this.#onBytes(pipelined);
  }

  /**
   * After `Connection: close` further requests of the client are ignored (RFC 9112, 9.6): it may send them on
   * another connection.
   */
  #close(): void {
    this.#state = 'idle';
    this.#pipelined = undefined;
    this.stop();
    this.#socket.destroySoon();
  }

  /** The client has ended its side. */
  #end(): void {
    if (this.#state === 'answering') this.#ending = true;
    else if (this.#state === 'partial') this.#lanes.onTruncated(this);
    else this.#close();
  }

  #handOver(bytes: Buffer): void {
    const socket = this.#socket;
    this.#noteFirstRequest();
    this.stop();
    socket.removeListener('error', this.#onError);
    socket.removeListener('close', this.#onClose);
    socket.removeListener('timeout', this.#onTimeout);
    socket.setTimeout(0);
    socket.pause();
    socket.unshift(bytes);
    this.#lanes.handOver(this);
    socket.resume();
  }
}
