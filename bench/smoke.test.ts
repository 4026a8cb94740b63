// The questions of the benchmark get right answers, and a run writes its report. All questions run on a few
// hundred documents, without a peer. Every question compares its answers with a naive count before it times
// anything; the times themselves are not checked.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { draft, isDeleted, spell, wordOf } from './corpus/corpus.ts';
import { writeCorpus } from './corpus/truth.ts';
import { SORT } from './measure/listing.ts';
import { QUESTIONS } from './questions/questions.ts';
import { casesPage } from './report/cases.ts';
import { fillPage, latestAnswers, reportsToKeep } from './report/page.ts';
import type { RunReport } from './report/report.ts';
import { isMet, type Report } from './report/report.ts';
import { ratio, table } from './report/table.ts';
import { writeReport } from './run.ts';
import { runBench } from './session.ts';

const DOCS = 400;
const MARKS = ['begin', 'end'].map((word) => `<!-- made by bench/report/page.ts: ${word} -->`);

function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-smoke-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('words are distinct and documents are reproducible', () => {
  assert.equal(new Set(Array.from({ length: 50_000 }, (_, rank) => wordOf(rank))).size, 50_000);
  assert.deepEqual(spell(draft(7)), spell(draft(7)));
  const lengths = Array.from({ length: 2000 }, (_, i) => draft(i).words.length).sort((a, b) => a - b);
  const median = lengths[1000] ?? 0;
  assert.ok(median > 130 && median < 170, `median length ${median}`);
  const deleted = Array.from({ length: 10_000 }, (_, i) => i).filter(isDeleted).length;
  assert.ok(deleted > 900 && deleted < 1100, `${deleted} deleted`);
});

test('the corpus file matches the truth', () =>
  inFolder((folder) => {
    const file = join(folder, 'corpus.ndjson');
    const truth = writeCorpus(file, DOCS);
    const bytes = readFileSync(file);
    assert.equal(bytes.length, truth.offsets[DOCS]);
    const [action, source] = bytes.toString('utf8', truth.offsets[9], truth.offsets[10]).split('\n');
    assert.equal(action, `{"index":{"_id":"${truth.ids[9]}"}}`);
    assert.deepEqual(JSON.parse(source ?? ''), spell(draft(9)));
    const order = truth.sorted(SORT);
    assert.equal(order.length, truth.live);
    assert.ok(!order.some((doc) => isDeleted(doc)));
    const dates = [...order].map((doc) => Number(truth.sortValues(doc, SORT)[0]));
    assert.deepEqual(
      dates,
      dates.toSorted((a, b) => b - a),
    );
  }));

test('every question gets right answers, and the figures are written', async () => {
  // The ledger has a test of its own; Tantivy would have to be built.
  const questions = QUESTIONS.filter(({ name }) => !['ledger', 'top10_in_process'].includes(name));
  const report = await runBench(
    { command: 'smoke', docs: DOCS, questions, peers: [], smoke: true, most: 4, mostMs: 200 },
    () => {},
  );
  for (const [name, { rows, failure }] of Object.entries(report.questions)) {
    assert.equal(failure, undefined, name);
    assert.ok(rows.length > 0, name);
    for (const row of rows) {
      assert.ok((row.figures.octavo?.median ?? -1) >= 0, `${name}: ${row.name}`);
      for (const { calibration } of Object.values(row.figures)) assert.ok((calibration ?? 0) > 0, name);
    }
  }
  assert.equal(report.loaded.octavo?.segments, 10);
  assert.deepEqual(report.peers.opensearch, { there: false, why: 'not asked for' });
  const filled = fillPage(`# A page\n${MARKS.join('\nold\n')}\nrest`, [report]);
  assert.ok(filled.endsWith('rest') && !filled.includes('old'));
  assert.match(filled, /### Octavo alone\n\n400 documents; .*\n\n\| question \| case \| median \|/);
  inFolder((folder) => {
    writeReport(report, folder);
    const page = readFileSync(join(folder, 'figures.md'), 'utf8');
    for (const { name } of questions) assert.ok(page.includes(`### ${name}\n`), name);
    assert.ok(page.includes('Absent: opensearch (not asked for)'));
    for (const name of ['text.svg', 'growth.svg'])
      assert.match(readFileSync(join(folder, name), 'utf8'), /^<svg .*<\/svg>\n$/s);
    const latest = JSON.parse(readFileSync(join(folder, 'figures.json'), 'utf8')) as Report;
    assert.equal(latest.docs, DOCS);
  });
});

test('of several runs the latest figures are used, and runs without any are dropped', () => {
  const run = (at: string, ...names: string[]): RunReport => {
    const claims = [{ work: 'w', says: at, measured: 1, unit: '×', atLeast: 1 }] as const;
    const rows = [
      { name: 'a case', unit: 'µs', figures: { octavo: { median: 2 }, sqlite: { median: 1 } } },
    ] as const;
    const questions = Object.fromEntries(names.map((name) => [name, { asks: '', rows, claims }]));
    const machine = { cpus: 1, model: 'm', memory: 1, node: 'n', calibration: 1 };
    return { at, command: at, docs: 1, questions, machine, loaded: {} };
  };
  const failed = { ...run('4', 'b'), questions: { b: { asks: '', rows: [], claims: [], failure: 'wrong' } } };
  const latest = reportsToKeep([run('1', 'a'), run('2', 'a', 'b'), run('3', 'a'), failed]);
  assert.deepEqual(latest, [run('2', 'b'), run('3', 'a'), failed], 'a later failure is reported');
  assert.deepEqual(reportsToKeep([...latest, run('5', 'a', 'b')]), [run('5', 'a', 'b')]);
  const page = fillPage(`${MARKS.join('\n')}`, latest);
  assert.match(page, /without figures:\n\n- `b`, 4: wrong\n/);
  assert.match(page, /- `a`, a case: sqlite 1 µs, Octavo 2 \(2 ×\)\n/);
  assert.match(casesPage(latestAnswers(latest)), /## a\n.*3.*a case +2 µs +1 µs/s);
});

test('a ratio above one means better, a claim is met within its bounds', () => {
  const figures = { octavo: { median: 10 }, opensearch: { median: 40 } };
  assert.equal(ratio({ name: '', unit: 'µs', figures }), '4 ×');
  assert.equal(ratio({ name: '', unit: 'docs/s', figures }), '0.25 ×');
  assert.equal(ratio({ name: '', unit: 'µs', figures: { octavo: { median: 1 } } }), '');
  assert.match(table([{ name: 'a case', unit: 'µs', figures }], 1), /a case +10 µs +40 µs +4 ×/);
  const claim = { work: '', says: '', unit: '×' } as const;
  assert.equal(isMet({ ...claim, measured: 4, atLeast: 5 }), false);
  assert.equal(isMet({ ...claim, measured: 1, atMost: 1.2 }), true);
  assert.equal(isMet({ ...claim, measured: undefined, atMost: 1.2 }), undefined);
});
