// The helper thread that packs and learns for the packer. The caller does what it does not answer.

import { HelperThread } from '../../thread/helper-thread.ts';
import type { PackedUnits } from '../packed/word-packing.ts';
import type { VocabularyBytes } from './codec.ts';
import type { PackAnswer, PackJob } from './pack-messages.ts';

/** Buffers are multiples of this, so that they can be reused. */
const STEP = 128 << 10;
/** Larger buffers are not kept, nor more of them. */
const MAX_SPARE_BYTES = 8 << 20;
const MAX_SPARES = 3;

/** Sends jobs to the thread, one after the other. */
export class PackHelper {
  readonly #thread: HelperThread<PackJob, PackAnswer>;
  /** CRC of the words that the thread has. */
  #threadCrc = 0;
  /** Buffers for the next jobs. */
  readonly #spares: Uint8Array[] = [];

  constructor(code: URL) {
    const onExit = (): void => {
      this.#threadCrc = 0;
      this.#spares.length = 0;
    };
    this.#thread = new HelperThread({ name: 'octavo pack', code, youngMb: 16, idleMs: 10_000, onExit });
  }

  /** As `Codec.learn`; undefined also if there is no answer. */
  async learn(sample: Uint8Array): Promise<Uint8Array | undefined> {
    const answer = await this.#ask({ kind: 'learn', bytes: copyParts([sample], roomFor(sample.length)) });
    return answer?.kind === 'learn' ? answer.vocabulary : undefined;
  }

  /** Undefined if there is no answer. */
  async pack(
    { crc, bytes: words }: VocabularyBytes,
    parts: readonly Uint8Array[],
    length: number,
  ): Promise<PackedUnits | undefined> {
    if (!this.#thread.start()) return undefined;
    const vocabulary = this.#threadCrc === crc ? undefined : words;
    this.#threadCrc = crc;
    const spare = this.#spares.pop();
    const room = spare === undefined || spare.length < length ? roomFor(length) : spare;
    const answer = await this.#ask({
      kind: 'pack',
      bytes: copyParts(parts, room.subarray(0, length)),
      vocabulary,
    });
    const made = answer?.kind === 'pack' ? answer.made : undefined;
    // Whether the thread has the words is unknown: send them again.
    if (made === undefined) this.#threadCrc = 0;
    return made;
  }

  /** Takes back the buffer of written units. */
  recycle({ packed: { buffer } }: PackedUnits): void {
    if (buffer.byteLength <= MAX_SPARE_BYTES && this.#spares.length < MAX_SPARES)
      this.#spares.push(new Uint8Array(buffer));
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  #ask(job: PackJob): Promise<PackAnswer | undefined> {
    return this.#thread.ask(job, [job.bytes.buffer as ArrayBuffer]);
  }
}

/** A transferable buffer for so many bytes, rounded up so that it can be reused. */
function roomFor(length: number): Uint8Array {
  const size = Math.ceil(length / STEP) * STEP;
  return new Uint8Array(Buffer.allocUnsafeSlow(size).buffer, 0, size).subarray(0, length);
}

/** Copies the parts into `room`. REQUIRES: it is exactly as large. */
function copyParts(parts: readonly Uint8Array[], room: Uint8Array): Uint8Array {
  let at = 0;
  for (const part of parts) {
    room.set(part, at);
    at += part.length;
  }
  return room;
}
