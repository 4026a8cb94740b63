// A tail ends up the same, byte for byte, whether documents are mapped into it or a recording of them is
// played.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sealedBytes } from '../../../test/sealed.ts';
import { buildAnalysis } from '../../analysis/registry.ts';
import { mapDocument } from '../../mapping/document/map-document.ts';
import type { DocSink, FieldSpec } from '../../mapping/field-spec.ts';
import { fieldSpecsByName, parseMapping } from '../../mapping/index-mapping.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import { createMemory } from '../../memory/arenas.ts';
import { Tail } from '../tail.ts';
import { Recorder } from './recorder.ts';
import { RecordingReader } from './recording.ts';

const memory = createMemory();
const properties = {
  text: { type: 'text', fields: { raw: { type: 'keyword', ignore_above: 20 } } },
  stemmed: { type: 'text', analyzer: 'english', copy_to: 'text' },
  tags: { type: 'keyword' },
  n: { type: 'long', ignore_malformed: true },
  when: { type: 'date' },
  flag: { type: 'boolean' },
  from: { type: 'ip' },
  place: { type: 'geo_point' },
  flat: { type: 'flat_object' },
  done: { type: 'completion' },
  none: { type: 'keyword', index: false, doc_values: false },
};
/** Two readings of one mapping; slots of the second are others. */
const here = parseMapping({ dynamic: 'strict', properties }, buildAnalysis({}));
const there = parseMapping(
  { dynamic: 'strict', properties: Object.fromEntries(Object.entries(properties).reverse()) },
  buildAnalysis({}),
);
const names = new Map(
  Array.from(fieldSpecsByName(there), ([name, spec]): [FieldSpec, string] => [spec, name]),
);

const word = fc.constantFrom(
  'a',
  'Zed',
  'running',
  'x_1',
  '3.14',
  'Größe',
  '中文',
  'w'.repeat(300),
  '…',
  "can't",
);
const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));
const few = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | T[]> =>
  fc.oneof(value, fc.array(value, { maxLength: 4 }));
const document = fc.record(
  {
    text: few(text),
    stemmed: few(text),
    tags: few(fc.constantFrom('one', 'two', '', 'drei')),
    n: few(fc.oneof(fc.integer(), fc.constant('no number'))),
    when: fc.constantFrom('2026-11-21', 1_700_000_000_000, 'yesterday'),
    flag: fc.boolean(),
    from: fc.constantFrom('10.0.0.1', '::1'),
    place: fc.constant({ lat: 1, lon: 2 }),
    flat: fc.constantFrom({ a: 'b' }, { a: { b: ['c', 'd'] } }, {}),
    done: fc.constantFrom('red', ['red', 'fast fox'], { input: ['red', 'red'], weight: 3 }),
    none: fc.constantFrom('x', null),
    unknown: fc.constant(1),
  },
  { requiredKeys: [] },
);

function record(recorder: Recorder, bytes: Uint8Array): void {
  let isWhole = false;
  recorder.begin(bytes, 0);
  try {
    isWhole = mapDocument(there, bytes, 0, bytes.length, recorder, { id: '' }) === there;
  } catch {
    // Played by nobody.
  }
  recorder.end(isWhole);
}

/** The sealed segment of what `write` makes of each document; those that it refuses are left out. */
function sealed(
  documents: readonly Uint8Array[],
  limit: number,
  write: (at: number, tail: Tail) => void,
): Buffer[] {
  const tails: Tail[] = [];
  for (const [i, bytes] of documents.entries()) {
    let tail = tails.at(-1);
    if (tail === undefined || tail.docCount >= limit) tails.push((tail = new Tail(memory)));
    const id = Buffer.from(String(i));
    const place = { chunk: 0, offset: 0, length: bytes.length };
    tail.begin({ id, seqNo: i, version: 1, type: '_doc', routing: undefined, commit: 1, ...place });
    try {
      write(i, tail);
      tail.end();
    } catch {
      tail.abort();
    }
  }
  return tails.map((tail) => {
    tail.closeBatch();
    const bytes = sealedBytes(tail);
    tail.release();
    return bytes;
  });
}

function map(mapping: Mapping, bytes: Uint8Array, sink: DocSink): void {
  mapDocument(mapping, bytes, 0, bytes.length, sink, { id: '' });
}

test('what is recorded and played is what is written, byte by byte', () => {
  const recorder = new Recorder(memory, names);
  const recordings = new RecordingReader(fieldSpecsByName(here));
  let played = 0;
  fc.assert(
    fc.property(
      fc.array(document, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 3, max: 40 }),
      (drafts, limit) => {
        const documents = drafts.map((draft) => Buffer.from(JSON.stringify(draft)));
        for (const bytes of documents) record(recorder, bytes);
        const recording = recordings.next(structuredClone(recorder.take()));
        const direct = sealed(documents, limit, (i, tail) => map(here, documents[i]!, tail));
        const again = sealed(documents, limit, (i, tail) => {
          if (!recording.has(i)) return map(here, documents[i]!, tail);
          played++;
          if (i % 2 === 0) return recording.play(i, documents[i]!, tail);
          for (const _ of recording.playInSteps(i, documents[i]!, tail));
          for (const _ of tail.sortInSteps());
        });
        assert.deepEqual(again, direct);
      },
    ),
    { numRuns: 200 },
  );
  assert.ok(played > 100);
  recorder.release();
});

test('a large document is played and sorted in steps, and the result is the same', () => {
  const recorder = new Recorder(memory, names);
  const tags = Array.from({ length: 40_000 }, (_, i) => `tag ${(i * 7_919) % 30_011}`);
  const n = Array.from({ length: 40_000 }, (_, i) => (i * 7_919) % 30_011);
  const bytes = Buffer.from(JSON.stringify({ tags, n }));
  record(recorder, bytes);
  const recording = new RecordingReader(fieldSpecsByName(here)).next(recorder.take());
  const steps = { play: 0, sort: 0 };
  const inSteps = sealed([bytes], 9, (i, tail) => {
    for (const _ of recording.playInSteps(i, bytes, tail)) steps.play++;
    for (const _ of tail.sortInSteps()) steps.sort++;
  });
  assert.deepEqual(
    inSteps,
    sealed([bytes], 9, (_, tail) => map(here, bytes, tail)),
  );
  assert.ok(steps.play > 40 && steps.sort > 8, `${steps.play} and ${steps.sort} steps`);
  recorder.release();
});

test('a recording under another mapping is refused', () => {
  const recorder = new Recorder(memory, names);
  record(recorder, Buffer.from('{"tags":"one"}'));
  const other = parseMapping({ properties: {} }, buildAnalysis({}));
  const recorded = recorder.take();
  assert.throws(() => new RecordingReader(fieldSpecsByName(other)).next(recorded), /tags/);
  recorder.release();
});

test('a recorder gives all of its memory back', () => {
  const own = createMemory();
  const recorder = new Recorder(own, names);
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 500; i++) {
      const words = Array.from({ length: 50 }, (_, w) => `w${round}-${i}-${w}`).join(' ');
      record(recorder, Buffer.from(JSON.stringify({ text: words, tags: `tag${i}` })));
    }
    assert.equal(recorder.take().ends.length, 500);
  }
  recorder.release();
  assert.equal(own.usage().used, 0);
});
