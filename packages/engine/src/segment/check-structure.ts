// Checks the shapes that readers rely on in a segment with right checksums: lengths that fit together,
// ascending starts, numbers below their counts, hash tables with an empty slot. One pass over every
// array.

import { wordsFor } from '../kernels/bits.ts';
import { compareByteRanges } from '../kernels/sorted-search.ts';
import { decodeFields, decodeNames } from './field-records.ts';
import { BLOCK_POSTINGS, DENSE_WORDS, type FieldRecord, GROUP_WORDS, KIND } from './format.ts';
import { residuesOf } from './postings/residues.ts';
import type { SectionTable } from './section-table.ts';

/** Collects findings about one part of the segment. */
class Findings {
  readonly list: string[] = [];

  /** Notes `what` unless it holds. */
  must(holds: boolean, what: string): boolean {
    if (!holds) this.list.push(what);
    return holds;
  }

  /** An array of starts: `count + 1` of them, ascending, from 0 up to `end`. */
  starts(starts: Uint32Array, count: number, end: number, what: string): boolean {
    if (
      !this.must(starts.length === count + 1, `${what}: ${starts.length} entries instead of ${count + 1}`)
    ) {
      return false;
    }
    let ascending = starts[0] === 0 && starts[count] === end;
    for (let i = 0; i < count; i++) if (starts[i]! > starts[i + 1]!) ascending = false;
    return this.must(ascending, `${what}: do not ascend from 0 to ${end}`);
  }

  /** All numbers below `limit`. */
  below(values: Uint8Array | Uint16Array | Uint32Array, limit: number, what: string): void {
    let holds = true;
    for (let i = 0; i < values.length; i++) if (values[i]! >= limit) holds = false;
    this.must(holds, `${what}: a number is not below ${limit}`);
  }

  /** An open-addressing table of numbers 1 … count with at least one empty slot. */
  hash(table: Uint32Array, count: number, what: string): void {
    const power = table.length > 0 && (table.length & (table.length - 1)) === 0;
    if (!this.must(power, `${what}: ${table.length} slots are not a power of two`)) return;
    this.below(table, count + 1, what);
    this.must(table.includes(0), `${what}: no empty slot`);
  }
}

/** Everything that is wrong. Throws a RangeError when the field records are cut short. */
export function checkStructure(table: SectionTable): string[] {
  const findings = new Findings();
  checkDocuments(table, findings);
  const records = table.has(KIND.fields) ? decodeFields(table.u8(KIND.fields)) : [];
  records.forEach((record, field) => {
    const before = findings.list.length;
    const words = wordsFor(table.docCount);
    findings.must(table.u32(KIND.present, field).length === words, 'present: wrong length');
    findings.must(
      table.u8(KIND.norms, field).length === (record.norms ? table.docCount : 0),
      'norms: wrong length',
    );
    if (record.termCount > 0) checkTerms(table, field, record, findings);
    if (record.index > 0 && record.termCount > 0) checkPostings(table, field, record, findings);
    if (record.column > 0 && record.valueCount > 0) checkColumn(table, field, record, findings);
    for (let i = before; i < findings.list.length; i++) {
      findings.list[i] = `field [${record.path}]: ${findings.list[i]}`;
    }
  });
  return findings.list;
}

function checkDocuments(table: SectionTable, findings: Findings): void {
  const n = table.docCount;
  const plain = [KIND.sourceChunks, KIND.sourceOffsets, KIND.sourceLengths] as const;
  for (const kind of plain)
    findings.must(table.u32(kind).length === n, `sources: ${kind} has a wrong length`);
  findings.must(table.f64(KIND.seqNos).length === n, 'seqNos: wrong length');
  if (table.has(KIND.versions))
    findings.must(table.f64(KIND.versions).length === n, 'versions: wrong length');
  findings.starts(table.u32(KIND.idStarts), n, table.u8(KIND.idBytes).length, 'idStarts');
  findings.hash(table.u32(KIND.idHash), n, 'idHash');
  if (table.has(KIND.idPrevious)) checkPrevious(table.u32(KIND.idPrevious), n, findings);
  if (table.has(KIND.types)) {
    findings.must(table.u16(KIND.types).length === n, 'types: wrong length');
    findings.below(table.u16(KIND.types), decodeNames(table.u8(KIND.typeNames)).length, 'types');
  }
  if (table.has(KIND.routingStarts)) {
    findings.starts(table.u32(KIND.routingStarts), n, table.u8(KIND.routingBytes).length, 'routingStarts');
  }
  const starts = table.u32(KIND.runStarts);
  const commits = table.f64(KIND.runCommits);
  let ascending = starts.length === commits.length && (n === 0 || starts[0] === 0);
  for (let run = 1; run < starts.length; run++) {
    if (starts[run]! <= starts[run - 1]! || !(commits[run]! >= commits[run - 1]!)) ascending = false;
  }
  findings.must(ascending && (n === 0 || starts.at(-1)! < n), 'runs of commits: do not ascend');
}

/** Older versions come before newer ones, so chains end. */
function checkPrevious(previous: Uint32Array, count: number, findings: Findings): void {
  let holds = previous.length === count;
  for (let doc = 0; doc < previous.length; doc++) if (previous[doc]! > doc) holds = false;
  findings.must(holds, 'idPrevious: a chain does not lead back');
}

function checkTerms(table: SectionTable, field: number, record: FieldRecord, findings: Findings): void {
  const bytes = table.u8(KIND.termBytes, field);
  const starts = table.u32(KIND.termStarts, field);
  if (!findings.starts(starts, record.termCount, bytes.length, 'termStarts')) return;
  findings.hash(table.u32(KIND.termHash, field), record.termCount, 'termHash');
  let sorted = true;
  for (let t = 1; t < record.termCount && sorted; t++) {
    sorted = compareByteRanges(bytes, starts[t - 1]!, starts[t]!, bytes, starts[t]!, starts[t + 1]!) < 0;
  }
  findings.must(sorted, 'terms: not sorted');
}

function checkPostings(table: SectionTable, field: number, record: FieldRecord, findings: Findings): void {
  const groups = table.u32(KIND.groups, field);
  const lows = table.u16(KIND.lows, field);
  const count = groups.length / GROUP_WORDS - 1;
  if (!findings.must(Number.isInteger(count) && count >= 0, 'groups: wrong length')) return;
  findings.starts(table.u32(KIND.termGroups, field), record.termCount, count, 'termGroups');
  const freqs = record.index > 1;
  findings.must(lows.length === record.postingCount, 'lows: wrong length');
  findings.must(table.u8(KIND.codes, field).length === (freqs ? lows.length : 0), 'codes: wrong length');
  findings.must(
    table.u32(KIND.termFreqs, field).length === (freqs ? record.termCount : 0),
    'termFreqs: wrong length',
  );
  const dense = table.u32(KIND.dense, field).length / DENSE_WORDS;
  let block = 0;
  let ascending = groups[0] === 0 && groups[count * GROUP_WORDS] === lows.length;
  let inRange = true;
  for (let g = 0; g < count && ascending; g++) {
    const at = g * GROUP_WORDS;
    const start = groups[at]!;
    const end = groups[at + GROUP_WORDS]!;
    const chunk = groups[at + 2]! & 0xffff;
    if (end <= start || end > lows.length) ascending = false;
    if (freqs && groups[at + 1] !== block) inRange = false;
    block += Math.ceil((end - start) / BLOCK_POSTINGS);
    if (groups[at + 2]! >>> 24 !== 0 && groups[at + 3]! >= dense) inRange = false;
    for (let p = start + 1; p < end && ascending; p++) if (lows[p]! <= lows[p - 1]!) ascending = false;
    if (ascending && chunk * 65_536 + lows[end - 1]! >= table.docCount) inRange = false;
  }
  findings.must(ascending, 'groups: postings do not ascend');
  findings.must(inRange, 'groups: a number is out of range');
  findings.must(table.u8(KIND.blockMax, field).length === (freqs ? block : 0), 'blockMax: wrong length');
  if (record.index > 2) checkPositions(table, field, lows.length, findings);
}

/**
 * There are as many ends as postings, every eighth begins where its sixteen says, and residues are theirs.
 */
function checkPositions(table: SectionTable, field: number, postings: number, findings: Findings): void {
  const bytes = table.u8(KIND.positionBytes, field);
  const offsets = table.u32(KIND.positionOffsets, field);
  let posting = 0;
  let start = 0;
  const halves = table.u8(KIND.positionHalves, field);
  const residues = table.u8(KIND.positionResidues, field);
  let holds = offsets.length === (postings + 15) >>> 4;
  if (halves.length !== 0 && halves.length !== offsets.length) holds = false;
  if (residues.length !== 0 && residues.length !== postings) holds = false;
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at]! & 0xc0) !== 0x40) continue;
    const sixteen = posting >>> 4;
    if ((posting & 15) === 0 && offsets[sixteen] !== start) holds = false;
    const half = start - offsets[sixteen]!;
    if ((posting & 15) === 8 && halves.length > 0 && halves[sixteen] !== (half < 256 ? half : 0))
      holds = false;
    if (residues.length > 0 && residues[posting] !== residuesOf(bytes, start, at + 1)) holds = false;
    posting++;
    start = at + 1;
  }
  findings.must(
    holds && posting === postings && start === bytes.length,
    'positions: do not match the postings',
  );
}

function checkColumn(table: SectionTable, field: number, record: FieldRecord, findings: Findings): void {
  const n = table.docCount;
  let size = n;
  if (table.has(KIND.columnPresent, field)) {
    const words = table.u32(KIND.columnPresent, field).length;
    findings.must(words === wordsFor(n), 'columnPresent: wrong length');
  }
  if (table.has(KIND.columnStarts, field)) {
    findings.starts(table.u32(KIND.columnStarts, field), n, record.valueCount, 'columnStarts');
    size = record.valueCount;
  }
  if (record.column === 2) {
    const halves = [table.u32(KIND.numericHi, field), table.u32(KIND.numericLo, field)];
    for (const half of halves) findings.must(half.length === size, 'numbers: wrong length');
    return;
  }
  const read = record.ordinalBytes === 1 ? 'u8' : record.ordinalBytes === 2 ? 'u16' : 'u32';
  const ordinals = table[read](KIND.ordinals, field);
  findings.must(ordinals.length === size, 'ordinals: wrong length');
  findings.below(ordinals, Math.max(1, record.termCount), 'ordinals');
}
