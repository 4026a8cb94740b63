// A mapping grows by the new fields of a document at the cost of one copy of what it extends, and not at
// all when the document fails.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysis } from '../analysis/registry.ts';
import { EngineError } from '../errors.ts';
import type { FieldDef } from './definition/definition.ts';
import { DEFAULT_MAPPING_LIMITS } from './definition/mapping-limits.ts';
import { mapDocument } from './document/map-document.ts';
import type { DocSink } from './field-spec.ts';
import { type IndexMapping, parseMapping } from './index-mapping.ts';

const nothing: DocSink = { term() {}, keyword() {}, numeric() {}, present() {} };
const MANY = 10_000;
const SOME = 2_000;
const LONG: FieldDef = { kind: 'field', type: 'long', params: {}, copyTo: [], fields: new Map() };

function empty(totalFields = 100_000): IndexMapping {
  const properties = { o: { properties: { p: { type: 'object' } } }, k: { type: 'keyword' } };
  return parseMapping({ properties }, buildAnalysis({}), {
    limits: { ...DEFAULT_MAPPING_LIMITS, totalFields, depth: 20 },
  }) as IndexMapping;
}

function mapped(mapping: IndexMapping, document: object): IndexMapping {
  const bytes = Buffer.from(JSON.stringify(document));
  return mapDocument(mapping, bytes, 0, bytes.length, nothing, { id: '1' }) as IndexMapping;
}

test('ten thousand fields are ten thousand additions to one copy', () => {
  const start = empty();
  const own = new Set<object>();
  let mapping = start;
  for (let i = 0; i < MANY; i++) mapping = mapping.add(i % 2 === 0 ? '' : 'o.p', `f${i}`, LONG, own);
  assert.equal(own.size, 4, 'the mapping, its root, o and o.p');
  assert.equal(mapping.size, start.size + MANY);
  assert.equal([...mapping.fields()].length, MANY + 1);
  assert.equal(mapping.field('o.p.f1')?.kind, 'long');
  assert.equal(start.size, 3);
  assert.equal(start.field('f0'), undefined);
  assert.equal([...start.fields()].length, 1);
});

test('documents with ten thousand fields, flat, below objects and by dotted names', () => {
  const entries = <T>(length: number, of: (i: number) => [string, T]) =>
    Object.fromEntries(Array.from({ length }, (_, i) => of(i)));
  const flat = mapped(
    empty(),
    entries(MANY, (i) => [`f${i}`, i]),
  );
  assert.equal(flat.size, 3 + MANY);
  const objects = mapped(flat, { o: entries(SOME, (i) => [`f${i}`, { a: 1 }]) });
  assert.equal(objects.size, flat.size + 2 * SOME);
  const dotted = mapped(
    objects,
    entries(SOME, (i) => [`o.p.f${i}.x`, 'text']),
  );
  assert.equal(dotted.size, objects.size + 3 * SOME);
  assert.equal(flat.node('o.f7'), undefined);
  assert.equal(dotted.field('o.p.f77.x.keyword')?.kind, 'keyword');
  const again = parseMapping(dotted.toJson(), buildAnalysis({}), {
    limits: { ...DEFAULT_MAPPING_LIMITS, totalFields: 100_000, depth: 20 },
  });
  assert.equal((again as IndexMapping).size, dotted.size);
});

test('a document that fails leaves the mapping as it was, wherever it fails', () => {
  const start = mapped(empty(40), { a: 1, o: { b: 1 } });
  const before = JSON.stringify(start.toJson());
  const fails = [
    { n1: 1, o: { n2: 1, p: { n3: 1 } }, k: { not: 'a keyword' } },
    { o: { c: 1 }, n: 1, a: 'no long' },
    Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`n${i}`, 1])),
  ];
  for (const document of fails) {
    assert.throws(() => mapped(start, document), EngineError);
    assert.equal(JSON.stringify(start.toJson()), before);
    assert.equal(start.size, 5);
  }
  const next = mapped(start, { o: { p: { q: 1 } } });
  assert.equal(next.field('o.p.q')?.kind, 'long');
  assert.equal(start.field('o.p.q'), undefined);
});
