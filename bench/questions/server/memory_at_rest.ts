// The memory of documents: resident memory of the whole process after loading and 15 seconds without a
// request, divided by the bytes of the JSON; the peak since the start; and the disk space.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  ask,
  type Claim,
  INDEX,
  medianOf,
  type PeerName,
  type Question,
  type Row,
} from '../../measure/question.ts';

export const memoryAtRest: Question = {
  name: 'memory_at_rest',
  asks: 'How much memory and disk do documents take?',
  async run({ loaded, servers, truth }) {
    const rest: Row = { name: 'resident at rest', unit: '× JSON', figures: {} };
    const peak: Row = { name: 'resident at the peak', unit: '× JSON', figures: {} };
    const disk: Row = { name: 'on disk', unit: '× JSON', figures: {} };
    for (const [name, { residentBytes, peakBytes }] of Object.entries(loaded)) {
      if (residentBytes === undefined || peakBytes === undefined) continue;
      rest.figures[name as PeerName] = { median: residentBytes / truth.liveJsonBytes };
      peak.figures[name as PeerName] = { median: peakBytes / truth.liveJsonBytes };
    }
    for (const target of servers) {
      await ask(target, 'POST', `/${INDEX}/_flush`);
      disk.figures[target.name] = { median: folderBytes(target.data) / truth.liveJsonBytes };
    }
    return [rest, peak, disk];
  },
  claims: (rows): Claim[] => [
    {
      work: 'memory, all included',
      says: 'resident at rest / JSON held',
      measured: medianOf(rows, 'resident at rest', 'octavo'),
      unit: '×',
      atMost: 2.5,
    },
    {
      work: 'memory, all included',
      says: 'resident at the peak / JSON held',
      measured: medianOf(rows, 'resident at the peak', 'octavo'),
      unit: '×',
      atMost: 3.5,
    },
  ],
};

function folderBytes(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    try {
      const stat = statSync(join(folder, name));
      // Blocks rather than sizes: a file may be preallocated or sparse.
      if (stat.isFile()) bytes += Math.min(stat.size, stat.blocks * 512);
    } catch {
      // Deleted by a merge meanwhile.
    }
  }
  return bytes;
}
