// Walks over the frames of a chunk file in large reads, checking every checksum. Behind something bad it
// looks for the next intact frame.

import type { DiskFile } from '../../disk/disk.ts';
import {
  decodeFrameHeader,
  FRAME_HEADER,
  FRAME_MAGIC,
  type FrameHeader,
  isIntactFrame,
} from '../format/format.ts';

const WINDOW_BYTES = 4 << 20;

/** An intact frame (`bytes` is a view valid until the next step), or a range that is none. */
export type FrameStep =
  | { readonly kind: 'frame'; readonly header: FrameHeader; readonly bytes: Uint8Array }
  | { readonly kind: 'bad'; readonly offset: number; readonly length: number };

/** Frames from `start` to `end`, in order. Memory: a window of 4 MiB, or the largest frame. */
export function* scanFrames(
  file: Pick<DiskFile, 'readSync'>,
  chunk: number,
  start: number,
  end: number,
  windowBytes: number = WINDOW_BYTES,
): Generator<FrameStep> {
  const window = new Window(file, end, windowBytes);
  for (let at = start; at < end; ) {
    const frame = frameAt(window, chunk, at, end);
    if (frame !== undefined) {
      yield frame;
      at += frame.header.length;
      continue;
    }
    let next = at + 8;
    while (next < end) {
      next = window.find(next);
      if (next >= end || frameAt(window, chunk, next, end) !== undefined) break;
      next += 8;
    }
    const stop = Math.min(next, end);
    yield { kind: 'bad', offset: at, length: stop - at };
    at = stop;
  }
}

type IntactFrame = Extract<FrameStep, { kind: 'frame' }>;

function frameAt(window: Window, chunk: number, at: number, end: number): IntactFrame | undefined {
  const head = window.view(at, FRAME_HEADER);
  const header = head && decodeFrameHeader(head, 0);
  if (!header || header.chunk !== chunk || header.offset !== at) return undefined;
  if (header.length < FRAME_HEADER || header.length % 8 !== 0 || at + header.length > end) return undefined;
  const bytes = window.view(at, header.length);
  return bytes !== undefined && isIntactFrame(bytes) ? { kind: 'frame', header, bytes } : undefined;
}

/** A part of a file in memory. */
class Window {
  readonly #file: Pick<DiskFile, 'readSync'>;
  readonly #end: number;
  #buffer: Buffer;
  #start = 0;
  #length = 0;

  constructor(file: Pick<DiskFile, 'readSync'>, end: number, bytes: number) {
    this.#file = file;
    this.#end = end;
    this.#buffer = Buffer.allocUnsafeSlow(Math.min(bytes, Math.max(end, FRAME_HEADER)));
  }

  /** The bytes from `at` on; undefined if the file ends before. */
  view(at: number, length: number): Uint8Array | undefined {
    if (at < this.#start || at + length > this.#start + this.#length) this.#load(at, length);
    const from = at - this.#start;
    if (from + length > this.#length) return undefined;
    return new Uint8Array(this.#buffer.buffer, this.#buffer.byteOffset + from, length);
  }

  /** The first offset at or behind `at` where a frame may begin; the end if there is none. */
  find(at: number): number {
    for (let from = at; from + FRAME_HEADER <= this.#end; ) {
      if (this.view(from, FRAME_HEADER) === undefined) return this.#end;
      const found = this.#buffer.subarray(0, this.#length).indexOf(FRAME_MAGIC, from - this.#start);
      if (found < 0) {
        from = Math.max(from + 8, Math.floor((this.#start + this.#length - FRAME_HEADER) / 8) * 8);
      } else if ((this.#start + found) % 8 === 0) {
        return this.#start + found;
      } else {
        from = this.#start + found + 1;
      }
    }
    return this.#end;
  }

  #load(at: number, length: number): void {
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafeSlow(length);
    this.#start = at;
    this.#length = this.#file.readSync(
      this.#buffer.subarray(0, Math.min(this.#buffer.length, this.#end - at)),
      at,
    );
  }
}
