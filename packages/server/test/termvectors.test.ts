// The terms of documents: those of OpenSearch 3.1 for the same documents, whose answers are written here.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());
const { ask } = await server({ records });
let as: Record<string, string> = {};
const embedded = onlyEmbedded('a cluster answers itself');

before(async () => {
  const made = await ask('POST /api/keys', { name: 'admin', scopes: ['*'] });
  as = { authorization: `Bearer ${made.body.token}` };
  const properties = {
    text: { type: 'text', term_vector: 'with_positions_offsets_payloads' },
    yes: { type: 'text', term_vector: 'yes' },
    plain: { type: 'text', fields: { k: { type: 'keyword' } } },
    k: { type: 'keyword' },
    n: { type: 'integer' },
    en: { type: 'text', analyzer: 'english' },
    o: { properties: { t: { type: 'text' } } },
  };
  await ask('PUT /tv', { mappings: { properties } }, as);
  const first = {
    text: 'the quick brown fox jumped over the quick fence',
    ...{ yes: 'a a b', plain: 'hello hello world', k: ['a', 'b'], n: 5 },
    ...{ en: ['running dogs', 'more runs'], o: [{ t: 'x y' }, { t: 'z' }] },
  };
  await ask('PUT /tv/_doc/1?refresh=true', first, as);
  await ask('PUT /tv/_doc/2?refresh=true', { text: 'brown fence', plain: 'hello', k: 'a', en: 'runs' }, as);
});

interface Vector {
  field_statistics?: object;
  terms: Record<string, { score?: number; doc_freq?: number; ttf?: number }>;
}

async function vectors(line: string, body?: object): Promise<Record<string, Vector>> {
  const answer = await ask(`POST ${line}`, body, as);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.term_vectors;
}

/** A term that occurs at one place. */
const once = (position: number, start_offset: number, end_offset: number): object => ({
  term_freq: 1,
  tokens: [{ position, start_offset, end_offset }],
});

test('without fields: those with term vectors, and what these keep', embedded, async () => {
  const all = await vectors('/tv/_termvectors/1');
  assert.deepEqual(Object.keys(all).sort(), ['text', 'yes']);
  assert.deepEqual(all['yes']!.terms, { a: { term_freq: 2 }, b: { term_freq: 1 } });
  assert.deepEqual(all['text']!.field_statistics, { sum_doc_freq: 9, doc_count: 2, sum_ttf: 11 });
  assert.deepEqual(all['text']!.terms['fox'], once(3, 16, 19));
});

test('named fields: positions and offsets run through the values of a list', embedded, async () => {
  const named = await vectors('/tv/_termvectors/1?fields=k,n,en,none,o.*,plain.k&field_statistics=false');
  assert.deepEqual(named, {
    k: { terms: { a: once(0, 0, 1), b: once(1, 2, 3) } },
    'plain.k': { terms: { 'hello hello world': once(0, 0, 17) } },
    en: {
      terms: {
        dog: once(1, 8, 12),
        more: once(102, 13, 17),
        run: {
          term_freq: 2,
          tokens: [
            { position: 0, start_offset: 0, end_offset: 7 },
            { position: 103, start_offset: 18, end_offset: 22 },
          ],
        },
      },
    },
    'o.t': { terms: { x: once(0, 0, 1), y: once(1, 2, 3), z: once(102, 4, 5) } },
  });
});

test('statistics of terms, in an artificial document too', embedded, async () => {
  const doc = { text: 'brown fox and newterm', plain: 'hello you', none: 'unmapped' };
  const body = { doc, term_statistics: true, positions: false, offsets: false };
  const made = await vectors('/tv/_termvectors', body);
  assert.deepEqual(Object.keys(made).sort(), ['plain', 'plain.k', 'text']);
  assert.deepEqual(made['text']!.terms, {
    and: { term_freq: 1 },
    brown: { doc_freq: 2, ttf: 2, term_freq: 1 },
    fox: { doc_freq: 1, ttf: 1, term_freq: 1 },
    newterm: { term_freq: 1 },
  });
  const keyword = { ...body, fields: ['text'], per_field_analyzer: { text: 'keyword' } };
  assert.deepEqual(Object.keys((await vectors('/tv/_termvectors', keyword))['text']!.terms), [doc.text]);
});

test('a filter keeps the most characteristic terms', embedded, async () => {
  const body = { fields: ['text'], positions: false, offsets: false, field_statistics: false };
  const three = await vectors('/tv/_termvectors/1', { ...body, filter: { max_num_terms: 3 } });
  assert.deepEqual(three, {
    text: {
      terms: {
        fox: { term_freq: 1, score: 1.4054651 },
        quick: { term_freq: 2, score: 2.8109303 },
        the: { term_freq: 2, score: 2.8109303 },
      },
    },
  });
  const long = await vectors('/tv/_termvectors/1', { ...body, filter: { min_word_length: 6 } });
  assert.deepEqual(Object.keys(long['text']!.terms), ['jumped']);
});

test('several documents: each with its own options, or its own failure', embedded, async () => {
  const docs = [
    { _index: 'tv', _id: '1', fields: ['k'] },
    { _index: 'tv', _id: '9' },
    { _index: 'none', _id: '1' },
  ];
  const { body } = await ask('POST /_mtermvectors', { docs }, as);
  assert.deepEqual(Object.keys(body.docs[0].term_vectors), ['k']);
  assert.deepEqual(
    { ...body.docs[1], took: 0 },
    { _index: 'tv', _id: '9', _version: 0, found: false, took: 0 },
  );
  assert.equal(body.docs[2].error.type, 'index_not_found_exception');
  const ids = await ask('POST /tv/_mtermvectors', { ids: ['1', '2'], parameters: { fields: ['k'] } }, as);
  assert.deepEqual(
    ids.body.docs.map((each: { term_vectors: { k: Vector } }) => Object.keys(each.term_vectors.k.terms)),
    [['a', 'b'], ['a']],
  );
});

const refused: readonly (readonly [string, object | undefined, RegExp])[] = [
  ['/tv/_termvectors/1', { foo: 1 }, /^failed to parse term vectors request. unknown field \[foo\]/],
  ['/tv/_termvectors/1', { filter: { foo: 1 } }, /the field \[foo\] is not valid for filter parameter/],
  ['/tv/_termvectors/1', { fields: 'text' }, /field \[fields\] must be an array/],
  ['/tv/_termvectors', { fields: ['text'] }, /Validation Failed: 1: id or doc is missing;/],
  [
    '/tv/_termvectors/1',
    { fields: ['k'], per_field_analyzer: { k: 'none' } },
    /analyzer \[none\] of the field/,
  ],
  ['/_mtermvectors', {}, /multi term vectors: no documents requested/],
  ['/_mtermvectors', { docs: [{ _id: '1' }] }, /index is missing;2: at multi term vectors for doc 0;/],
  ['/_mtermvectors', { foo: [] }, /no parameter named \[foo\] and type ARRAY/],
];
for (const [path, body, reason] of refused)
  test(`${path} with ${JSON.stringify(body)} is refused`, embedded, async () => {
    const answer = await ask(`POST ${path}`, body, as);
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.body.error.reason, reason);
  });

test('a key sees the terms of its documents only, and no figures of others', embedded, async () => {
  const key = async (rights: object): Promise<Record<string, string>> => {
    const made = await ask('POST /api/keys', { name: 'k', scopes: ['search:read'], ...rights }, as);
    return { authorization: `Bearer ${made.body.token}` };
  };
  const other = await key({ index_patterns: ['other'] });
  assert.equal((await ask('POST /tv/_termvectors/1', {}, other)).status, 403);
  const made = await ask('POST /tv/_termvectors', { doc: { text: 'brown' } }, other);
  assert.equal(made.status, 403);
  const filtered = await key({ document_filter: { term: { k: 'b' } } });
  const plain = { fields: ['k'], field_statistics: false };
  assert.equal((await ask('POST /tv/_termvectors/1', plain, filtered)).body.found, true);
  assert.equal((await ask('POST /tv/_termvectors/2', plain, filtered)).body.found, false);
  for (const more of [{ field_statistics: true }, { term_statistics: true }, { filter: {} }]) {
    const figures = await ask('POST /tv/_termvectors/1', { ...plain, ...more }, filtered);
    assert.equal(figures.status, 403, figures.text);
  }
});
