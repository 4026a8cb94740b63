// The engine never returns data that differs from what was written, even if the disk returns changed bytes. The tests change
// single bytes of every kind of file of a real directory. The start repairs the damage and reports it, or refuses and reports
// it, or reads of lost documents fail.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Engine, EngineError, open, type WriteOp } from '@octavo/engine';

const root = mkdtempSync(join(tmpdir(), 'octavo-damage-'));
const sound = join(root, 'sound');
const OPTIONS = { tailDocs: 64, logChunkBytes: 16_384, ballastBytes: 0 };
const expected = new Map<string, string>();
const older = new Map<string, Set<string>>();
after(() => rmSync(root, { recursive: true, force: true }));

async function write(engine: Engine, ops: WriteOp[]): Promise<void> {
  for (const result of await engine.write(ops)) assert.equal(result.error, undefined);
  for (const { kind, id, source } of ops) {
    if (kind === 'delete') expected.delete(id!);
    else {
      const text = Buffer.from(source!).toString();
      expected.set(id!, text);
      older.set(id!, (older.get(id!) ?? new Set()).add(text));
    }
  }
}

before(async () => {
  const engine = await open(sound, OPTIONS);
  await engine.indices.create('d', { mappings: { properties: { k: { type: 'keyword' } } } });
  for (let batch = 0; batch < 40; batch++) {
    const ops: WriteOp[] = [];
    for (let i = 0; i < 12; i++) {
      const n = (batch * 31 + i * 7) % 300;
      const source = Buffer.from(
        JSON.stringify({ n, k: `k${n % 7}`, batch, text: `red fox ${'x'.repeat(n % 90)}` }),
      );
      ops.push(
        batch % 5 === 4 && i < 5
          ? { kind: 'delete', index: 'd', id: `i${n}` }
          : { kind: 'index', index: 'd', id: `i${n}`, source },
      );
    }
    await write(engine, ops);
    if (batch === 25) await engine.indices.flush(['d']);
  }
  // One death that the last flush saves, which no merge may drop, and one that only the log knows.
  await engine.indices.forceMerge(['d'], 1);
  await write(engine, [{ kind: 'delete', index: 'd', id: [...expected.keys()][0]! }]);
  await write(engine, [{ kind: 'index', index: 'd', id: 'last', source: Buffer.from('{"n":1}') }]);
  await engine.indices.flush(['d']);
  await write(engine, [{ kind: 'delete', index: 'd', id: [...expected.keys()][0]! }]);
  await engine.close();
});

interface Seen {
  readonly notes: string[];
  readonly findings: string[];
  readonly found: Map<string, string>;
  readonly refused: number;
}

/** Everything that can be had of a directory; undefined where it does not open. */
async function look(dir: string): Promise<Seen | Error> {
  const notes: string[] = [];
  let engine: Engine;
  try {
    engine = await open(dir, { ...OPTIONS, onNote: (note) => notes.push(note) });
  } catch (error) {
    return error as Error;
  }
  const found = new Map<string, string>();
  let refused = 0;
  try {
    for (const id of older.keys()) {
      try {
        const doc = engine.get('d', id);
        if (doc !== undefined) found.set(id, Buffer.from(doc.source).toString());
        const hits = (await engine.search({ indices: ['d'], query: { ids: { values: [id] } } })).hits;
        assert.deepEqual(
          hits.map((hit) => Buffer.from(hit.source).toString()),
          doc === undefined ? [] : [found.get(id)],
        );
      } catch (error) {
        assert.ok(
          error instanceof EngineError && error.type === 'corrupt_index_exception',
          String((error as Error).stack),
        );
        refused++;
      }
    }
    const findings = await engine.verify();
    return { notes, findings, found, refused };
  } finally {
    await engine.close();
  }
}

let copies = 0;
function damagedCopy(file: string, places: readonly number[]): string {
  const dir = join(root, `copy${copies++}`);
  cpSync(sound, dir, { recursive: true });
  const bytes = readFileSync(join(dir, file));
  for (const place of places) bytes[Math.floor(place) % bytes.length]! ^= 0x55;
  writeFileSync(join(dir, file), bytes);
  return dir;
}

const filesOf = (folder: string, ending: string): string[] =>
  readdirSync(join(sound, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);

/** Some places of a file: its first bytes, its last, and some between. */
const placesOf = (file: string, many: number): number[] => {
  const { length } = readFileSync(join(sound, file));
  return [0, 9, length - 1, ...Array.from({ length: many }, (_, i) => ((i + 0.37) / many) * length)];
};

test('as it was written, it is sound', async () => {
  const seen = await look(damagedCopy('lock', []));
  assert.ok(!(seen instanceof Error));
  assert.deepEqual({ ...seen, notes: [] }, { notes: [], findings: [], found: expected, refused: 0 });
});

for (const ending of ['.seg', '.seq', '.del']) {
  test(`a damaged ${ending} file is found and made again, with nothing lost`, async () => {
    const files = filesOf('segments', ending);
    assert.ok(files.length > 0, ending);
    for (const file of files.slice(0, 3)) {
      for (const place of placesOf(file, 6)) {
        const seen = await look(damagedCopy(file, [place]));
        assert.ok(!(seen instanceof Error), `${file} at ${place}: ${(seen as Error).stack}`);
        assert.ok(seen.notes.length > 0, `${file} at ${place}: nothing was said`);
        assert.deepEqual(seen.found, expected, `${file} at ${place}`);
        assert.deepEqual(seen.findings, []);
      }
    }
  });
}

test('a segment, its numbers and its deaths may all be damaged', async () => {
  for (const del of filesOf('segments', '.del')) {
    const [base] = del.split(/\.\d+\.del$/) as [string];
    const dir = damagedCopy(del, [17]);
    for (const file of [`${base}.seg`, `${base}.seq`]) {
      const bytes = readFileSync(join(dir, file));
      bytes[4]! ^= 1;
      writeFileSync(join(dir, file), bytes);
    }
    const seen = await look(dir);
    assert.ok(!(seen instanceof Error), String(seen));
    assert.deepEqual(seen.found, expected);
  }
});

test('damage in the log is told, and what it hit is refused or absent, never given out', async () => {
  let refused = 0;
  for (const file of filesOf('log', '.log')) {
    for (const place of placesOf(file, 10)) {
      const seen = await look(damagedCopy(file, [place]));
      if (seen instanceof Error) {
        assert.match(seen.message, /damaged|version|log/);
        continue;
      }
      const what = `${file} at ${place}`;
      for (const [id, text] of seen.found) assert.ok(older.get(id)!.has(text), `${what}: [${id}] is ${text}`);
      const same =
        seen.found.size === expected.size && [...expected].every(([id, text]) => seen.found.get(id) === text);
      if (!same)
        assert.ok(
          seen.notes.length > 0 && seen.findings.length + seen.notes.length > 0,
          `${what}: nothing was said`,
        );
      refused += seen.refused;
    }
  }
  assert.ok(refused > 0);
});

test('damage in what no segment holds yet: nobody knows what is missing, and the start says so', async () => {
  const dir = join(root, 'last');
  const engine = await open(dir, OPTIONS);
  const put = (id: string, v: number): WriteOp => ({
    ...{ kind: 'index', index: 'd', id, source: Buffer.from(`{"v":"${id}${v}"}`) },
  });
  for (const ops of [
    [put('old', 1), put('gone', 1)],
    [put('old', 2), put('new', 1), { kind: 'delete', index: 'd', id: 'gone' } as const],
    [put('last', 1)],
  ])
    for (const { error } of await engine.write(ops)) assert.equal(error, undefined);
  const copy = join(root, 'last-copy');
  cpSync(dir, copy, { recursive: true });
  await engine.close();
  const [file] = readdirSync(join(copy, 'log')).filter((name) => name.endsWith('.log'));
  const bytes = readFileSync(join(copy, 'log', file!));
  bytes[bytes.indexOf('old2')]! ^= 1;
  writeFileSync(join(copy, 'log', file!), bytes);
  const notes: string[] = [];
  const again = await open(copy, { ...OPTIONS, onNote: (note) => notes.push(note) });
  const textOf = (id: string): string | undefined => {
    const doc = again.get('d', id);
    return doc && Buffer.from(doc.source).toString();
  };
  assert.deepEqual(['old', 'new', 'gone', 'last'].map(textOf), [
    '{"v":"old1"}',
    undefined,
    '{"v":"gone1"}',
    '{"v":"last1"}',
  ]);
  assert.match(notes.join('\n'), /damaged, \d+ bytes .* may be missing, or there in an earlier version/);
  await again.close();
});

test('a segment and the log below it damaged together: what is left is right', async () => {
  const [log] = filesOf('log', '.log') as [string];
  for (const file of filesOf('segments', '.seg')) {
    const dir = damagedCopy(file, [3_000]);
    const bytes = readFileSync(join(dir, log));
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(join(dir, log), bytes);
    const seen = await look(dir);
    assert.ok(!(seen instanceof Error), String((seen as Error).stack));
    for (const [id, text] of seen.found)
      assert.equal(text, expected.get(id), `${file}: ${seen.notes.join('; ')}`);
    assert.ok(
      seen.notes.some((note) => /log\/\d+\.log|damaged in the log/.test(note)),
      seen.notes.join('; '),
    );
  }
});

test('a damaged catalog is an error that names the file, or the last line is cut', async () => {
  for (const file of readdirSync(sound, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /catalog/.test(join(entry.parentPath, entry.name)))
    .map((entry) => join(entry.parentPath, entry.name).slice(sound.length + 1))) {
    for (const place of placesOf(file, 12)) {
      const seen = await look(damagedCopy(file, [place]));
      if (seen instanceof Error) assert.match(seen.message, /is damaged|version/, seen.stack);
      else assert.deepEqual(seen.found, expected, `${file} at ${place}`);
    }
  }
});
