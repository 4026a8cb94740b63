// Written bytes per document: everything that the process wrote during the load and its merges, by the
// kernel's count, divided by the bytes of the JSON.

import { type Claim, medianOf, type PeerName, type Question, type Row } from '../../measure/question.ts';

export const bytesWrittenPerJson: Question = {
  name: 'bytes_written',
  asks: 'How many bytes are written for a document?',
  async run({ loaded, truth }) {
    const row: Row = { name: 'bytes written', unit: '× JSON', figures: {} };
    for (const [name, { bytesWritten }] of Object.entries(loaded)) {
      if (bytesWritten === undefined) continue;
      row.figures[name as PeerName] = { median: bytesWritten / truth.jsonBytes };
    }
    return [row];
  },
  claims: (rows): Claim[] => [
    {
      work: 'bytes written / JSON',
      says: 'ten slices, seals and merges included',
      measured: medianOf(rows, 'bytes written', 'octavo'),
      unit: '×',
      atMost: 1.2,
    },
  ],
};
