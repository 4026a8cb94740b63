// Acknowledged writes survive `kill -9` on the real disk. A child process writes and reports until it is killed at a
// random moment, and every reported write must exist. OCTAVO_KILL_ROUNDS sets the number of rounds.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { open } from '@octavo/engine';

const ROUNDS = Number(process.env['OCTAVO_KILL_ROUNDS'] ?? 8);

interface Outcome {
  /** Source by id, '-' for deleted: what must be there ... */
  readonly acknowledged: Map<string, string>;
  /** ... unless this is. */
  readonly inDoubt: Map<string, string>;
}

/** Runs a child for a while and kills it. */
async function round(dir: string, number: number): Promise<Outcome> {
  const script = join(import.meta.dirname, 'kill-child.ts');
  const child = spawn(process.execPath, [script, dir, String(number)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const ready = Promise.withResolvers<void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    // Some writes on, however long they take.
    if (output.split('\n!').length > 1 + (number % 8)) ready.resolve();
  });
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  await Promise.race([ready.promise, closed]);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 250));
  child.kill('SIGKILL');
  await closed;
  assert.equal(child.signalCode, 'SIGKILL', 'the child must live until it is killed');
  return readOutcome(output.slice(0, output.lastIndexOf('\n')));
}

function readOutcome(output: string): Outcome {
  const acknowledged = new Map<string, string>();
  const inDoubt = new Map<string, string>();
  for (const line of output.split('\n')) {
    const space = line.indexOf(' ');
    if (line.startsWith('?')) inDoubt.set(line.slice(1, space), line.slice(space + 1));
    if (!line.startsWith('!')) continue;
    for (const [id, source] of inDoubt) {
      if (!id.startsWith(`${line.slice(1)}-`)) continue;
      acknowledged.set(id, source);
      inDoubt.delete(id);
    }
  }
  return { acknowledged, inDoubt };
}

test(`${ROUNDS} rounds of kill -9: nothing acknowledged is lost`, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'octavo-kill-'));
  const must = new Map<string, string>();
  let checked = 0;
  try {
    for (let number = 0; number < ROUNDS; number++) {
      const { acknowledged, inDoubt } = await round(dir, number);
      for (const [id, source] of acknowledged) must.set(id, source);
      const engine = await open(dir, { ballastBytes: 1 << 16 });
      for (const id of new Set([...must.keys(), ...inDoubt.keys()])) {
        const stored = engine.get('kill', id);
        const found = stored === undefined ? '-' : Buffer.from(stored.source).toString();
        const expected = must.get(id) ?? '-';
        const message = `round ${number}, id ${id}: acknowledged ${expected}, in doubt ${inDoubt.get(id)}, found ${found}`;
        assert.ok(found === expected || found === inDoubt.get(id), message);
        must.set(id, found);
        checked++;
      }
      const result = await engine.search({ indices: ['kill'], size: 1000 });
      assert.equal(result.total?.value, result.hits.length);
      assert.equal(result.hits.length, [...must.values()].filter((source) => source !== '-').length);
      assert.deepEqual(await engine.verify(), []);
      await engine.close();
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  assert.ok(checked > ROUNDS * 20, `only ${checked} documents were checked`);
});
