// Reads bytes of a stretch: one read fetches the units it touches, each is verified, and packed ones are
// unpacked no further than asked. Damaged units read as zeros. Without checksums (format version 2) the
// checksum of a frame detects them.

import { crc32 } from 'node:zlib';
import type { DiskFile } from '../../disk/disk.ts';
import { UNIT } from '../packed/word-packing.ts';
import type { UnitPacking } from './codec.ts';
import type { StretchMap } from './stretch-map.ts';
import type { FileRange } from './walk-stretches.ts';

/** Bytes of a chunk that cannot be read, and the range of its file where they were. */
export interface DamagedRange extends FileRange {
  /** Offset in the chunk. */
  readonly offset: number;
  readonly bytes: number;
}

/** Units per read. */
const RUN = 64;

/** Buffers reused by every call. */
let buffer = new Uint8Array(RUN * UNIT);
const unit = new Uint8Array(UNIT);

/**
 * Reads the bytes of stretch `i` from offset `at` of the chunk on; damaged ranges of the file are added to
 * `damaged`. REQUIRES: they are all in it.
 */
export function readStretch(
  file: Pick<DiskFile, 'readSync'>,
  map: StretchMap,
  i: number,
  packing: UnitPacking | undefined,
  into: Uint8Array,
  at: number,
  damaged: DamagedRange[],
): void {
  const from = at - map.startOf(i);
  const isPacked = map.vocabularyOf(i) !== 0;
  const { isSummed } = map;
  if (!isPacked && !isSummed) {
    into.fill(0, file.readSync(into, map.placeOf(i) + from));
    return;
  }
  if (isPacked && packing === undefined) {
    into.fill(0);
    damaged.push({
      ...{ place: map.placeOf(i), length: map.fileEnd(i) - map.placeOf(i) },
      ...{ offset: at, bytes: into.length },
    });
    return;
  }
  const end = from + into.length;
  const length = map.stopOf(i) - map.startOf(i);
  const place = map.placeOf(i);
  const unitPlace = (number: number): number =>
    isPacked ? map.unitPlace(i, number) : place + Math.min(length, number * UNIT);
  const last = Math.floor((end - 1) / UNIT);
  for (let first = Math.floor(from / UNIT); first <= last; first += RUN) {
    const stop = Math.min(last + 1, first + RUN);
    const begin = unitPlace(first);
    const stored = unitPlace(stop) - begin;
    if (buffer.length < stored) buffer = new Uint8Array(stored * 2);
    const there = file.readSync(buffer.subarray(0, stored), begin);
    let lies = 0;
    for (let number = first; number < stop; number++) {
      const start = number * UNIT;
      // Bytes [skip, upTo) of the unit are needed.
      const skip = Math.max(0, from - start);
      const upTo = Math.min(UNIT, end - start);
      const to = start + skip - from;
      const ends = unitPlace(number + 1) - begin;
      const its = buffer.subarray(lies, ends);
      const isIntact = ends <= there && (!isSummed || crc32(its) === map.sumOf(i, number));
      const isRead =
        isIntact &&
        (isPacked
          ? unpackPart(packing!, its, Math.min(UNIT, length - start), into, to, skip, upTo)
          : copyPart(its, into, to, skip, upTo));
      if (!isRead) {
        into.fill(0, to, to + upTo - skip);
        damaged.push({
          ...{ place: begin + lies, length: ends - lies },
          ...{ offset: map.startOf(i) + start, bytes: Math.min(UNIT, length - start) },
        });
      }
      lies = ends;
    }
  }
}

function copyPart(its: Uint8Array, into: Uint8Array, to: number, skip: number, upTo: number): true {
  into.set(its.subarray(skip, upTo), to);
  return true;
}

/** False if it is not a packed unit of this length. */
function unpackPart(
  packing: UnitPacking,
  its: Uint8Array,
  length: number,
  into: Uint8Array,
  to: number,
  skip: number,
  upTo: number,
): boolean {
  if (skip === 0) return packing.unpack(its, length, into, to, upTo);
  if (!packing.unpack(its, length, unit, 0, upTo)) return false;
  into.set(unit.subarray(skip, upTo), to);
  return true;
}
