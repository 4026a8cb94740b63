// Who packs large appends while the serving thread is at other things? A thread of its own. What it does not answer is for
// others to do.

import { HelperThread } from '../../thread/helper-thread.ts';
import type { Packed, VocabularyBytes } from './codec.ts';
import type { PackAnswer, PackJob } from './pack-messages.ts';

/** Memory for appends is a multiple of this, so that it serves for the next one, too. */
const STEP = 128 << 10;
/** Memory of more bytes is not kept for the next append, nor that of more appends. */
const SPARE_MAX = 8 << 20;
const SPARES = 3;

/** Packs and learns elsewhere, one job after the other. */
export class PackHelper {
  readonly #thread: HelperThread<PackJob, PackAnswer>;
  /** CRC of the words that the thread has. */
  #known = 0;
  /** What came back and was written: for the next jobs. */
  readonly #spares: Uint8Array[] = [];

  constructor(code: URL) {
    const onExit = (): void => {
      this.#known = 0;
      this.#spares.length = 0;
    };
    this.#thread = new HelperThread({ name: 'octavo pack', code, youngMb: 16, idleMs: 10_000, onExit });
  }

  /** As `Codec.learn`; undefined also where there is no answer. */
  async learn(sample: Uint8Array): Promise<Uint8Array | undefined> {
    const answer = await this.#ask({ kind: 'learn', bytes: copied([sample], roomFor(sample.length)) });
    return answer?.kind === 'learn' ? answer.vocabulary : undefined;
  }

  /** Undefined where there is no answer. */
  async pack(
    { crc, bytes: words }: VocabularyBytes,
    parts: readonly Uint8Array[],
    length: number,
  ): Promise<Packed | undefined> {
    if (!this.#thread.start()) return undefined;
    const vocabulary = this.#known === crc ? undefined : words;
    this.#known = crc;
    const spare = this.#spares.pop();
    const room = spare === undefined || spare.length < length ? roomFor(length) : spare;
    const answer = await this.#ask({
      kind: 'pack',
      bytes: copied(parts, room.subarray(0, length)),
      vocabulary,
    });
    const made = answer?.kind === 'pack' ? answer.made : undefined;
    // Whether it has the words is not known: they are sent again.
    if (made === undefined) this.#known = 0;
    return made;
  }

  /** What was packed has been written: there is room in it for what comes. */
  recycle({ packed: { buffer } }: Packed): void {
    if (buffer.byteLength <= SPARE_MAX && this.#spares.length < SPARES)
      this.#spares.push(new Uint8Array(buffer));
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  #ask(job: PackJob): Promise<PackAnswer | undefined> {
    return this.#thread.ask(job, [job.bytes.buffer as ArrayBuffer]);
  }
}

/** Memory of its own, to be given away, for so many bytes; a little more, so that it serves again. */
function roomFor(length: number): Uint8Array {
  const size = Math.ceil(length / STEP) * STEP;
  return new Uint8Array(Buffer.allocUnsafeSlow(size).buffer, 0, size).subarray(0, length);
}

/** The parts, one behind the other. REQUIRES: just room for them. */
function copied(parts: readonly Uint8Array[], room: Uint8Array): Uint8Array {
  let at = 0;
  for (const part of parts) {
    room.set(part, at);
    at += part.length;
  }
  return room;
}
