// Requests that were once answered otherwise than by OpenSearch 3.1, with its answers to the same documents
// (fixtures/peer-answers/once-wrong.ndjson; without times, versions and shards). Where ours differ on purpose, a
// request is not among them but in docs/reference/wire.md.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { server } from './ask.ts';

interface Case {
  readonly request: string;
  readonly body?: object | string;
  readonly status: number;
  readonly answer: unknown;
}

const SETTINGS = {
  number_of_shards: 1,
  number_of_replicas: 0,
  analysis: {
    normalizer: { low: { type: 'custom', filter: ['lowercase'] } },
    analyzer: { fr: { type: 'french' }, pt: { type: 'portuguese' }, eg: { tokenizer: 'eg' } },
    tokenizer: { eg: { type: 'edge_ngram' } },
  },
};
const MAPPINGS = {
  properties: {
    n: { type: 'long' },
    t: { type: 'text' },
    u: { type: 'text' },
    s: { type: 'text', analyzer: 'stop' },
    k: { type: 'keyword' },
    low: { type: 'keyword', normalizer: 'low' },
    sf: { type: 'scaled_float', scaling_factor: 10 },
    nv: { type: 'keyword', null_value: 'NULL' },
    fr: { type: 'text', analyzer: 'fr' },
  },
};
const DOCS: readonly object[] = [
  {
    n: 1,
    t: 'the red fox fox',
    u: 'red red fox',
    s: 'the',
    k: 'a',
    low: '',
    sf: 1.23,
    nv: null,
    fr: 'verte',
  },
  { n: 2, t: '...', u: 'a the red', s: 'the fox', k: 'b', low: 'A', sf: 2 },
  { n: 3, t: '', u: '', s: '', k: '' },
  { n: 4, u: 'is ru*', t: 'fox foxes the f ru*', k: ['', 'x'], low: ['', 'x'] },
  { n: 5, t: 'running ruby rust is', u: 'fox foo' },
  { n: 6, t: 'is a fox' },
];
const HIDDEN = new Set([
  ...[
    'took',
    'index_uuid',
    '_seq_no',
    '_primary_term',
    '_version',
    '_shards',
    'failed_shards',
    'line',
    'col',
  ],
]);

/** A reply without what differs from run to run; members sorted. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !HIDDEN.has(key));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, v]) => [key, plain(v)]));
}

test('what was once wrong is answered as by the peer', async () => {
  const { ask } = await server();
  for (const index of ['d1', 'd2']) {
    await ask(`PUT /${index}`, { settings: SETTINGS, mappings: MAPPINGS });
    const lines = DOCS.flatMap((doc, i) => [{ index: { _id: `${index}${i}` } }, doc]);
    await ask(
      `POST /${index}/_bulk?refresh=true`,
      `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
    );
  }
  const file = new URL('fixtures/peer-answers/once-wrong.ndjson', import.meta.url);
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { request, body, status, answer } = JSON.parse(line) as Case;
    const reply = await ask(request, body);
    const told = `${request} ${JSON.stringify(body)}`;
    assert.equal(reply.status, status, told);
    assert.deepEqual(plain(reply.body), answer, told);
  }
});
