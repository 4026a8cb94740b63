// Loader threads load the same segments as the start's own thread. The tests use intact and damaged files, and threads that
// die.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { OpenOptions } from '../../engine/start/open-options.ts';
import { type Engine, open } from '../../index.ts';
import { SegmentLoader } from './segment-loader.ts';

const root = mkdtempSync(join(tmpdir(), 'octavo-loader-'));
const sound = join(root, 'sound');
const OPTIONS = { tailDocs: 100, ballastBytes: 0, threadFrom: Number.POSITIVE_INFINITY };
const THREADS = { ...OPTIONS, loadBesideFrom: 1 };
const HERE = { ...OPTIONS, loadBesideFrom: Number.POSITIVE_INFINITY };
after(() => rmSync(root, { recursive: true, force: true }));

before(async () => {
  const engine = await open(sound, OPTIONS);
  for (let batch = 0; batch < 8; batch++)
    await engine.write(
      Array.from({ length: 60 }, (_, at) => {
        const n = (batch * 50 + at) % 350;
        const source = Buffer.from(JSON.stringify({ n, batch, k: `k${n % 7}`, t: `fox number ${n}` }));
        return { kind: 'index' as const, index: 'a', id: String(n), source };
      }),
    );
  await engine.indices.flush(['a']);
  await engine.close();
});

interface Seen {
  readonly notes: readonly string[];
  readonly isRead: boolean;
  readonly listed: readonly string[];
  readonly matched: number | undefined;
}

/** What an engine has, and what it said at its start. */
async function look(dir: string, options: OpenOptions): Promise<Seen> {
  const notes: string[] = [];
  let isRead = false;
  const copy = mkdtempSync(join(root, 'copy-'));
  cpSync(dir, copy, { recursive: true });
  const engine: Engine = await open(copy, {
    ...options,
    onNote: (note) => notes.push(note),
    onReading: () => (isRead = true),
  });
  const sort = [{ batch: 'desc' }, { n: 'asc' }] as never;
  const { hits } = await engine.search({ indices: ['a'], sort, size: 1000 });
  const found = await engine.search({ indices: ['a'], query: { match: { t: 'fox' } }, trackTotalHits: true });
  assert.deepEqual(await engine.verify(), []);
  await engine.close();
  const listed = hits.map(({ source }) => Buffer.from(source).toString());
  return { notes: notes.toSorted(), isRead, listed, matched: found.total?.value };
}

test('threads load what the start itself would have', async () => {
  const seen = await look(sound, THREADS);
  assert.equal(seen.isRead, true);
  assert.equal(seen.listed.length, 350);
  assert.deepEqual(seen, { ...(await look(sound, HERE)), isRead: true });
});

test('damage that a thread meets is mended and told as ever', async () => {
  const [first] = readdirSync(join(sound, 'segments')).filter((name) => name.endsWith('.seg'));
  const whole = readFileSync(join(sound, 'segments', first!));
  for (const share of [0, 0.1, 0.5, 0.9]) {
    const damaged = join(root, `damaged-${share}`);
    cpSync(sound, damaged, { recursive: true });
    const bytes = Buffer.from(whole);
    bytes[Math.floor(share * bytes.length)]! ^= 0x55;
    writeFileSync(join(damaged, 'segments', first!), bytes);
    const seen = await look(damaged, THREADS);
    assert.equal(seen.notes.length > 0, true);
    assert.deepEqual(seen, { ...(await look(damaged, HERE)), isRead: true });
  }
});

test('what a thread dies of, and what is asked of a loader that is closed, is left to others', async () => {
  const dies = new URL('data:text/javascript,process.exit(1)');
  const loader = new SegmentLoader({ threadFrom: 1, thread: dies });
  const job = (): { path: string; into: Uint8Array } => ({ path: '/nowhere', into: new Uint8Array(8) });
  const jobs = Array.from({ length: 6 }, () => loader.load(job()));
  assert.deepEqual(await Promise.all(jobs), new Array(6).fill(undefined));
  const working = new SegmentLoader({ threadFrom: 1 });
  const last = working.load(job());
  await working.close();
  assert.equal(await last, undefined);
  assert.equal(await working.load(job()), undefined);
  assert.equal(working.takes(1 << 30), false);
  await loader.close();
});

test('where the system has no thread to give, segments are left to others', async () => {
  // Not a file: it is refused before there is a thread.
  const loader = new SegmentLoader({ thread: new URL('https://example.org/none.js') });
  const job = { path: join(root, 'none'), into: new Uint8Array(8) };
  assert.deepEqual(await Promise.all([loader.load(job), loader.load(job)]), [undefined, undefined]);
  await loader.close();
});
