// A replay over a log with a flipped bit has every record outside the damaged unit, and nothing that was not
// written, wherever the bit is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatedDisk } from '../../disk/simulated.ts';
import { frameOf, type Replayed } from '../feed/history.testing.ts';
import { DocumentLog } from '../log.ts';
import type { LogOptions } from '../log-options.ts';
import { UNIT } from '../packed/word-packing.ts';

const NAME = 'log/00000001.log';
const OPTIONS: LogOptions = {
  ...{ chunkBytes: 1 << 20, ballastBytes: 0, cacheBytes: 0 },
  packing: { threadFrom: Number.POSITIVE_INFINITY, preallocated: 0 },
};
const COMMITS = 4;
const RECORDS = 60;

/** Bulks of one index, and of two; documents of all lengths, some of which quote records. */
function recordsOf(commit: number, indices: number): Replayed[] {
  return Array.from({ length: RECORDS }, (_, i) => {
    const seqNo = commit * RECORDS + i;
    const isDelete = i % 9 === 8;
    const quoted = '\\u0001\\u0000\\u0002'.repeat(i % 4);
    return {
      kind: isDelete ? 'delete' : 'index',
      ...{
        commit,
        indexNumber: 1 + (i % indices),
        seqNo,
        version: 1 + (i % 3),
        id: `${i % 7 === 0 ? '\u0001\u0000' : ''}id-${seqNo}`,
      },
      type: i % 5 === 0 ? 'post' : undefined,
      routing: i % 6 === 0 ? `r${i}` : undefined,
      source: isDelete
        ? ''
        : JSON.stringify({ seqNo, text: quoted + 'x'.repeat((seqNo * 53) % (i % 20 === 3 ? 9_000 : 500)) }),
    };
  });
}

async function replayed(log: DocumentLog): Promise<{ records: Replayed[]; damages: number }> {
  const records: Replayed[] = [];
  let damages = 0;
  const decoder = new TextDecoder();
  await log.replay(0, {
    record({ kind, commit, indexNumber, seqNo, version, id, type, routing, source }) {
      const texts = { id: decoder.decode(id), source: decoder.decode(source) };
      records.push({ kind, commit, indexNumber, seqNo, version, type, routing, ...texts });
    },
    damage: () => void damages++,
  });
  return { records, damages };
}

for (const indices of [1, 2])
  test(`bulks of ${indices} ${indices === 1 ? 'index' : 'indices'}: a flipped bit costs the records of its unit`, async () => {
    const disk = new SimulatedDisk();
    const log = await DocumentLog.open(disk, OPTIONS);
    const all: Replayed[] = [];
    for (let commit = 1; commit <= COMMITS; commit++) {
      const records = recordsOf(commit, indices);
      all.push(...records);
      await log.append([frameOf(log, commit, records)[0]]);
    }
    await log.close();
    const wanted = new Map(all.map((record) => [record.seqNo, record]));
    const whole = await disk.read(NAME);
    let salvaged = 0;
    let tried = 0;
    for (let at = 100; at < whole.length; at += 211) {
      const bytes = whole.slice();
      bytes[at]! ^= 1 << (at % 8);
      const copy = new SimulatedDisk();
      const file = await copy.open(NAME, { create: true });
      await file.write([bytes], 0);
      const damaged = await DocumentLog.open(copy, OPTIONS);
      const { records, damages } = await replayed(damaged);
      for (const record of records) assert.deepEqual(record, wanted.get(record.seqNo), `bit in byte ${at}`);
      assert.equal(new Set(records.map(({ seqNo }) => seqNo)).size, records.length);
      const isCut = damaged.findings.some(({ kind }) => kind === 'torn');
      await damaged.close();
      if (isCut) continue;
      tried++;
      if (records.length < all.length) assert.equal(damages, 1);
      const lost = all.filter(({ seqNo }) => !records.some((record) => record.seqNo === seqNo));
      const bytesLost = lost.reduce((sum, { source, id }) => sum + source.length + id.length + 40, 0);
      // The longest document reaches out of the unit on both sides.
      if (bytesLost <= UNIT + 2 * 9_500) salvaged++;
    }
    assert.ok(salvaged > tried * (indices === 1 ? 0.75 : 0.25), `${salvaged} of ${tried}`);
  });
