// The demo's documents load once, in a real engine; an interrupted load is repeated, another's index left alone.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Engine, open } from '@octavo/engine';
import { INDEX, loadSynsets } from './load-synsets.ts';
import { type Synset, synsets } from './wordnet.ts';

const SOME = 500;

function* some(): Generator<Synset> {
  let left = SOME;
  for (const synset of synsets()) {
    if (left-- === 0) return;
    yield synset;
  }
}

let folder: string;
let engine: Engine;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-demo-'));
  engine = await open(join(folder, 'data'));
});

after(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

test('an interrupted load is repeated, a complete one is not', async () => {
  const cut = AbortSignal.abort();
  assert.equal(await loadSynsets(engine, { documents: some(), signal: cut }), 1);
  assert.equal(await loadSynsets(engine, { documents: some() }), SOME);
  assert.equal(engine.indices.stats(INDEX).docCount, SOME);
  assert.equal(await loadSynsets(engine, { documents: some() }), 0);
});

test("somebody's own index of that name is left alone", async () => {
  await engine.indices.delete([INDEX]);
  await engine.indices.create(INDEX, {});
  await assert.rejects(loadSynsets(engine, { documents: some() }), /There is already an index wordnet/);
});
