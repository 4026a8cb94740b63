// Do the questions of the benchmark get right answers? All of them on a few hundred documents, without a peer: every
// question compares what it gets with a naive count before it times anything. Times themselves are not looked at.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '../conformance/server.ts';
import { draft, spell, wordOf } from './corpus.ts';
import { Load } from './load.ts';
import { QUESTIONS } from './run.ts';
import { ratio, table } from './table.ts';
import { writeCorpus } from './truth.ts';

const DOCS = 400;

test('words are distinct, documents can be made again', () => {
  assert.equal(new Set(Array.from({ length: 50_000 }, (_, rank) => wordOf(rank))).size, 50_000);
  assert.deepEqual(spell(draft(7)), spell(draft(7)));
  const lengths = Array.from({ length: 2000 }, (_, i) => draft(i).words.length).sort((a, b) => a - b);
  const median = lengths[1000] ?? 0;
  assert.ok(median > 50 && median < 70, `median length ${median}`);
});

test('the corpus file is what the truth says', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-smoke-'));
  const file = join(folder, 'corpus.ndjson');
  const truth = writeCorpus(file, DOCS);
  const bytes = readFileSync(file);
  assert.equal(bytes.length, truth.offsets[DOCS]);
  const [action, source] = bytes.toString('utf8', truth.offsets[9], truth.offsets[10]).split('\n');
  assert.equal(action, `{"index":{"_id":"${truth.ids[9]}"}}`);
  assert.deepEqual(JSON.parse(source ?? ''), spell(draft(9)));
  const order = [...truth.sorted()].map((doc) => truth.sortValues(doc));
  for (let i = 1; i < order.length; i++) assert.ok((order[i - 1]?.[0] ?? 0) >= (order[i]?.[0] ?? 0));
  rmSync(folder, { recursive: true });
});

test('every question gets the right answers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-smoke-'));
  const file = join(folder, 'corpus.ndjson');
  const truth = writeCorpus(file, DOCS);
  const server = await startServer(['--quiet']);
  const load = new Load();
  try {
    const target = { name: 'octavo', url: server.url, pid: server.pid, data: server.data } as const;
    const setting = { targets: [target], truth, file, load, most: 4, mostMs: 400, say: () => {} };
    for (const question of QUESTIONS) {
      const rows = await question.run(setting);
      assert.ok(rows.length > 0, question.name);
      for (const row of rows)
        assert.ok((row.figures.octavo?.median ?? 0) > 0, `${question.name}: ${row.name}`);
      assert.ok(table(rows, ['octavo']).includes(rows[0]?.name ?? ''));
    }
  } finally {
    load.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});

test('a ratio above one means better', () => {
  const figures = { octavo: { median: 10 }, opensearch: { median: 40 } };
  assert.equal(ratio({ name: '', unit: 'µs', figures }), '4.0 ×');
  assert.equal(ratio({ name: '', unit: 'docs/s', figures }), '0.25 ×');
  assert.equal(ratio({ name: '', unit: 'µs', figures: { octavo: { median: 1 } } }), '');
});
