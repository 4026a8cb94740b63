// Reads bytes of a stretch: directly if it is raw; else one read fetches the units it touches, and each is
// unpacked no further than asked. A unit that cannot be unpacked reads as zeros: the checksum of its frame
// detects it.

import type { DiskFile } from '../../disk/disk.ts';
import { UNIT } from '../packed/word-packing.ts';
import type { UnitPacking } from './codec.ts';
import type { StretchMap } from './stretch-map.ts';

/** Units per read. */
const RUN = 64;

/** Buffers reused by every call. */
let buffer = new Uint8Array(64 << 10);
const unit = new Uint8Array(UNIT);

/** Reads the bytes of stretch `i` from offset `at` of the chunk on. REQUIRES: they are all in it. */
export function readStretch(
  file: Pick<DiskFile, 'readSync'>,
  map: StretchMap,
  i: number,
  packing: UnitPacking | undefined,
  into: Uint8Array,
  at: number,
): void {
  const from = at - map.startOf(i);
  if (map.vocabularyOf(i) === 0) {
    into.fill(0, file.readSync(into, map.placeOf(i) + from));
    return;
  }
  if (packing === undefined) {
    into.fill(0);
    return;
  }
  const end = from + into.length;
  const length = map.stopOf(i) - map.startOf(i);
  const last = Math.floor((end - 1) / UNIT);
  for (let first = Math.floor(from / UNIT); first <= last; first += RUN) {
    const stop = Math.min(last + 1, first + RUN);
    const begin = map.unitPlace(i, first);
    const packed = map.unitPlace(i, stop) - begin;
    if (buffer.length < packed) buffer = new Uint8Array(packed * 2);
    const there = file.readSync(buffer.subarray(0, packed), begin);
    for (let number = first; number < stop; number++) {
      const start = number * UNIT;
      // Bytes [skip, upTo) of the unit are needed.
      const skip = Math.max(0, from - start);
      const upTo = Math.min(UNIT, end - start);
      const to = start + skip - from;
      const [lies, ends] = [map.unitPlace(i, number) - begin, map.unitPlace(i, number + 1) - begin];
      const its = buffer.subarray(lies, ends);
      const whole = Math.min(UNIT, length - start);
      const isThere = ends <= there;
      if (skip === 0) {
        if (!isThere || !packing.unpack(its, whole, into, to, upTo)) into.fill(0, to, to + upTo);
      } else if (isThere && packing.unpack(its, whole, unit, 0, upTo))
        into.set(unit.subarray(skip, upTo), to);
      else into.fill(0, to, to + upTo - skip);
    }
  }
}
