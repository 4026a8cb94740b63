// Mappings and documents answer as a recorded OpenSearch 3.1.0 did.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { buildAnalysis } from '../analysis/registry.ts';
import { EngineError } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import { stringifyJson } from '../json/print.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { runToEnd } from '../turn.ts';
import { mapDocument } from './document/map-document.ts';
import type { DocSink } from './field-spec.ts';
import { mergeMapping, parseMapping } from './index-mapping.ts';
import type { Mapping } from './types/type.ts';

// What a real OpenSearch 3.1.0 said; see test/fixtures/mapping/capture.ts.
const fixture = parseJson(
  readFileSync(new URL('../../test/fixtures/mapping/opensearch-3.1.json', import.meta.url)),
) as unknown as {
  settings: JsonObject;
  start: JsonObject;
  mappings: { json: string; error: string[]; mapping?: JsonValue }[];
  updates: { json: string; error: string[]; mapping: JsonValue }[];
  groups: { mapping: JsonObject; docs: { doc: string; error: string[] }[]; after: JsonValue }[];
};
const analysis = buildAnalysis(fixture.settings);
const nothing: DocSink = { term() {}, keyword() {}, numeric() {}, present() {} };

// Where we say it in other words, on purpose: the inputs, each with its reason.
const OTHERWISE = new Set([
  '{"f":1e39}', // we show the value as it was given
  '{"l":1} x', // the column of a bad token is where it begins
  '{"l":tru}',
  '{"l":"\\x"}', // bad JSON is bad JSON before any field sees it
  '{"properties":{"x":1}}', // the peer takes a number for a string here
  '{"properties":{"x":{"type":"date","format":"qqq{"}}}', // the first bad letter is named
  '{"properties":{"a.b":{"type":"long"},"a":{"type":"long"}}}',
]);

function chain(error: EngineError | undefined): string[] {
  return error === undefined ? [] : [error.type, error.message, ...chain(error.causedBy)];
}

function errorOf(run: () => void): string[] {
  try {
    run();
    return [];
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    assert.ok(error.status < 500, error.message);
    return chain(error);
  }
}

function canonical(value: JsonValue): string {
  const sort = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(sort);
    if (item === null || typeof item !== 'object') return item;
    return Object.fromEntries(
      Object.entries(item)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, below]) => [key, sort(below)]),
    );
  };
  return JSON.stringify(sort(JSON.parse(stringifyJson(value))));
}

test('mappings are read, refused and shown as OpenSearch does', () => {
  for (const { json, error, mapping } of fixture.mappings) {
    let made: Mapping | undefined;
    const got = errorOf(() => {
      made = parseMapping(parseJson(Buffer.from(json)) as JsonObject, analysis);
    });
    if (OTHERWISE.has(json)) assert.equal(got.length > 0, error.length > 0, json);
    else assert.deepEqual(got, error, json);
    if (made === undefined || mapping === undefined) continue;
    assert.equal(canonical(made.toJson()), canonical(mapping), json);
    assert.equal(
      canonical(parseMapping(made.toJson(), analysis).toJson()),
      canonical(mapping),
      `${json} read back`,
    );
  }
});

test('updates of a mapping are merged or refused as OpenSearch does', () => {
  let mapping = parseMapping(fixture.start, analysis);
  for (const { json, error, mapping: shown } of fixture.updates) {
    const before = new Map(Array.from(mapping.fields(), (field) => [field.path, field.spec.slot]));
    const got = errorOf(() => {
      mapping = runToEnd(mergeMapping(mapping, parseJson(Buffer.from(json)) as JsonObject));
    });
    assert.deepEqual(got, error, json);
    assert.equal(canonical(mapping.toJson()), canonical(shown), json);
    for (const [path, slot] of before)
      assert.equal(mapping.field(path)?.spec.slot, slot, `${path} keeps its slot`);
  }
});

test('documents are mapped, refused and add fields as OpenSearch does', () => {
  for (const group of fixture.groups) {
    let mapping = parseMapping(group.mapping, analysis);
    for (const { doc, error } of group.docs) {
      const bytes = Buffer.from(`  ${doc}  `);
      const context = { id: '1', index: 'octavo-mapping-fixtures' };
      const before = mapping.toJson();
      const got = errorOf(() => {
        mapping = mapDocument(mapping, bytes, 2, bytes.length - 2, nothing, context);
      });
      if (OTHERWISE.has(doc)) assert.equal(got.length > 0, error.length > 0, doc);
      else assert.deepEqual(got, error, doc);
      if (got.length > 0)
        assert.equal(canonical(mapping.toJson()), canonical(before), `${doc} leaves nothing behind`);
    }
    assert.equal(
      canonical(mapping.toJson()),
      canonical(group.after),
      JSON.stringify(group.docs.map(({ doc }) => doc)),
    );
  }
});
