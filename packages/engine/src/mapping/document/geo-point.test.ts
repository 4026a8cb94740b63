// The points that a geo_point field accepts, and its errors for others: the answers of OpenSearch 3.1.0
// to the same values.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { buildAnalysis } from '../../analysis/registry.ts';
import { EngineError } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import type { DocSink } from '../field-spec.ts';
import { parseMapping } from '../index-mapping.ts';
import { geoPoints } from './geo-point.ts';
import { mapDocument } from './map-document.ts';

interface Answer {
  readonly value: JsonValue;
  /** The cause inside `failed to parse field`; null where the document was taken. */
  readonly cause: { readonly type: string; readonly reason: string } | null;
}

const file = new URL('../../../test/fixtures/mapping/geo-opensearch-3.1.ndjson', import.meta.url);

for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
  const { value, cause } = JSON.parse(line) as Answer;
  test(JSON.stringify(value), () => {
    let thrown: EngineError | undefined;
    try {
      geoPoints(value, 'p', false);
    } catch (error) {
      assert.ok(error instanceof EngineError, String(error));
      thrown = error;
    }
    assert.deepEqual(thrown === undefined ? null : { type: thrown.type, reason: thrown.message }, cause);
  });
}

test('with ignore_malformed places beyond the poles are points, and nonsense is none', () => {
  assert.deepEqual(geoPoints({ lat: 91, lon: 0 }, 'p', true), [{ lat: 89, lon: 180 }]);
  assert.throws(() => geoPoints({ lat: 'NaN', lon: 0 }, 'p', true), EngineError);
  assert.throws(() => geoPoints({ lat: 0, lon: 1, foo: 'x' }, 'p', true), EngineError);
});

test('a document that is kept from before is no reason to stop, and its point is still there', () => {
  const mapping = parseMapping({ properties: { p: { type: 'geo_point' } } }, buildAnalysis());
  const present: string[] = [];
  const sink: DocSink = {
    term() {},
    keyword() {},
    numeric() {},
    present: ({ path }) => void present.push(path),
  };
  const source = Buffer.from('{"p":{"lat":91,"lon":0}}');
  const map = (isAccepted: boolean): unknown =>
    mapDocument(mapping, source, 0, source.length, sink, { id: '1', isAccepted });
  assert.throws(() => map(false), EngineError);
  map(true);
  assert.deepEqual(present, ['p']);
});
