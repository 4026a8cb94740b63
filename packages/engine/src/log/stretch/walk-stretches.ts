// Finds the stretches of a file by a walk from header to header. If a header is damaged, the next intact one
// is searched for, so damage costs no more than itself. Payloads are skipped, except for vocabularies.

import { crc32 } from 'node:zlib';
import type { DiskFile } from '../../disk/disk.ts';
import {
  decodeStretch,
  decodeTable,
  type FileStretch,
  headLength,
  STRETCH_HEADER,
  STRETCH_MAGIC,
  type UnitTable,
} from './stretch.ts';
import type { StretchMap } from './stretch-map.ts';

/** Bytes read at a time if stretches are long: mostly a header and its table. */
const FEW = 4_096;
/** Bytes read at a time if stretches are short, or one is searched for. */
const MANY = 256 << 10;

type Readable = Pick<DiskFile, 'readSync'>;

/** A range of a file. */
export interface FileRange {
  readonly place: number;
  readonly length: number;
}

/**
 * Adds the stretches of a file from `map.end` to its end at `size` to the map; returns the ranges in between,
 * which belong to no stretch.
 */
export function walkStretches(file: Readable, chunk: number, map: StretchMap, size: number): FileRange[] {
  const window = new Window(file, size);
  const stray: FileRange[] = [];
  let many = false;
  for (let at = map.end; at < size; at = map.end) {
    let found = stretchAt(window, chunk, at, many ? MANY : FEW);
    if (found === undefined) {
      let next = at + 1;
      while (found === undefined && (next = window.find(next)) < size)
        found = stretchAt(window, chunk, next++, MANY);
      stray.push({ place: at, length: (found?.stretch.place ?? size) - at });
      if (found === undefined) break;
    }
    many = found.stretch.payload < MANY / 4;
    map.add(found.stretch, found.table);
  }
  return stray;
}

function stretchAt(
  window: Window,
  chunk: number,
  at: number,
  ahead: number,
): { stretch: FileStretch; table: UnitTable } | undefined {
  const header = window.view(at, STRETCH_HEADER, ahead);
  const stretch = header && decodeStretch(header, 0, chunk, at);
  if (stretch === undefined) return undefined;
  const head = window.view(at, headLength(stretch), ahead);
  const table = head && decodeTable(head, stretch);
  if (table === undefined) return undefined;
  if (stretch.kind === 'vocabulary') {
    const words = window.view(at + headLength(stretch), stretch.payload, ahead);
    if (words === undefined || crc32(words) !== stretch.vocabulary) return undefined;
  }
  return { stretch, table };
}

/** The first stretch of a file without a readable header. */
export function firstStretch(
  file: Readable,
  chunk: number,
  begin: number,
  size: number,
): FileStretch | undefined {
  const window = new Window(file, size);
  for (let at = window.find(begin); at < size; at = window.find(at + 1)) {
    const found = stretchAt(window, chunk, at, MANY);
    if (found !== undefined) return found.stretch;
  }
  return undefined;
}

/** A part of a file in memory. */
class Window {
  readonly #file: Readable;
  readonly #size: number;
  #buffer: Buffer = Buffer.alloc(0);
  #start = 0;
  #length = 0;

  constructor(file: Readable, size: number) {
    this.#file = file;
    this.#size = size;
  }

  /** The bytes from `at` on, valid until the next call; undefined if the file ends before. */
  view(at: number, length: number, ahead: number): Uint8Array | undefined {
    if (at + length > this.#size) return undefined;
    if (at < this.#start || at + length > this.#start + this.#length) this.#load(at, Math.max(length, ahead));
    const from = at - this.#start;
    return from + length > this.#length ? undefined : this.#buffer.subarray(from, from + length);
  }

  /** The first offset at or behind `at` where a stretch may begin; the size of the file if there is none. */
  find(at: number): number {
    for (let from = at; from + STRETCH_HEADER <= this.#size; ) {
      if (this.view(from, STRETCH_HEADER, MANY) === undefined) return this.#size;
      const found = this.#buffer.subarray(0, this.#length).indexOf(STRETCH_MAGIC, from - this.#start);
      if (found >= 0) return this.#start + found;
      from = Math.max(from + 1, this.#start + this.#length - STRETCH_MAGIC.length + 1);
    }
    return this.#size;
  }

  #load(at: number, length: number): void {
    const wanted = Math.min(length, this.#size - at);
    if (this.#buffer.length < wanted) this.#buffer = Buffer.allocUnsafeSlow(wanted);
    this.#start = at;
    this.#length = this.#file.readSync(this.#buffer.subarray(0, wanted), at);
  }
}
