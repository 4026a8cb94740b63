// One connection that is answered without `node:http`, which costs more than most requests do. While whole plain requests come, one
// at a time, they are answered from here; with the first that is anything else, or comes together with another, the connection
// and every byte of that request go to `node:http`, for good.

import type { Socket } from 'node:net';
import { afterPendingReads } from '../connections.ts';
import type { RequestHandler, ResponseSink } from './request.ts';
import type { PlainHead, PlainHeadReader } from './request-head.ts';
import { responseHead } from './response-head.ts';

/** A larger request is for node:http: what has come of it is copied together when more comes. */
const MOST_BYTES = 65_536;
/** Shorter answers are copied behind their heads, so that one piece leaves. */
const COPIED_BELOW = 16_384;

/** The global is an accessor, which is asked each time. */
const clock: typeof performance = performance;
const EMPTY: Buffer = Buffer.alloc(0);
const CLOSE = 'Connection: close\r\n\r\n';

/**
 * What a connection is doing. `partial`: some of a request has come. `answering`: it waits for us. `sending`: we wait for it
 * to read a long answer.
 */
export type LaneState = 'new' | 'idle' | 'partial' | 'answering' | 'sending';

/** A request of which some has come. */
interface Partial {
  readonly head: PlainHead;
  /** As long as the request. */
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
  /** The connection is one for node:http from here on. */
  handOver(lane: Lane): void;
}

/** One connection. */
export class Lane implements ResponseSink {
  readonly #socket: Socket;
  readonly #lanes: LaneGroup;
  /** When it was last heard of, in ms of performance.now(). */
  lastActivity: number = clock.now();
  #state: LaneState = 'new';
  #partial: Partial | undefined;
  /** What came while an answer was under way. */
  #early: Buffer | undefined;
  #isHead = false;
  #ending = false;
  #stopped = false;

  readonly #onData = (bytes: Buffer): void => {
    if (!this.#stopped) this.#take(bytes);
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

  /** True where the client has not read what it was sent. */
  get hasUnsentBytes(): boolean {
    return this.#socket.writableLength > 0;
  }

  get isGone(): boolean {
    return this.#socket.destroyed;
  }

  onGone(listener: () => void): () => void {
    this.#socket.once('close', listener);
    return () => void this.#socket.removeListener('close', listener);
  }

  /**
   * Ends it, after the answers that are under way or leaving. A request that is still coming is for node:http, which knows how
   * long to wait for it.
   */
  finish(): void {
    const partial = this.#partial;
    if (this.#state === 'answering') this.#ending = true;
    else if (this.#state === 'sending' || this.hasUnsentBytes) this.#close();
    else if (partial !== undefined && !this.isGone) this.#handOver(partial.bytes.subarray(0, partial.filled));
    else afterPendingReads(() => this.#stopped || this.#socket.destroy());
  }

  /** Takes no more requests; its answers still leave. */
  stop(): void {
    this.#stopped = true;
    this.#socket.removeListener('data', this.#onData);
    this.#socket.removeListener('end', this.#onEnd);
  }

  #take(bytes: Buffer): void {
    if (this.#state === 'answering' || this.#state === 'sending') {
      // One at a time: what a client sends ahead stays in its socket, but for what has been read already.
      this.#early = this.#early === undefined ? bytes : Buffer.concat([this.#early, bytes]);
      this.#socket.pause();
      return;
    }
    if (this.#partial !== undefined) {
      this.#takeMore(this.#partial, bytes);
      return;
    }
    this.lastActivity = clock.now();
    const head = this.#ending ? undefined : this.#lanes.heads.read(bytes);
    const needed = head === undefined ? 0 : head.headBytes + head.bodyBytes;
    if (head === undefined || bytes.length > needed) this.#handOver(bytes);
    else if (bytes.length === needed) this.#answerTo(head, bytes);
    else if (
      needed > MOST_BYTES ||
      !this.#lanes.handler.acceptsBody({ ...head, socket: this.#socket }, head.bodyBytes)
    )
      this.#handOver(bytes);
    else {
      this.#leaveSilence();
      this.#state = 'partial';
      this.#partial = { head, bytes: Buffer.allocUnsafe(needed), filled: 0 };
      this.#takeMore(this.#partial, bytes);
    }
  }

  #takeMore(partial: Partial, bytes: Buffer): void {
    const { head, bytes: all, filled } = partial;
    if (filled + bytes.length > all.length) {
      this.#handOver(Buffer.concat([all.subarray(0, filled), bytes]));
      return;
    }
    all.set(bytes, filled);
    partial.filled += bytes.length;
    if (partial.filled < all.length) return;
    this.#partial = undefined;
    this.#answerTo(head, all);
  }

  #answerTo({ method, target, headers, headBytes, bodyBytes }: PlainHead, all: Buffer): void {
    const body = bodyBytes === 0 ? EMPTY : all.subarray(headBytes);
    this.#leaveSilence();
    this.#state = 'answering';
    this.#isHead = method === 'HEAD';
    const request = { method, target, headers, body, socket: this.#socket, startedAt: this.lastActivity };
    if (!this.#lanes.handler.handle(request, this)) this.#handOver(all);
  }

  #leaveSilence(): void {
    if (this.#state === 'new') this.#lanes.onFirstRequest(this);
  }

  answer(status: number, headers: readonly string[], body: string | Uint8Array): number {
    const now = clock.now();
    const ending = this.#ending || this.#lanes.closing;
    const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    const head = responseHead(status, headers, bytes, ending ? CLOSE : this.#lanes.keepAlive, now);
    this.#write(head, this.#isHead || status === 204 || status === 304 ? EMPTY : body, bytes);
    this.#answered(ending, now);
    return now;
  }

  #write(head: string, body: string | Uint8Array, bodyBytes: number): void {
    const socket = this.#socket;
    if (bodyBytes >= COPIED_BELOW) {
      socket.cork();
      socket.write(head, 'latin1');
      if (body.length > 0) socket.write(body);
      socket.uncork();
    } else if (typeof body !== 'string') {
      const out = Buffer.allocUnsafe(head.length + body.length);
      out.set(body, out.latin1Write(head, 0));
      socket.write(out);
    } else if (body.length === bodyBytes) {
      // All of it ASCII: then no bytes have to be laid out here.
      socket.write(head + body, 'latin1');
    } else {
      const out = Buffer.allocUnsafe(head.length + bodyBytes);
      out.utf8Write(body, out.latin1Write(head, 0));
      socket.write(out);
    }
  }

  #answered(ending: boolean, now: number): void {
    const socket = this.#socket;
    this.lastActivity = now;
    // From here on the client has so long to read on; it is cut only where nothing moves.
    if (this.hasUnsentBytes) socket.setTimeout(this.#lanes.writeIdleTimeoutMs);
    if (ending) this.#close();
    else if (socket.writableNeedDrain) {
      this.#state = 'sending';
      socket.once('drain', this.#onDrain);
    } else this.#goOn();
  }

  #drained(): void {
    this.lastActivity = clock.now();
    if (this.#state === 'sending') this.#goOn();
  }

  #goOn(): void {
    this.#state = 'idle';
    const early = this.#early;
    if (early === undefined) return;
    this.#early = undefined;
    this.#socket.resume();
    this.#take(early);
  }

  /** After "close" nothing more is done for this client (RFC 9112, 9.6): it may ask again elsewhere. */
  #close(): void {
    this.#state = 'idle';
    this.#early = undefined;
    this.stop();
    this.#socket.destroySoon();
  }

  /** The client has sent all that it will. */
  #end(): void {
    if (this.#state === 'answering') this.#ending = true;
    else if (this.#state === 'partial') this.#lanes.onTruncated(this);
    else this.#close();
  }

  #handOver(bytes: Buffer): void {
    const socket = this.#socket;
    this.#leaveSilence();
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
