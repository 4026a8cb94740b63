// After kill -9 everything acknowledged is there, and everything else is there in whole or not at all.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { getAccount, getTransfer, listTransfers, openRecords, verifyJournal } from '../src/index.ts';

const CHILD = fileURLToPath(new URL('./writing-child.ts', import.meta.url));
const LIVES = 3;
const ACKNOWLEDGED = 100;

/** Lines that came whole before the process was killed. */
async function killAfter(child: ChildProcess, lines: number): Promise<string[]> {
  let text = '';
  child.stdout!.setEncoding('utf8');
  child.stdout!.on('data', (chunk: string) => {
    text += chunk;
    if (text.split('\n').length > lines) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return text.split('\n').slice(0, -1);
}

test('every acknowledged transfer survives kill -9, and no batch is there by half', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'octavo-crash-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const acknowledged: string[] = [];
  for (let life = 0; life < LIVES; life++) {
    const child = spawn(process.execPath, [CHILD, dir, String(life)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    acknowledged.push(...(await killAfter(child, ACKNOWLEDGED)));
    const records = await openRecords(dir);
    try {
      await Promise.all(
        acknowledged.map(async (line) => {
          const [reference = '', ...ids] = line.split(' ');
          for (const id of ids) assert.equal((await records.read(getTransfer, { id })).reference, reference);
          const all = await records.read(listTransfers, { reference, limit: 10 });
          assert.equal(all.rows.length, ids.length);
        }),
      );
      const report = await records.read(verifyJournal, undefined);
      assert.deepEqual(report.findings, []);
      const { balance } = await records.read(getAccount, { id: 'ada' });
      assert.equal(balance, BigInt(report.transfers) * 100n);
      // What was written without being acknowledged in time: batches of three, or single ones.
      const byReference = new Map<string, number>();
      let after: bigint | undefined;
      for (;;) {
        const page = await records.read(listTransfers, { limit: 1_000, after });
        for (const { reference } of page.rows)
          byReference.set(reference!, (byReference.get(reference!) ?? 0) + 1);
        if (!page.hasNext) break;
        after = page.rows.at(-1)!.position;
      }
      for (const [reference, times] of byReference)
        assert.equal(times, Number(reference.split('-')[2]) % 3 === 0 ? 3 : 1, reference);
    } finally {
      await records.close();
    }
  }
});

test('a device that fails ends acknowledgements for good', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'octavo-device-'));
  t.after(() => rmSync(dir, { recursive: true }));
  // No file may grow beyond 2 MB: writes to the log fail with EFBIG, which SQLite tells as an I/O error.
  const child = spawn('sh', ['-c', 'ulimit -f 4000; exec "$0" "$@"', process.execPath, FAILING, dir], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  await once(child, 'close');
  assert.equal(out.trim(), 'store-failed store-failed read', err);
});

const FAILING = fileURLToPath(new URL('./failing-child.ts', import.meta.url));
