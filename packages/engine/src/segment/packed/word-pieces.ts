// Finds the pieces of a packed segment that only searches in texts need: dictionaries and postings of
// fields without a column, which are most of the bytes. Lists, filters on keywords, numbers and dates,
// and the writer do without them.

import { decodeFields, isTextRecord } from '../field-records.ts';
import { KIND, type SectionKind } from '../format.ts';
import type { SectionTable } from '../section-table.ts';
import { PIECE_BYTES } from './packed-format.ts';

const SECTIONS: readonly SectionKind[] = [
  KIND.termBytes,
  KIND.termStarts,
  KIND.termHash,
  KIND.termGroups,
  KIND.termFreqs,
  KIND.groups,
  KIND.lows,
  KIND.codes,
  KIND.blockMax,
  KIND.exceptions,
  KIND.dense,
  KIND.positionBytes,
  KIND.positionOffsets,
  KIND.positionHalves,
  KIND.positionResidues,
];

/** Where in the segment such pieces begin. REQUIRES: head and `fields` of the segment are unpacked. */
export function findWordPieces(table: SectionTable): ReadonlySet<number> {
  const starts = new Set<number>();
  const records = table.has(KIND.fields) ? decodeFields(table.u8(KIND.fields)) : [];
  for (const [field, record] of records.entries()) {
    if (!isTextRecord(record)) continue;
    for (const kind of SECTIONS) {
      const { byteOffset, length } = table.u8(kind, field);
      const start = byteOffset - table.bytes.byteOffset;
      for (let at = 0; at < length; at += PIECE_BYTES) starts.add(start + at);
    }
  }
  return starts;
}
