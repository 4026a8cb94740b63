// Sections of postings that are not stored in packed files because they follow from others: bitmaps and
// ranks from the documents of each group, codes from position counts and norms, residues and offsets
// from the positions. Unpacking computes them again; their checksums prove that they are the same.

import { crc32 } from 'node:zlib';
import { decodeFields } from '../field-records.ts';
import { DENSE_WORDS, type FieldRecord, GROUP_WORDS, KIND, type SectionKind } from '../format.ts';
import { writeDenseGroup } from '../postings/dense-group.ts';
import { scoreCodesOf } from '../postings/score-codes.ts';
import { type SectionTable, SegmentDamagedError } from '../section-table.ts';

/** Postings between two yields, a multiple of 16: less than a millisecond. */
const SLICE = 65_536;
const CHUNK = 65_536;
const MOST_COUNTED = 255;

/** Derived sections of a field with positions. */
const OF_POSITIONS = [
  KIND.dense,
  KIND.codes,
  KIND.positionOffsets,
  KIND.positionHalves,
  KIND.positionResidues,
] as const;

/** The derived kinds of a field, by its index level. */
function kindsOf({ index }: FieldRecord): readonly SectionKind[] {
  if (index === 0) return [];
  return index > 2 ? OF_POSITIONS : [KIND.dense];
}

function recordsOf(table: SectionTable): readonly FieldRecord[] {
  return table.has(KIND.fields) ? decodeFields(table.u8(KIND.fields)) : [];
}

/** Where the derived sections of a segment begin. O(fields). */
export function findDerivedSections(table: SectionTable): ReadonlySet<number> {
  const starts = new Set<number>();
  for (const [field, record] of recordsOf(table).entries())
    for (const kind of kindsOf(record)) if (table.has(kind, field)) starts.add(table.start(kind, field));
  return starts;
}

/**
 * Computes the sections of a segment that begin at these places. Throws SegmentDamagedError if a checksum differs.
 * REQUIRES: all other sections are in place. Yields as it goes. O(bytes of positions).
 */
export function* deriveSections(table: SectionTable, starts: ReadonlySet<number>): Generator<void, void> {
  for (const [field, record] of recordsOf(table).entries()) {
    const kinds = kindsOf(record).filter((kind) => starts.has(table.start(kind, field)));
    if (kinds.includes(KIND.dense)) yield* makeDense(table, field);
    if (kinds.some((kind) => kind !== KIND.dense)) yield* makePostings(table, field, record);
    for (const kind of kinds) {
      if (crc32(table.u8(kind, field)) !== table.sum(kind, field))
        throw new SegmentDamagedError(`section ${kind} of field ${field} does not follow from the others`);
      yield;
    }
  }
}

function* makeDense(table: SectionTable, field: number): Generator<void, void> {
  const groups = table.u32(KIND.groups, field);
  const lows = table.u16(KIND.lows, field);
  const dense = table.u32(KIND.dense, field);
  let work = 0;
  for (let head = 0; head + GROUP_WORDS < groups.length; head += GROUP_WORDS) {
    if (groups[head + 2]! >>> 24 === 0) continue;
    const end = Math.min(groups[head + GROUP_WORDS]!, lows.length);
    writeDenseGroup(lows, groups[head]!, end, dense, groups[head + 3]! * DENSE_WORDS);
    work += CHUNK >>> 2;
    if (work < SLICE) continue;
    work = 0;
    yield;
  }
}

/**
 * First the frequency of each posting, written where its code belongs, with the offsets; then the codes. Which byte ends a
 * posting is unpredictable, so there is no branch on it: the count is written with every byte, and the last write is right.
 */
function* makePostings(table: SectionTable, field: number, record: FieldRecord): Generator<void, void> {
  const codes = table.u8(KIND.codes, field);
  const offsets = table.u32(KIND.positionOffsets, field);
  const halves = table.u8(KIND.positionHalves, field);
  const residues = table.u8(KIND.positionResidues, field);
  const bytes = table.u8(KIND.positionBytes, field);
  const often = new Map<number, number>();
  let at = 0;
  for (let start = 0; start < codes.length; start += SLICE) {
    at = count(bytes, at, codes, start, { offsets, halves, residues }, often);
    yield;
  }
  const groups = table.u32(KIND.groups, field);
  const lows = table.u16(KIND.lows, field);
  const norms = record.norms ? table.u8(KIND.norms, field) : undefined;
  const tables = scoreCodesOf(record.bucket);
  const left = [...often].reverse();
  let work = 0;
  for (let head = 0; head + GROUP_WORDS < groups.length; head += GROUP_WORDS) {
    const start = groups[head]!;
    const end = Math.min(groups[head + GROUP_WORDS]!, codes.length, lows.length);
    const base = (groups[head + 2]! & 0xffff) * CHUNK;
    encode(codes, start, end, tables.table, lows, base, norms);
    for (; left.length > 0 && left.at(-1)![0] < end; left.pop()) {
      const [posting, tf] = left.at(-1)!;
      codes[posting] = tables.code(tf, norms === undefined ? 1 : norms[base + lows[posting]!]!);
    }
    work += end - start;
    if (work < SLICE) continue;
    work = 0;
    yield;
  }
}

/**
 * Writes frequencies, residues and offsets of SLICE postings whose positions begin at `from`; frequencies above a byte go to
 * `often`, ascending. Returns where the positions of the next posting begin.
 */
function count(
  bytes: Uint8Array,
  from: number,
  counts: Uint8Array,
  start: number,
  { offsets, halves, residues }: { offsets: Uint32Array; halves: Uint8Array; residues: Uint8Array },
  often: Map<number, number>,
): number {
  const { length } = bytes;
  const hasResidues = residues.length > 0;
  const end = Math.min(counts.length, start + SLICE);
  let at = from;
  for (let p = start; p < end; ) {
    if ((p & 15) === 0) {
      offsets[p >>> 4] = at;
      if (halves.length > 0) halves[p >>> 4] = 0;
    } else if (halves.length > 0) {
      const half = at - offsets[p >>> 4]!;
      halves[p >>> 4] = half < 256 ? half : 0;
    }
    const until = Math.min(end, p + 8);
    let tf = 0;
    let place = 0;
    let seen = 0;
    let before = 0;
    while (p < until && at < length) {
      const byte = bytes[at++]!;
      tf += (byte >>> 7) ^ 1;
      counts[p] = tf;
      place += byte & ((before >>> 7) - 1);
      seen |= 1 << (place & 7);
      if (hasResidues) residues[p] = seen;
      before = byte;
      if (tf > MOST_COUNTED) {
        often.set(p, tf);
        counts[p] = MOST_COUNTED;
      }
      const ends = (byte >>> 6) & ~(byte >>> 7) & 1;
      p += ends;
      tf &= ends - 1;
      place &= ends - 1;
      seen &= ends - 1;
    }
    // The positions are cut short: the checksum will differ.
    if (p < until) return at;
  }
  return at;
}

/** Replaces counts by codes. */
function encode(
  codes: Uint8Array,
  start: number,
  end: number,
  table: Uint8Array,
  lows: Uint16Array,
  base: number,
  norms: Uint8Array | undefined,
): void {
  if (norms === undefined) for (let p = start; p < end; p++) codes[p] = table[(codes[p]! << 8) | 1]!;
  else for (let p = start; p < end; p++) codes[p] = table[(codes[p]! << 8) | norms[base + lows[p]!]!]!;
}
