// A naive oracle of plain Maps for the tests of tail, segment and merge. It receives the same calls as a DocSink and compares
// every answer of a leaf with its own.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hasBit } from '../src/kernels/bits.ts';
import type { FieldSpec } from '../src/mapping/field-spec.ts';
import type { Leaf } from '../src/segment/leaf.ts';
import { normOf } from '../src/segment/postings/norms.ts';
import type { PostingsView } from '../src/segment/postings/postings-view.ts';
import type { TailDocument } from '../src/tail/forward/tail-documents.ts';
import type { Tail } from '../src/tail/tail.ts';

/** Terms of one field of one document, or its values. */
export interface OracleValue {
  readonly tokens?: readonly { term: string; position: number; overlap: boolean }[];
  readonly keywords?: readonly string[];
  readonly numbers?: readonly (readonly [number, number])[];
}

/** A document: its row, and values by slot. */
export interface OracleDoc extends TailDocument {
  readonly values: ReadonlyMap<number, OracleValue>;
}

/** Fields of every kind that the tests use. */
export const SPECS: readonly FieldSpec[] = [
  { slot: 0, path: 'body', index: 'positions', norms: true, column: 'none' },
  { slot: 1, path: 'tags', index: 'docs', norms: false, column: 'ordinal' },
  { slot: 2, path: 'price', index: 'none', norms: false, column: 'numeric' },
  { slot: 3, path: 'freqs', index: 'freqs', norms: false, column: 'none' },
  { slot: 4, path: 'hidden', index: 'none', norms: false, column: 'ordinal' },
  { slot: 5, path: 'blob', index: 'none', norms: false, column: 'none' },
  { slot: 6, path: 'short.words', index: 'freqs', norms: true, column: 'none' },
];

const words = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'b', 'ab', 'abc', 'abcd', 'abcdefgh', 'z', '') },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.nat(300).map((n) => `w${n}`) },
);

const tokens = fc
  .tuple(
    fc.array(
      fc.record({
        term: words,
        gap: fc.oneof(fc.constantFrom(0, 1, 1, 1), fc.constantFrom(63, 64, 254, 255, 100_000)),
        overlap: fc.boolean(),
      }),
      { maxLength: 12 },
    ),
    fc.oneof({ weight: 20, arbitrary: fc.constant(0) }, fc.constantFrom(70, 300, 5000)),
  )
  .map(([list, repeats]) => {
    const out: { term: string; position: number; overlap: boolean }[] = [];
    let position = -1;
    for (const { term, gap, overlap } of list) {
      position = Math.max(0, position + gap);
      out.push({ term, position, overlap: overlap && gap === 0 });
    }
    for (let i = 0; i < repeats; i++) out.push({ term: 'again', position: ++position, overlap: false });
    return out;
  });

const u32 = fc.nat(0xffffffff);
const sometimes = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 3 });

/** Documents without commit and seqNo, which come from their place. */
export const documentArbitrary: fc.Arbitrary<{
  id: string;
  doc: (seqNo: number, commit: number) => OracleDoc;
}> = fc
  .record({
    id: fc.oneof(fc.nat(40).map(String), fc.string({ unit: 'binary', minLength: 1, maxLength: 8 })),
    version: fc.constantFrom(1, 1, 1, 2, 9_007_199_254_740_991),
    type: fc.constantFrom('_doc', '_doc', '_doc', 'offer', 'größe'),
    routing: fc.constantFrom(undefined, undefined, 'r', 'ü'),
    body: sometimes(tokens),
    tags: sometimes(fc.array(words, { maxLength: 4 })),
    price: sometimes(fc.array(fc.tuple(u32, fc.constantFrom(0, 1, 0xffffffff)), { maxLength: 3 })),
    freqs: sometimes(fc.array(words, { maxLength: 6 })),
    hidden: sometimes(fc.array(words, { maxLength: 2 })),
    blob: fc.boolean(),
    short: sometimes(fc.array(words, { maxLength: 3 })),
  })
  .map((r) => ({
    id: r.id,
    doc: (seqNo: number, commit: number): OracleDoc => {
      const values = new Map<number, OracleValue>();
      if (r.body !== undefined) values.set(0, { tokens: r.body });
      if (r.tags !== undefined) values.set(1, { keywords: r.tags });
      if (r.price !== undefined) values.set(2, { numbers: r.price });
      const plain = (list: string[]): OracleValue => ({
        tokens: list.map((term, position) => ({ term, position, overlap: false })),
      });
      if (r.freqs !== undefined) values.set(3, plain(r.freqs));
      if (r.hidden !== undefined) values.set(4, { keywords: r.hidden });
      if (r.blob) values.set(5, {});
      if (r.short !== undefined) values.set(6, plain(r.short));
      return {
        id: Buffer.from(r.id),
        seqNo,
        version: r.version,
        type: r.type,
        routing: r.routing,
        commit,
        chunk: seqNo % 3,
        offset: 0xffffffff - seqNo,
        length: seqNo * 7,
        values,
      };
    },
  }));

/** Tells a tail one document, as a mapping would. */
export function feed(tail: Tail, doc: OracleDoc): void {
  tail.begin(doc);
  fields(tail, doc);
  tail.end();
}

/** The sink calls of a document. */
export function fields(tail: Tail, doc: OracleDoc): void {
  for (const [slot, value] of doc.values) {
    const spec = SPECS[slot]!;
    tail.present(spec);
    for (const { term, position, overlap } of value.tokens ?? []) {
      const bytes = Buffer.from(`xx${term}yy`);
      tail.term(spec, bytes, 2, bytes.length - 2, position, overlap);
    }
    for (const keyword of value.keywords ?? []) {
      const bytes = Buffer.from(keyword);
      tail.keyword(spec, bytes, 0, bytes.length);
    }
    for (const [hi, lo] of value.numbers ?? []) tail.numeric(spec, hi, lo);
  }
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Compares everything a leaf can be asked with the documents that it should hold. */
export function assertLeaf(leaf: Leaf, docs: readonly OracleDoc[]): void {
  assert.equal(leaf.docCount, docs.length);
  assertDocs(leaf, docs);
  const paths = SPECS.filter((spec) => docs.some((doc) => doc.values.has(spec.slot))).map(
    (spec) => spec.path,
  );
  assert.deepEqual([...leaf.fields].toSorted(), paths.toSorted());
  for (const spec of SPECS) {
    assertPresence(leaf, docs, spec);
    assertTerms(leaf, docs, spec);
    assertColumn(leaf, docs, spec);
  }
  assert.equal(leaf.terms('nothing'), undefined);
  assert.equal(leaf.column('nothing'), undefined);
}

function assertDocs(leaf: Leaf, docs: readonly OracleDoc[]): void {
  const table = leaf.docs;
  const newest = new Map<string, number>();
  docs.forEach((doc, i) => {
    const id = Buffer.from(doc.id).toString();
    newest.set(id, i);
    assert.equal(table.id(i), id);
    assert.equal(table.seqNo(i), doc.seqNo);
    assert.equal(table.version(i), doc.version);
    assert.equal(table.type(i), doc.type);
    assert.equal(table.routing(i), doc.routing);
    assert.equal(table.commit(i), doc.commit);
    assert.equal(table.sourceChunk(i), doc.chunk);
    assert.equal(table.sourceOffset(i), doc.offset);
    assert.equal(table.sourceLength(i), doc.length);
    assert.equal(table.countAt(doc.commit), docs.filter((other) => other.commit <= doc.commit).length);
  });
  assert.equal(table.countAt(0), 0);
  assert.equal(table.countAt(2 ** 53 - 1), docs.length);
  for (const [id, i] of newest) assert.equal(table.find(Buffer.from(id)), i);
  assert.equal(table.find(Buffer.from('no such id')), -1);
}

function assertPresence(leaf: Leaf, docs: readonly OracleDoc[], spec: FieldSpec): void {
  const present = leaf.present(spec.path);
  docs.forEach((doc, i) => {
    assert.equal(present !== undefined && hasBit(present, i), doc.values.has(spec.slot));
  });
  const norms = leaf.norms(spec.path);
  assert.equal(norms !== undefined, spec.norms && present !== undefined);
  if (norms === undefined) return;
  docs.forEach((doc, i) => {
    const length = doc.values.get(spec.slot)?.tokens?.filter((token) => !token.overlap).length ?? 0;
    assert.equal(norms[i], normOf(length));
  });
}

function assertTerms(leaf: Leaf, docs: readonly OracleDoc[], spec: FieldSpec): void {
  const expected = new Map<string, Map<number, number[]>>();
  docs.forEach((doc, i) => {
    const value = doc.values.get(spec.slot);
    const list = [
      ...(value?.tokens ?? []),
      ...(value?.keywords ?? []).map((term) => ({ term, position: 0 })),
    ];
    for (const { term, position } of list) {
      if (!expected.has(term)) expected.set(term, new Map());
      const byDoc = expected.get(term)!;
      if (!byDoc.has(i)) byDoc.set(i, []);
      byDoc.get(i)!.push(position);
    }
  });
  const terms = leaf.terms(spec.path);
  assert.equal(terms !== undefined, expected.size > 0, spec.path);
  if (terms === undefined) return;
  assert.equal(terms.indexed, spec.index !== 'none');
  assert.equal(terms.hasFreqs, spec.index === 'freqs' || spec.index === 'positions');
  assert.equal(terms.hasPositions, spec.index === 'positions');
  const ordinals = [...terms.ordinals()];
  assert.deepEqual(
    ordinals,
    ordinals.toSorted((a, b) => a - b),
  );
  const listed = ordinals.map((ordinal) => Buffer.from(terms.term(ordinal)).toString());
  const sorted = [...expected.keys()].toSorted(byBytes);
  assert.deepEqual(terms.sorted ? listed : listed.toSorted(byBytes), sorted);
  if (terms.sorted) {
    assert.equal(terms.count, sorted.length);
    for (const probe of [...sorted, '', 'abb', '\uffff', 'zz']) {
      const place = sorted.findIndex((term) => byBytes(term, probe) >= 0);
      assert.equal(terms.lowerBound(Buffer.from(probe)), place < 0 ? sorted.length : place);
    }
  }
  const missing = Buffer.from('never given');
  assert.equal(terms.find(missing, 0, missing.length), -1);
  let postings = 0;
  let tokens = 0;
  const withTerms = new Set<number>();
  for (const [term, byDoc] of expected) {
    const bytes = Buffer.from(`x${term}`);
    const ordinal = terms.find(bytes, 1, bytes.length);
    assert.equal(Buffer.from(terms.term(ordinal)).toString(), term);
    let total = 0;
    for (const [doc, positions] of byDoc) {
      withTerms.add(doc);
      total += terms.hasFreqs ? positions.length : 1;
    }
    postings += byDoc.size;
    tokens += total;
    if (!terms.indexed) {
      assert.equal(terms.docFreq(ordinal), 0);
      continue;
    }
    assert.equal(terms.docFreq(ordinal), byDoc.size);
    assert.equal(terms.totalTermFreq(ordinal), total);
    assertPostings(leaf, spec, ordinal, byDoc);
  }
  if (!terms.indexed) return;
  assert.deepEqual(terms.stats, {
    docCount: withTerms.size,
    sumDocFreq: postings,
    sumTotalTermFreq: tokens,
  });
}

/** Compares one term's postings with (doc → positions). */
export function assertPostings(
  leaf: Leaf,
  spec: FieldSpec,
  ordinal: number,
  byDoc: ReadonlyMap<number, readonly number[]>,
): void {
  const terms = leaf.terms(spec.path)!;
  const { postings } = terms;
  const norms = leaf.norms(spec.path);
  const out = { positions: new Uint32Array(0) };
  const seen: number[] = [];
  let lastChunk = -1;
  for (let group = postings.firstGroup(ordinal); group < postings.endGroup(ordinal); group++) {
    const chunk = postings.chunk(group);
    assert.ok(chunk > lastChunk);
    lastChunk = chunk;
    const start = postings.start(group);
    const end = postings.end(group);
    const bits = postings.bits(group);
    assert.equal(bits !== undefined, end - start >= 2048);
    let max = 0;
    for (let p = start; p < end; p++) {
      const lo = postings.lo[p]!;
      const doc = chunk * 65_536 + lo;
      seen.push(doc);
      assert.equal(postings.find(group, lo), p);
      if (bits !== undefined) assert.ok(hasBit(bits, lo));
      const positions = byDoc.get(doc)!;
      if (!terms.hasFreqs) {
        assert.equal(postings.freq(p, norms?.[doc] ?? 0), 1);
        continue;
      }
      assert.equal(postings.freq(p, norms?.[doc] ?? 0), positions.length);
      const code = postings.code[p]!;
      assert.ok(code > 0 && code <= postings.blockMax[postings.firstBlock(group) + ((p - start) >>> 7)]!);
      max = Math.max(max, code);
      if (terms.hasPositions) {
        const n = postings.positions(group, p, out);
        assert.deepEqual(Array.from(out.positions.subarray(0, n)), positions);
        const { positionResidues } = (postings as PostingsView).arrays;
        const residues = positions.reduce((bits, position) => bits | (1 << (position % 8)), 0);
        if (positionResidues.length > 0) assert.equal(positionResidues[p], residues);
      }
    }
    assert.equal(postings.maxCode(group), terms.hasFreqs ? max : 255);
    const absent = [0, 1, 77, 65_535].filter((lo) => !byDoc.has(chunk * 65_536 + lo));
    for (const lo of absent) assert.equal(postings.find(group, lo), -1);
  }
  assert.deepEqual(seen, [...byDoc.keys()]);
}

function assertColumn(leaf: Leaf, docs: readonly OracleDoc[], spec: FieldSpec): void {
  const column = leaf.column(spec.path);
  const has = (doc: OracleDoc): boolean => {
    const value = doc.values.get(spec.slot);
    return (value?.keywords?.length ?? 0) > 0 || (value?.numbers?.length ?? 0) > 0;
  };
  assert.equal(column !== undefined, spec.column !== 'none' && docs.some(has));
  if (column === undefined) return;
  docs.forEach((doc, i) => {
    assert.equal(hasBit(column.present, i), has(doc));
    if (column.starts === undefined && !has(doc)) return;
    const start = column.starts === undefined ? i : column.starts[i]!;
    const end = column.starts === undefined ? i + 1 : column.starts[i + 1]!;
    const value = doc.values.get(spec.slot);
    if (column.kind === 'numeric') {
      const keys = Array.from({ length: end - start }, (_, k) => [
        column.hi[start + k]!,
        column.lo[start + k]!,
      ]);
      const numbers = (value?.numbers ?? []).toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
      assert.deepEqual(keys, numbers);
    } else {
      const list = Array.from(column.ordinals.subarray(start, end), (ordinal) =>
        Buffer.from(column.terms.term(ordinal)).toString(),
      );
      assert.deepEqual(list, [...new Set(value?.keywords ?? [])].toSorted(byBytes));
    }
  });
}
