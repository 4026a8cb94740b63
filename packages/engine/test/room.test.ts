// One write may fill more tails than may wait for their seal. Concurrent writes then wait until its documents are on the disk
// and the tails are sealed. Nothing else waits with them.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { open, type WriteOp, type WriteResult } from '@octavo/engine';

const TAIL = 50;
const LARGE = 8 * TAIL;
const BESIDE = 20;

test('writes beside one that fills many tails are answered', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-room-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const engine = await open(folder, { tailDocs: TAIL });
  const put = (prefix: string, count: number): Promise<WriteResult[]> =>
    engine.write(
      Array.from({ length: count }, (_, n): WriteOp => {
        const source = Buffer.from(JSON.stringify({ n, t: 'lorem ipsum '.repeat(20) }));
        return { kind: 'index', index: 'i', id: `${prefix}${n}`, source };
      }),
    );
  for (let round = 0; round < 10; round++) {
    const all = [put('large', LARGE)];
    for (let k = 0; k < BESIDE; k++) {
      await new Promise((resolve) => setImmediate(resolve));
      all.push(put(`beside${k}-`, 1));
    }
    for (const { error } of (await Promise.all(all)).flat()) assert.equal(error, undefined);
  }
  assert.equal(await engine.count({ indices: ['i'] }), LARGE + BESIDE);
  await engine.close();
});
