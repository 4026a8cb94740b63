// Requests that were once answered otherwise than by OpenSearch 3.1, with its answers to the same documents
// (fixtures/peer-answers/once-wrong.ndjson; without times, versions and shards). Where ours differ on purpose, a
// request is not among them but in docs/reference/wire.md.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';
import { peerAnswers, plainAnswer } from './peer-answers.ts';

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
  for (const { request, body, status, answer } of peerAnswers('once-wrong')) {
    const reply = await ask(request, body);
    const told = `${request} ${JSON.stringify(body)}`;
    assert.equal(reply.status, status, told);
    assert.deepEqual(plainAnswer(reply.body), answer, told);
  }
});
