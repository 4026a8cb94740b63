// Documents are mapped to terms, keys, new fields and errors as in OpenSearch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildAnalysis } from '../../analysis/registry.ts';
import { EngineError } from '../../errors.ts';
import { parseJson } from '../../json/parse.ts';
import type { JsonObject } from '../../json/value.ts';
import type { DocSink, FieldSpec } from '../field-spec.ts';
import { parseMapping } from '../index-mapping.ts';
import { doubleOf, longOf } from '../types/sortable-key.ts';
import type { Mapping } from '../types/type.ts';
import { mapDocument } from './map-document.ts';

const analysis = buildAnalysis();

/** Writes down what a sink is given. */
class Recorder implements DocSink {
  readonly lines: string[] = [];
  readonly slots = new Map<number, string>();

  #note(spec: FieldSpec, text: string): void {
    const known = this.slots.get(spec.slot);
    assert.ok(known === undefined || known === spec.path, `slot ${spec.slot} is ${known} and ${spec.path}`);
    this.slots.set(spec.slot, spec.path);
    this.lines.push(`${spec.path}${text}`);
  }

  term(spec: FieldSpec, bytes: Uint8Array, start: number, end: number, position: number): void {
    this.#note(spec, `: ${Buffer.from(bytes.subarray(start, end))} @${position}`);
  }

  keyword(spec: FieldSpec, bytes: Uint8Array, start: number, end: number): void {
    this.#note(spec, ` = ${Buffer.from(bytes.subarray(start, end))}`);
  }

  numeric(spec: FieldSpec, hi: number, lo: number): void {
    this.#note(spec, ` # ${longOf(hi, lo)} ${doubleOf(hi, lo)}`);
  }

  present(spec: FieldSpec): void {
    this.#note(spec, ' !');
  }
}

function mappingOf(json: string): Mapping {
  return parseMapping(parseJson(Buffer.from(json)) as JsonObject, analysis);
}

function run(mapping: Mapping, doc: string, sink = new Recorder()): { mapping: Mapping; lines: string[] } {
  const bytes = Buffer.from(doc);
  return { mapping: mapDocument(mapping, bytes, 0, bytes.length, sink, { id: 'x' }), lines: sink.lines };
}

test('a document becomes terms, keywords and keys', () => {
  const mapping = mappingOf(`{"properties":{
    "t":{"type":"text","copy_to":"all"},"all":{"type":"text"},"k":{"type":"keyword","ignore_above":3,"null_value":"NUL"},
    "n":{"type":"long","null_value":-1},"d":{"type":"double"},"u":{"type":"unsigned_long"},"b":{"type":"boolean"},
    "when":{"type":"date"},"nano":{"type":"date_nanos"},"bad":{"type":"integer","ignore_malformed":true},
    "off":{"type":"object","enabled":false},"s":{"type":"scaled_float","scaling_factor":10},
    "low":{"type":"keyword","normalizer":"lowercase"},"hidden":{"type":"text","index":false}}}`);
  const { lines } = run(
    mapping,
    `{"t":["One two","\\u0054hree!"],"k":[null,"abc","abcd","é"],"n":[null,9007199254740993,-9223372036854775808,"12"],
      "d":-0.5,"u":18446744073709551615,"b":["true",false],"when":"2020-01-01","nano":"2020-01-01T00:00:00.000000001Z",
      "bad":["x",3],"off":{"a":[1,{"b":"c"}]},"s":1.25,"low":"ÀB","hidden":"x","t2":[],"o":{"x":null}}`,
  );
  assert.deepEqual(
    lines.map((line) =>
      line.replace(/ (?:-?[\d.e+-]+|NaN)$/, (text) =>
        line.includes('#') && !line.startsWith('d ') ? '' : text,
      ),
    ),
    [
      't: one @0',
      't: two @1',
      'all: one @0',
      'all: two @1',
      't: three @102',
      'all: three @102',
      'k = NUL',
      'k = abc',
      'k = é',
      'n # -1',
      'n # 9007199254740993',
      'n # -9223372036854775808',
      'n # 12',
      'd # -4602678819172646913 -0.5',
      'u # 9223372036854775807',
      'b # 1',
      'b # 0',
      'when # 1577836800000',
      'nano # 1577836800000000001',
      'bad # 3',
      's # 13',
      'low = àb',
      'hidden !',
      '_ignored = k',
      '_ignored = bad',
    ].map((line) => line),
  );
});

test('fields that one document adds are the same from wherever it names them', () => {
  const doc = '{"t":"x","o":{"a":1},"o.b":2,"all":"y","o.c":{"d":true},"p":[{"q":1},{"r":"s"},{"q":2}]}';
  const { mapping, lines } = run(
    mappingOf('{"properties":{"t":{"type":"text","copy_to":["all","o.copy"]}}}'),
    doc,
  );
  const paths = Array.from(mapping.fields(), (field) => field.path);
  assert.equal(new Set(Array.from(mapping.fields(), (field) => field.spec.slot)).size, paths.length);
  assert.deepEqual(paths.sort(), [
    'all',
    'all.keyword',
    'o.a',
    'o.b',
    'o.c.d',
    'o.copy',
    'o.copy.keyword',
    'p.q',
    'p.r',
    'p.r.keyword',
    't',
  ]);
  assert.ok(
    lines.includes('all: x @0') &&
      lines.includes('all: y @101') &&
      lines.some((line) => line.startsWith('p.q # 2')),
  );
});

test('a failed document leaves no field behind, and its slots stay unused', () => {
  const sink = new Recorder();
  let mapping = mappingOf('{"properties":{"n":{"type":"long"}}}');
  assert.throws(() => run(mapping, '{"a":"x","b":1,"n":"x"}', sink), EngineError);
  assert.equal(mapping.field('a'), undefined);
  mapping = run(mapping, '{"c":1,"d":"y"}', sink).mapping;
  assert.deepEqual(
    Array.from(mapping.fields(), (field) => field.path),
    ['n', 'c', 'd', 'd.keyword'],
  );
});

test('flat objects keep values, alone and with their paths; queries below them find their terms', () => {
  const { mapping, lines } = run(
    mappingOf('{"properties":{"f":{"type":"flat_object"}}}'),
    '{"f":{"a":{"b":["x",1]},"c":null}}',
  );
  assert.deepEqual(lines, ['f = x', 'f._valueAndPath = f.a.b=x', 'f = 1', 'f._valueAndPath = f.a.b=1']);
  const below = mapping.field('f.a.b')!;
  assert.equal(below.path, 'f._valueAndPath');
  assert.equal(Buffer.from(below.bytes!.encode('x')).toString(), 'f.a.b=x');
  assert.deepEqual(run(mapping, '{"f.a.b":"y"}').lines, ['f = y', 'f._valueAndPath = f.a.b=y']);
});

test('templates of objects bring their properties and settings; what else they say is passed over', () => {
  const { mapping } = run(
    mappingOf(
      `{"dynamic_templates":[{"o":{"match":"o*","match_mapping_type":"object","mapping":{"store":true,"zz":3,
        "dynamic":"strict","properties":{"a":{"type":"keyword"}}}}}]}`,
    ),
    '{"ox":{"a":"1"}}',
  );
  assert.equal(mapping.field('ox.a')!.kind, 'keyword');
  assert.throws(
    () => run(mapping, '{"ox":{"b":"1"}}'),
    /mapping set to strict, dynamic introduction of \[b\] within \[ox\]/,
  );
});

test('limits: fields, depth, immense terms, and any bytes at all', () => {
  const many = Array.from({ length: 1001 }, (_, i) => `"k${i}":1`).join(',');
  assert.throws(() => run(mappingOf('{}'), `{${many}}`), /Limit of total fields \[1000\] has been exceeded/);
  assert.doesNotThrow(() => run(mappingOf('{"dynamic":false}'), `{${many}}`));
  const deep = (n: number): string => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`;
  assert.throws(() => run(mappingOf('{}'), deep(21)), /failed to parse/);
  assert.doesNotThrow(() => run(mappingOf('{"dynamic":false}'), deep(100)));
  const within = (nesting: number, isAccepted: boolean): unknown => {
    const source = Buffer.from(deep(100));
    const context = { id: 'x', isAccepted, ...(isAccepted ? {} : { nesting }) };
    return mapDocument(mappingOf('{"dynamic":false}'), source, 0, source.length, new Recorder(), context);
  };
  assert.throws(() => within(99, false), /failed to parse/);
  assert.doesNotThrow(() => within(100, false));
  assert.doesNotThrow(() => within(99, true), 'what was taken before comes back');
  assert.throws(() => run(mappingOf('{"dynamic":false}'), deep(1_001)), /failed to parse/);
  assert.throws(
    () => run(mappingOf('{"properties":{"k":{"type":"keyword"}}}'), `{"k":"${'x'.repeat(40_000)}"}`),
    /immense term/,
  );
  fc.assert(
    fc.property(
      fc.oneof(fc.json(), fc.string()),
      fc.nat(60),
      fc.uint8Array({ maxLength: 3 }),
      (json, at, bytes) => {
        const doc = Buffer.from(json);
        const cut = Math.min(at, doc.length);
        for (const source of [doc, Buffer.concat([doc.subarray(0, cut), bytes, doc.subarray(cut)])]) {
          try {
            mapDocument(mappingOf('{}'), source, 0, source.length, new Recorder(), { id: 'x' });
          } catch (error) {
            if (!(error instanceof EngineError)) throw error;
            assert.ok(error.status < 500);
          }
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('values of one document that disagree on the kind of a new field are refused', () => {
  for (const doc of ['{"x":["text",5]}', '{"x":[5,"text"]}', '{"x":[5,2.5]}', '{"a":1,"x":[5,2.5]}']) {
    assert.throws(() => run(mappingOf('{}'), doc), /^EngineError: mapper \[x\] cannot be changed from type/);
  }
});

test('a similarity that is not known is refused by name', () => {
  const of = (name: string): string => `{"properties":{"t":{"type":"text","similarity":"${name}"}}}`;
  mappingOf(of('BM25'));
  mappingOf(of('boolean'));
  assert.throws(() => mappingOf(of('classic')), /The \[classic\] similarity may not be used anymore/);
  assert.throws(() => mappingOf(of('mine')), /Unknown Similarity type \[mine\] for field \[t\]/);
});

test('no memory for a document is not a fault of the document: it is told as it is, and no field is left out for it', () => {
  class Full extends Recorder {
    override term(): void {
      throw new EngineError('circuit_breaking_exception', '[parent] Data too large');
    }

    override numeric(): void {
      this.term();
    }
  }
  const properties = '"t":{"type":"text"},"n":{"type":"integer","ignore_malformed":true}';
  const mapping = mappingOf(`{"properties":{${properties}}}`);
  for (const doc of ['{"t":"a"}', '{"n":1}', '{"new":"a"}'])
    assert.throws(() => run(mapping, doc, new Full()), { type: 'circuit_breaking_exception', status: 429 });
});
