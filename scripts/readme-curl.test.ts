// The curl commands of the README work: a shell runs them in order against a server with a small demo.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadRecords, loadSynsets, type Synset, synsets } from '@octavo/demo';
import { open } from '@octavo/engine';
import { openRecords } from '@octavo/records';
import { createServer, listen } from '@octavo/server';
import { ROOT } from './tidy.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

function* some(count: number): Generator<Synset> {
  for (const synset of synsets()) {
    if (count-- === 0) return;
    yield synset;
  }
}

/** All shell blocks with curl commands. */
function* curls(): Generator<string> {
  for (const [, block = ''] of readme.matchAll(/```sh\n([\s\S]*?)```/g)) {
    if (block.includes('curl ')) yield block;
  }
}

async function run(script: string): Promise<{ status: number | null; stderr: string }> {
  const child = spawn(
    'bash',
    ['-euc', `curl() { command curl -sS --fail-with-body "$@"; echo; }\n${script}`],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, stderr };
}

test('every curl command of the README is answered with success', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-readme-'));
  const engine = await open(join(folder, 'data'));
  const records = await openRecords(join(folder, 'data'));
  await loadSynsets(engine, { documents: some(3000) });
  await loadRecords(records, some(3000));
  const app = await createServer(engine, { records });
  try {
    const address = await listen(app, { port: 0 });
    const blocks = [...curls()];
    assert.ok(blocks.length >= 4);
    for (const block of blocks) {
      const { status, stderr } = await run(block.replaceAll('http://127.0.0.1:9200', address));
      assert.equal(stderr, '', block);
      assert.equal(status, 0, block);
    }
  } finally {
    await app.close();
    await records.close();
    await engine.close();
    rmSync(folder, { recursive: true });
  }
});
