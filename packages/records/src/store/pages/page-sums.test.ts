// A block of sums that was being written when the power failed may have any mixture of its sectors; a block that was synced once, and
// has another one behind it, is damaged if it is not whole.

import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DamagedSumsError, PageSums, sumsFile } from './page-sums.ts';

const SECTOR = 512;
const dir = mkdtempSync(join(tmpdir(), 'octavo-sums-'));
after(() => rmSync(dir, { recursive: true }));

/** The file after each of three blocks: of the beginning, of 200 pages, of 300 pages. */
function life(): readonly Buffer[] {
  const database = openSync(join(dir, 'empty'), 'w+');
  const sums = PageSums.make(dir, database);
  closeSync(database);
  const files = [readFileSync(sumsFile(dir))];
  for (const pages of [200, 300]) {
    sums.take(new Map(Array.from({ length: pages }, (_, at) => [at + 1, pages * 1000 + at])), pages);
    files.push(readFileSync(sumsFile(dir)));
  }
  sums.close();
  return files;
}

const files = life();

function readAs(bytes: Buffer): PageSums | undefined {
  writeFileSync(sumsFile(dir), bytes);
  return PageSums.read(dir);
}

test('any mixture of the sectors of the last block is a torn block', () => {
  const [, before, whole] = files as [Buffer, Buffer, Buffer];
  const sectors = Math.ceil(whole.length / SECTOR);
  const first = Math.floor(before.length / SECTOR);
  const tries = 2 ** (sectors - first) - 1;
  for (let mixture = 0; mixture < tries; mixture++) {
    const torn = Buffer.alloc(whole.length);
    before.copy(torn);
    for (let sector = first; sector < sectors; sector++)
      if (((mixture >> (sector - first)) & 1) === 1)
        whole.copy(torn, sector * SECTOR, sector * SECTOR, (sector + 1) * SECTOR);
    assert.equal(readAs(torn)?.pages, 200, `mixture ${mixture}`);
  }
  assert.equal(readAs(whole)?.pages, 300);
});

test('any flipped bit before the last block is damage', () => {
  const [start, before, whole] = files as [Buffer, Buffer, Buffer];
  for (let at = start.length; at < before.length; at += 7) {
    const flipped = Buffer.from(whole);
    flipped[at]! ^= 1 << (at % 8);
    assert.throws(() => readAs(flipped), DamagedSumsError, `byte ${at}`);
  }
});
