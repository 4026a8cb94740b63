// Bits flip in the log of a running server, after it was checked. A document that lies there is an error that
// names file and place; every other document, and every page without it, is as it was; and no backup is made.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Engine, open } from '@octavo/engine';
import { readArchive } from '../src/backup/read-archive.ts';
import { createArchive } from '../src/backup/write-archive.ts';
import { createServer, listen } from '../src/serve.ts';
import { Dice } from './mutations.ts';

const DOCS = 2_400;
const BATCH = 400;
const FLIPS = 60;
const folder = mkdtempSync(join(tmpdir(), 'octavo-units-'));
const file = join(folder, 'log/00000001.log');
let engine: Engine;
let url: string;
let close: () => Promise<void>;

const WORDS = ['river', 'lantern', 'orchard', 'quill', 'harbour', 'meadow', 'copper', 'thistle'];

function sourceOf(n: number): string {
  const text = Array.from({ length: 30 + (n % 40) }, (_, k) => WORDS[(n * 31 + k * k * 7) % 8]).join(' ');
  return JSON.stringify({ n, text });
}

before(async () => {
  const first = await open(folder, { ballastBytes: 0 });
  for (let from = 0; from < DOCS; from += BATCH) {
    const ops = Array.from({ length: BATCH }, (_, i) => ({
      ...({ kind: 'index', index: 'd', id: `${from + i}` } as const),
      source: Buffer.from(sourceOf(from + i)),
    }));
    for (const { error } of await first.write(ops)) assert.equal(error, undefined);
  }
  await first.indices.flush(['d']);
  await first.close();
  engine = await open(folder, { ballastBytes: 0, logCacheBytes: 0 });
  assert.deepEqual(await engine.verify(), [], 'all of it is checked');
  const app = await createServer(engine, {});
  url = await listen(app, { port: 0 });
  close = async () => {
    await app.close();
    await engine.close();
  };
});
after(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

/** Documents that are refused; all others are compared. */
async function refusedOf(place: number): Promise<number[]> {
  const refused: number[] = [];
  for (let from = 0; from < DOCS; from += 300) {
    const ids = Array.from({ length: 300 }, (_, i) => `${from + i}`);
    const page = await fetch(`${url}/d/_search?size=300&sort=n&from=${from}`);
    const text = await page.text();
    const json = JSON.parse(text) as { hits: { hits: { _id: string; _source: object }[] } };
    if (page.status === 200) {
      assert.deepEqual(
        json.hits.hits.map(({ _id }) => _id),
        ids,
      );
      for (const [i, { _source }] of json.hits.hits.entries())
        assert.equal(JSON.stringify(_source), sourceOf(from + i));
      continue;
    }
    assert.equal(page.status, 500, text);
    assert.match(text, /log\/00000001\.log/);
    for (const id of ids) {
      const reply = await fetch(`${url}/d/_doc/${id}`);
      const body = await reply.text();
      if (reply.status === 200) {
        const { _source } = JSON.parse(body) as { _source: object };
        assert.equal(JSON.stringify(_source), sourceOf(Number(id)));
        continue;
      }
      assert.equal(reply.status, 500, body);
      const named = /\[log\/00000001\.log\], (\d+) bytes at (\d+) of the file/.exec(body);
      assert.ok(named, body);
      const [length, start] = [Number(named[1]), Number(named[2])];
      assert.ok(start <= place && place < start + length, `${body} is not about byte ${place}`);
      refused.push(Number(id));
    }
  }
  return refused;
}

async function archiveError(): Promise<string> {
  const reading = readArchive(createArchive({ engine, records: undefined }));
  return reading.then(
    () => 'none',
    (error: Error) => error.message,
  );
}

test('a flipped bit costs the documents of one unit, in words, and no backup seals it', async () => {
  const whole = readFileSync(file);
  const dice = new Dice(7);
  let hit = 0;
  for (let flip = 0; flip < FLIPS; flip++) {
    const at = 64 + dice.below(whole.length - 64);
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 1 << dice.below(8);
    writeFileSync(file, damaged);
    const refused = await refusedOf(at);
    if (refused.length > 0) hit++;
    if (refused.length > 1)
      assert.ok(Math.max(...refused) - Math.min(...refused) < BATCH / 4, `${refused} are refused`);
    if (flip % 6 === 0)
      assert.match(await archiveError(), /nothing was saved: log\/00000001\.log is damaged: /);
  }
  assert.ok(hit > FLIPS * 0.7, `${hit} of ${FLIPS}`);
  writeFileSync(file, whole);
  assert.equal(await archiveError(), 'none');
});

test('a backup does not seal damage of any file of a segment either', async () => {
  for (const name of ['1-1.seg', '1-1.seq', '1-1.0.liv']) {
    const path = join(folder, 'segments', name);
    assert.ok(existsSync(path), name);
    const whole = readFileSync(path);
    for (const at of [5, whole.length >> 1, whole.length - 1]) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 16;
      writeFileSync(path, damaged);
      assert.match(await archiveError(), new RegExp(`segments/${name} is damaged: .*restart the server`));
    }
    writeFileSync(path, whole);
  }
  assert.equal(await archiveError(), 'none');
});
