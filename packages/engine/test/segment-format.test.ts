// Segments of every format version can be read, damage is found, and many chunks hold together. Each of the
// fixtures `segment-v<n>/life.seg` was written once and is never changed, nor is `packed-v1/life.seg`, the
// first as files have it. A new version adds one of its own (run with OCTAVO_WRITE_FIXTURES=1).

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { setBit, wordsFor } from '../src/kernels/bits.ts';
import { createMemory } from '../src/memory/arenas.ts';
import { mergeSegments } from '../src/merge/merge-segments.ts';
import { ENTRY_BYTES, HEADER_BYTES, KIND, SEGMENT_VERSION } from '../src/segment/format.ts';
import { packSegment } from '../src/segment/packed/pack.ts';
import {
  ENCODING,
  encodePackedTable,
  PACKED_VERSION,
  PIECE_BYTES,
} from '../src/segment/packed/packed-format.ts';
import { readPackedTable, SegmentUnpacker, unpackSegment } from '../src/segment/packed/unpack.ts';
import { SectionTable, SegmentDamagedError } from '../src/segment/section-table.ts';
import { copySegment, SectionWriter, type SegmentBytes } from '../src/segment/section-writer.ts';
import { openSegment } from '../src/segment/segment-leaf.ts';
import { verifyFile, verifySegment } from '../src/segment/verify-segment.ts';
import { Tail } from '../src/tail/tail.ts';
import { assertLeaf, assertPostings, feed, type OracleDoc, type OracleValue, SPECS } from './leaf-oracle.ts';

const FIXTURES = new URL('fixtures/', import.meta.url).pathname;
const memory = createMemory();

function run<T>(steps: Generator<void, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

function bytesOf(segment: SegmentBytes): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(segment.byteLength);
  copySegment(segment, bytes);
  return bytes;
}

function sealed(docs: readonly OracleDoc[]): Uint8Array<ArrayBuffer> {
  const tail = new Tail(memory);
  for (const doc of docs) feed(tail, doc);
  tail.closeBatch();
  const bytes = bytesOf(run(tail.seal()));
  tail.release();
  return bytes;
}

/** Documents that use every section of the format. The same in every version. */
function lifeDocs(): OracleDoc[] {
  return Array.from({ length: 300 }, (_, i): OracleDoc => {
    const tokens = Array.from({ length: i % 17 }, (_, k) => ({
      term: k % 5 === 0 ? 'often' : `größe${(i * k) % 23}`,
      position: k * (i % 7 === 0 ? 90 : 1),
      overlap: false,
    }));
    const values = new Map<number, OracleValue>();
    if (i % 4 !== 3) values.set(0, { tokens });
    if (i % 3 === 0) values.set(1, { keywords: [`tag${i % 11}`, 'all'] });
    if (i % 5 !== 0) values.set(2, { numbers: [[i * 1_000_003, i]] });
    if (i === 100)
      values.set(3, {
        tokens: Array.from({ length: 999 }, (_, position) => ({ term: 'x', position, overlap: false })),
      });
    if (i % 2 === 0) values.set(4, { keywords: [`hidden${i % 300}`] });
    if (i % 9 === 0) values.set(5, {});
    return {
      id: Buffer.from(`id-${i % 290}`),
      seqNo: 2 ** 40 + i,
      version: i < 290 ? 1 : 2,
      type: i % 50 === 0 ? 'offer' : '_doc',
      routing: i % 60 === 0 ? `r${i}` : undefined,
      commit: 2 ** 45 + (i >>> 5),
      chunk: i >>> 6,
      offset: i * 600,
      length: 600,
      values,
    };
  });
}

test('segments of every version are read', () => {
  const docs = lifeDocs();
  const newest = join(FIXTURES, `segment-v${SEGMENT_VERSION}`);
  if (process.env['OCTAVO_WRITE_FIXTURES'] && !existsSync(newest)) {
    mkdirSync(newest, { recursive: true });
    writeFileSync(join(newest, 'life.seg'), sealed(docs));
  }
  assert.ok(existsSync(newest), 'the newest version has its fixture');
  for (const folder of readdirSync(FIXTURES).filter((name) => name.startsWith('segment-v'))) {
    const bytes = Uint8Array.from(readFileSync(join(FIXTURES, folder, 'life.seg')));
    assert.deepEqual(verifySegment(bytes), []);
    assertLeaf(openSegment(bytes), docs);
  }
  const same = sealed(docs);
  assert.ok(
    readFileSync(join(newest, 'life.seg')).equals(same),
    'a changed format needs a new version number',
  );
});

test('a changed byte is found, wherever it is; a cut file too', () => {
  const bytes = sealed(lifeDocs());
  assert.deepEqual(verifySegment(bytes), []);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = bytes.slice();
      damaged[at]! ^= change;
      assert.ok(verifySegment(damaged).length > 0);
    }),
    { numRuns: 400 },
  );
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), (length) => {
      assert.ok(verifySegment(bytes.slice(0, length)).length > 0);
    }),
    { numRuns: 50 },
  );
  assert.throws(() => openSegment(new Uint8Array(200)), SegmentDamagedError);
});

async function packed(segment: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(Buffer.concat(await packSegment(segment)));
}

async function unpacked(file: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const table = readPackedTable(file);
  // Whatever lay there before is gone.
  const bytes = new Uint8Array(table.byteLength).fill(0xaa);
  await unpackSegment(file, table, bytes);
  // A thread unpacks the one half, whoever asked it the other.
  const halves = new Uint8Array(new SharedArrayBuffer(table.byteLength)).fill(0xaa);
  const left = new SegmentUnpacker(file, table, halves).unpackRestNow();
  await new SegmentUnpacker(file, table, halves, left).unpack();
  assert.ok(Buffer.from(halves).equals(bytes));
  return bytes;
}

test('packed files of every version are read', async () => {
  const newest = join(FIXTURES, `packed-v${PACKED_VERSION}`);
  if (process.env['OCTAVO_WRITE_FIXTURES'] && !existsSync(newest)) {
    mkdirSync(newest, { recursive: true });
    writeFileSync(join(newest, 'life.seg'), await packed(sealed(lifeDocs())));
  }
  assert.ok(existsSync(newest), 'the newest version has its fixture');
  for (const folder of readdirSync(FIXTURES).filter((name) => name.startsWith('packed-v'))) {
    const file = Uint8Array.from(readFileSync(join(FIXTURES, folder, 'life.seg')));
    assert.deepEqual(await verifyFile(file), []);
    assertLeaf(openSegment(await unpacked(file)), lifeDocs());
  }
});

/** Kinds of the sections that a packed file leaves out, by field. */
function leftOut(segment: Uint8Array, file: Uint8Array): [kind: string, field: number][] {
  const table = new SectionTable(segment);
  const derived = readPackedTable(file).pieces.filter(({ packing }) => packing === ENCODING.derived);
  const starts = new Set(derived.map(({ start }) => start));
  const fields = [...openSegment(segment).fields].keys();
  return [...fields].flatMap((field) =>
    Object.entries(KIND)
      .filter(([, kind]) => starts.has(table.start(kind, field)))
      .map(([name]): [string, number] => [name, field]),
  );
}

test('what follows from other sections is not in the file; what does not follow is damage', async () => {
  const bytes = sealed(lifeDocs());
  const file = await packed(bytes);
  const { records } = openSegment(bytes);
  const texts = records.flatMap(({ index, termCount }, field) => (index > 2 && termCount > 0 ? [field] : []));
  assert.ok(texts.length > 0);
  assert.deepEqual(
    leftOut(bytes, file),
    texts.flatMap((field): [string, number][] => [
      ['codes', field],
      ['positionOffsets', field],
      ['positionHalves', field],
      ['positionResidues', field],
    ]),
  );
  assert.ok(
    readPackedTable(file).pieces.every(({ packing, stored }) => packing !== ENCODING.derived || stored === 0),
  );
  // Another code, with all checksums right: it is not what its positions say.
  const table = new SectionTable(bytes);
  const other = bytes.slice();
  other[table.start(KIND.codes, texts[0])]! ^= 1;
  const view = new DataView(other.buffer);
  const count = view.getUint32(20, true);
  for (let at = HEADER_BYTES; at < HEADER_BYTES + count * ENTRY_BYTES; at += ENTRY_BYTES) {
    const offset = view.getUint32(at + 4, true);
    const section = other.subarray(offset, offset + view.getUint32(at + 8, true));
    view.setUint32(at + 12, crc32(section), true);
  }
  view.setUint32(32, crc32(other.subarray(HEADER_BYTES, HEADER_BYTES + count * ENTRY_BYTES)), true);
  view.setUint32(36, crc32(other.subarray(0, 36)), true);
  await assert.rejects(unpacked(await packed(other)), SegmentDamagedError);
});

test('what is packed is unpacked as it was, over the bounds of pieces too', async () => {
  const bytes = sealed(lifeDocs());
  assert.deepEqual(await unpacked(await packed(bytes)), bytes);
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 3 * PIECE_BYTES }), async (seed, length) => {
      const segment = ofOneSection(seed, length);
      assert.ok(Buffer.from(await unpacked(await packed(segment))).equals(segment));
    }),
    { numRuns: 4 },
  );
});

/** The head of a segment with one section of each arrangement, of numbers that ascend and wrap around. */
function ofOneSection(seed: number, length: number): Uint8Array {
  const sections = new SectionWriter();
  const words = new Uint32Array(length >>> 2).map((_, i) => Math.imul(seed | 1, i));
  sections.addPlain(KIND.lows, new Uint16Array(words.buffer));
  sections.addPlain(KIND.termStarts, words);
  sections.addPlain(KIND.seqNos, new Float64Array(words.buffer, 0, words.length >>> 1));
  sections.addPlain(KIND.idBytes, new Uint8Array(length).fill(seed));
  sections.addPlain(
    KIND.codes,
    new Uint8Array(length).map((_, i) => Math.imul(seed ^ i, 0x9e3779b1) >>> 13),
  );
  return bytesOf(run(sections.seal(0)));
}

test('a changed byte of a packed file is found, wherever it is; a cut file too', async () => {
  const file = await packed(sealed(lifeDocs()));
  await fc.assert(
    fc.asyncProperty(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const damaged = file.slice();
      damaged[at]! ^= change;
      assert.ok((await verifyFile(damaged)).length > 0);
    }),
    { numRuns: 300 },
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(file.length - 1), async (length) => {
      assert.ok((await verifyFile(file.slice(0, length))).length > 0);
    }),
    { numRuns: 50 },
  );
  // Not even with checksums that are right does a piece write beyond its place.
  const { pieces, byteLength } = readPackedTable(file);
  for (const [i, piece] of pieces.entries()) {
    const entries = pieces.map((one, n) => ({ ...one, length: n === i ? one.length + 64 : one.length }));
    const wrong = [encodePackedTable(byteLength, entries), encodePackedTable(byteLength + 64, entries)].map(
      (head) => Buffer.concat([head, file.subarray(pieces[0]!.at)]),
    );
    for (const one of wrong) assert.ok((await verifyFile(one)).length > 0, `piece ${i} of ${piece.length}`);
  }
});

test('nothing is written any more when a damaged file has been refused', async () => {
  const file = await packed(ofOneSection(1, 3 * PIECE_BYTES));
  const table = readPackedTable(file);
  file[table.pieces.at(-1)!.at]! ^= 1;
  const bytes = new Uint8Array(table.byteLength);
  await assert.rejects(unpackSegment(file, table, bytes), SegmentDamagedError);
  bytes.fill(0xaa);
  // Behind these nothing that was begun before is left in the pool.
  await Promise.all(Array.from({ length: 2 }, () => packed(ofOneSection(1, PIECE_BYTES))));
  assert.ok(bytes.every((byte) => byte === 0xaa));
});

test('anything at all gets findings, not exceptions', () => {
  const bytes = sealed(lifeDocs().slice(0, 40));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(bytes.length - 1), (noise, at) => {
      assert.ok(verifySegment(noise).length > 0);
      const mixed = bytes.slice();
      mixed.set(noise.subarray(0, bytes.length - at), at);
      verifySegment(mixed);
    }),
    { numRuns: 200 },
  );
});

test('many chunks: groups, bitmaps and merges with and without documents left out', async () => {
  const n = 70_000;
  const spec = SPECS[1]!;
  const body = SPECS[0]!;
  const tail = new Tail(memory, { limit: 100_000, largest: 100_000 });
  const id = new Uint8Array(4);
  const terms = ['every', 'third', 'seldom', 'ends'].map((term) => Buffer.from(term));
  const has = [
    () => true,
    (i: number) => i % 3 === 0,
    (i: number) => i % 997 === 0,
    (i: number) => i === 0 || i === 65_535 || i === 65_536 || i === n - 1,
  ];
  for (let i = 0; i < n; i++) {
    new DataView(id.buffer).setUint32(0, i);
    const place = { chunk: 0, offset: i, length: 1 };
    tail.begin({
      id,
      seqNo: i,
      version: 1,
      type: '_doc',
      routing: undefined,
      commit: 1 + (i >>> 14),
      ...place,
    });
    terms.forEach((term, t) => {
      if (!has[t]!(i)) return;
      tail.keyword(spec, term, 0, term.length);
      for (let k = 0; k <= i % (t + 2); k++) tail.term(body, term, 0, term.length, t * 900 + k * 3);
    });
    tail.end();
    if (i % 30_000 === 29_999) tail.closeBatch();
  }
  tail.closeBatch();
  const segment = openSegment(bytesOf(run(tail.seal())));
  assert.deepEqual(verifySegment(segment.bytes), []);
  const check = (leaf: typeof segment, numbers: readonly number[]): void => {
    for (const [t, term] of terms.entries()) {
      for (const one of [spec, body]) {
        const found = leaf.terms(one.path)!;
        const byDoc = new Map<number, number[]>();
        numbers.forEach((old, doc) => {
          if (!has[t]!(old)) return;
          byDoc.set(
            doc,
            one === spec ? [0] : Array.from({ length: (old % (t + 2)) + 1 }, (_, k) => t * 900 + k * 3),
          );
        });
        assertPostings(leaf, one, found.find(term, 0, term.length), byDoc);
      }
    }
    for (const old of [0, 1, 65_535, 65_536, n - 1]) {
      new DataView(id.buffer).setUint32(0, old);
      assert.equal(leaf.docs.find(id), numbers.indexOf(old));
    }
  };
  const all = Array.from({ length: n }, (_, i) => i);
  check(segment, all);
  const drop = new Uint32Array(wordsFor(n));
  for (let i = 0; i < n; i += 5) setBit(drop, i);
  const merged = run(mergeSegments([{ leaf: segment, drop }]));
  const leaf = openSegment(bytesOf(merged.segment));
  assert.deepEqual(verifySegment(leaf.bytes), []);
  check(
    leaf,
    all.filter((i) => i % 5 !== 0),
  );
  const twice = openSegment(
    bytesOf(run(mergeSegments([{ leaf: segment }, { leaf }], { oldest: 9 })).segment),
  );
  assert.deepEqual(verifySegment(twice.bytes), []);
  assert.equal(twice.docCount, n + leaf.docCount);
  for (const { bytes } of [segment, leaf, twice]) {
    const file = await packed(bytes);
    assert.ok(Buffer.from(await unpacked(file)).equals(bytes));
    assert.deepEqual(
      new Set(leftOut(bytes, file).map(([kind]) => kind)),
      new Set(['dense', 'codes', 'positionOffsets', 'positionHalves', 'positionResidues']),
    );
  }
  tail.release();
});

test('terms up to the limit, and not one byte more', () => {
  const tail = new Tail(memory);
  const row = {
    seqNo: 1,
    version: 1,
    type: '_doc',
    routing: undefined,
    commit: 1,
    chunk: 0,
    offset: 0,
    length: 1,
  };
  const long = Buffer.alloc(32_767, 'x');
  tail.begin({ id: Buffer.from('a'), ...row });
  assert.throws(() => tail.term(SPECS[0]!, long, 0, 32_767, 0), /immense term in field="body"/);
  tail.abort();
  for (let i = 0; i < 8; i++) {
    long[32_765 - i] = 0x79;
    tail.begin({ id: Buffer.from(`b${i}`), ...row });
    tail.term(SPECS[0]!, long, 0, 32_766, 0);
    tail.end();
  }
  tail.closeBatch();
  const leaf = openSegment(bytesOf(run(tail.seal())));
  assert.deepEqual(verifySegment(leaf.bytes), []);
  for (const one of [leaf, tail.leaves()[0]!]) {
    assert.equal([...one.terms('body')!.ordinals()].length, 8);
    const ordinal = one.terms('body')!.find(long, 0, 32_766);
    assert.ok(ordinal >= 0 && one.terms('body')!.docFreq(ordinal) === 1);
  }
  tail.release();
});
