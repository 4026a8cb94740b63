// When the log reclaims space, damaged sources stay in their chunk and all others move. The engine continues.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Engine, open } from '@octavo/engine';

const OPTIONS = { tailDocs: 64, logChunkBytes: 16_384, ballastBytes: 0 };

async function write(engine: Engine, from: number, until: number, round: number): Promise<void> {
  for (let n = from; n < until; n++) {
    const source = Buffer.from(JSON.stringify({ is: `document ${n} of round ${round}`, x: 'x'.repeat(100) }));
    const [result] = await engine.write([{ kind: 'index', index: 'd', id: `i${n}`, source }]);
    assert.equal(result?.error, undefined);
  }
}

test('a merge leaves damaged sources of a sparse chunk where they are, and moves the others', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'octavo-moved-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  let engine = await open(dir, OPTIONS);
  await engine.indices.create('d', {});
  await write(engine, 0, 200, 1);
  await write(engine, 0, 200, 2);
  await engine.indices.flush(['d']);
  await engine.close();

  const lies = (text: string): { file: string; at: number } => {
    for (const name of readdirSync(join(dir, 'log'))) {
      const file = join(dir, 'log', name);
      const at = readFileSync(file).indexOf(text);
      if (at >= 0) return { file, at };
    }
    throw new Error(`${text} is nowhere`);
  };
  const { file, at } = lies('document 100 of round 2');
  const bytes = readFileSync(file);
  bytes[at]! ^= 1;
  writeFileSync(file, bytes);

  const failures: unknown[] = [];
  engine = await open(dir, { ...OPTIONS, onFailure: (error) => failures.push(error) });
  // Of the damaged chunk little but that document and its neighbours is left.
  await write(engine, 0, 98, 3);
  await write(engine, 103, 200, 3);
  await engine.indices.flush(['d']);
  await engine.indices.forceMerge(['d'], 1);
  for (let pass = 0; pass < 2; pass++) {
    for (let n = 0; n < 200; n++) {
      if (n === 100) assert.throws(() => engine.get('d', 'i100'), { type: 'corrupt_index_exception' });
      else {
        const round = n < 98 || n >= 103 ? 3 : 2;
        const source = Buffer.from(engine.get('d', `i${n}`)!.source).toString();
        assert.ok(source.includes(`document ${n} of round ${round}"`), source);
      }
    }
    assert.equal(failures.length, 0, String(failures[0]));
    await engine.close();
    engine = await open(dir, { ...OPTIONS, onFailure: (error) => failures.push(error) });
  }
  await engine.close();
});
