// How are transfers answered without node:http, which costs more than all else of them? A connection begins here. While
// whole plain requests come, one at a time, they are answered from here; with the first that is anything else, or comes in
// parts or together with another, the connection and every byte of that request go to node:http, for good.

import type { Socket } from 'node:net';
import type { HotAnswer } from '../api/hot/answer.ts';
import type { Asker } from '../api/hot/transfers.ts';
import type { Lanes } from './lanes.ts';
import { PlainHeads } from './plain-head.ts';

/** One connection. */
export class Lane implements Asker {
  readonly #socket: Socket;
  readonly #lanes: Lanes;
  readonly #heads = new PlainHeads();
  /** When it was last heard of, in ms of performance.now(). */
  heard: number = performance.now();
  /** True once it has asked for something. */
  #used = false;
  #answering = false;
  /** What came while an answer was under way. */
  #early: Buffer | undefined;
  #ending = false;

  readonly #onData = (bytes: Buffer): void => this.#take(bytes);
  readonly #onEnd = (): void => this.#end();
  readonly #onError = (): void => void this.#socket.destroy();
  readonly #onClose = (): void => this.#lanes.left(this);

  constructor(socket: Socket, lanes: Lanes) {
    this.#socket = socket;
    this.#lanes = lanes;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  get socket(): Socket {
    return this.#socket;
  }

  get used(): boolean {
    return this.#used;
  }

  /** True while it waits for nothing from us. */
  get isIdle(): boolean {
    return !this.#answering;
  }

  /** True where the client does not read what it was sent. */
  get isStuck(): boolean {
    return this.#socket.writableLength > 0;
  }

  /** Ends it, after the answer that is under way. */
  finish(): void {
    if (this.#answering) this.#ending = true;
    else this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    if (this.#answering) {
      // One at a time: what a client sends ahead stays in its socket, but for what has been read already.
      this.#early = this.#early === undefined ? bytes : Buffer.concat([this.#early, bytes]);
      this.#socket.pause();
      return;
    }
    this.heard = performance.now();
    const isFree = !this.isStuck && !this.#ending && bytes.length <= this.#lanes.mostHeadBytes;
    const head = isFree ? this.#heads.read(bytes) : undefined;
    this.#answering = true;
    if (head !== undefined && this.#lanes.transfers.take({ ...head, socket: this.#socket }, this)) {
      if (!this.#used) this.#lanes.heardOf(this);
      this.#used = true;
      return;
    }
    this.#answering = false;
    this.#handOver(bytes);
  }

  answer(answer: HotAnswer): void {
    this.#answering = false;
    this.heard = performance.now();
    const ending = this.#ending || this.#lanes.closing;
    this.#socket.write(printed(answer, ending ? 'close' : this.#lanes.keepAlive));
    if (ending) {
      // After "close" nothing more is done for this client (RFC 9112, 9.6): it may ask again elsewhere.
      this.#early = undefined;
      this.#socket.removeListener('data', this.#onData);
      this.#socket.destroySoon();
      return;
    }
    const early = this.#early;
    if (early === undefined) return;
    this.#early = undefined;
    this.#socket.resume();
    this.#take(early);
  }

  /** The client has sent all that it will. */
  #end(): void {
    if (this.#answering) this.#ending = true;
    else this.#socket.end();
  }

  #handOver(bytes: Buffer): void {
    const socket = this.#socket;
    socket.removeListener('data', this.#onData);
    socket.removeListener('end', this.#onEnd);
    socket.removeListener('error', this.#onError);
    socket.removeListener('close', this.#onClose);
    socket.pause();
    socket.unshift(bytes);
    this.#lanes.handOver(this);
    socket.resume();
  }
}

const REASONS: Readonly<Record<number, string>> = {
  201: 'Created',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  422: 'Unprocessable Entity',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
};

function printed({ status, headers, body }: HotAnswer, connection: string): string {
  let text = `HTTP/1.1 ${status} ${REASONS[status] ?? 'Unknown'}\r\n`;
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return `${text}content-length: ${Buffer.byteLength(body)}\r\ndate: ${dateText()}\r\nconnection: ${connection}\r\n\r\n${body}`;
}

let second = 0;
let dateOfSecond = '';

/** The time as headers have it, made once a second. */
function dateText(): string {
  const now = Math.floor(Date.now() / 1_000);
  if (now !== second) {
    second = now;
    dateOfSecond = new Date(now * 1_000).toUTCString();
  }
  return dateOfSecond;
}
