// Who packs large appends while the serving thread is at other things? A thread of its own, begun when there is the first
// one to pack and ended when there was none for a while. What it does not answer is for others to do.

import { Worker } from 'node:worker_threads';
import type { PackAnswer, PackJob } from './pack-messages.ts';
import type { Packed, Vocabulary } from './packer.ts';

/** A thread that has died so often is not started again. */
const MOST_DEATHS = 3;
/** Without a job for so long the thread ends, and gives its memory back. */
const IDLE_MS = 10_000;

type Done = (answer: PackAnswer | undefined) => void;

/** Packs and learns elsewhere, one job after the other. */
export class PackThread {
  readonly #code: URL;
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;
  /** In a row, without an answer between them. */
  #deaths = 0;
  #waiting: Done[] = [];
  /** CRC of the words that the thread has. */
  #known = 0;

  constructor(code: URL) {
    this.#code = code;
  }

  /** As `Codec.learn`; undefined also where there is no answer. */
  async learn(sample: Uint8Array): Promise<Uint8Array | undefined> {
    const bytes = copyOf([sample], sample.length);
    const answer = await this.#ask({ kind: 'learn', bytes });
    return answer?.kind === 'learn' ? answer.vocabulary : undefined;
  }

  /** Undefined where there is no answer. */
  async pack(
    { crc, bytes: words }: Vocabulary,
    parts: readonly Uint8Array[],
    length: number,
  ): Promise<Packed | undefined> {
    this.#thread ??= this.#start();
    const vocabulary = this.#known === crc ? undefined : words;
    this.#known = crc;
    const answer = await this.#ask({ kind: 'pack', bytes: copyOf(parts, length), vocabulary });
    return answer?.kind === 'pack' ? answer.made : undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  #ask(job: PackJob): Promise<PackAnswer | undefined> {
    this.#thread ??= this.#start();
    const thread = this.#thread;
    if (thread === undefined) return Promise.resolve(undefined);
    clearTimeout(this.#idle);
    return new Promise((done) => {
      this.#waiting.push(done);
      thread.ref();
      thread.postMessage(job, [job.bytes.buffer as ArrayBuffer]);
    });
  }

  #start(): Worker | undefined {
    if (this.#closed || this.#deaths >= MOST_DEATHS) return undefined;
    const thread = new Worker(this.#code, { resourceLimits: { maxYoungGenerationSizeMb: 16 } });
    thread.unref();
    thread.on('message', (answer: PackAnswer) => {
      if (this.#thread !== thread) return;
      this.#deaths = 0;
      this.#waiting.shift()?.(answer);
      if (this.#waiting.length > 0) return;
      thread.unref();
      this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
    });
    // One that dies is started anew with the next append.
    thread.on('error', () => {});
    thread.once('exit', () => {
      if (this.#thread !== thread) return;
      this.#deaths++;
      this.#forget();
    });
    return thread;
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#forget();
    await thread?.terminate();
  }

  #forget(): void {
    clearTimeout(this.#idle);
    this.#thread = undefined;
    this.#known = 0;
    for (const done of this.#waiting.splice(0)) done(undefined);
  }
}

/** In memory of its own, to be given away. */
function copyOf(parts: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return new Uint8Array(bytes.buffer, bytes.byteOffset, length);
}
