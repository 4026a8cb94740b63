// When the disk damages what no segment holds yet, the start reports it. Of a large newest chunk the start
// reads only the last append; what the replay behind it cannot read is reported by the start too, not seconds
// later.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { open, type WriteOp } from '@octavo/engine';

const root = mkdtempSync(join(tmpdir(), 'octavo-unsealed-'));
after(() => rmSync(root, { recursive: true, force: true }));

const DOCS = 6_000;
const BATCH = 200;

test('damage before the last append of a large chunk is told by the start, once', async () => {
  const [sound, copy] = [join(root, 'sound'), join(root, 'copy')];
  const engine = await open(sound, { ballastBytes: 0 });
  for (let from = 0; from < DOCS; from += BATCH) {
    const ops = Array.from({ length: BATCH }, (_, i): WriteOp => {
      const text = Array.from({ length: 90 }, (_, k) => `word${(from + i * k * 7) % 997}`).join(' ');
      return { kind: 'index', index: 'd', id: `i${from + i}`, source: Buffer.from(JSON.stringify({ text })) };
    });
    for (const { error } of await engine.write(ops)) assert.equal(error, undefined);
  }
  cpSync(sound, copy, { recursive: true });
  await engine.close();

  const file = join(copy, 'log/00000001.log');
  const bytes = readFileSync(file);
  bytes[bytes.length >>> 1]! ^= 1;
  writeFileSync(file, bytes);
  const notes: string[] = [];
  const damaged = await open(copy, { ballastBytes: 0, onNote: (note) => notes.push(note) });
  try {
    const found = Array.from({ length: DOCS }, (_, i) => damaged.get('d', `i${i}`) !== undefined);
    assert.ok(found[0] && found[DOCS - 1]);
    const missing = found.filter((is) => !is).length;
    // A unit that holds the head of a frame costs the frame, others the documents in them.
    assert.ok(missing > 0 && missing <= BATCH, `${missing} documents are lost with a unit of 4 KiB`);
    const lost = notes.filter((note) => note.includes('documents written last may be missing'));
    assert.equal(lost.length, 1, notes.join('\n'));
    assert.match(lost[0]!, /^log\/00000001\.log: damaged/);
  } finally {
    await damaged.close();
  }
});
