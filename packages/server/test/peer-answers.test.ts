// The answers of OpenSearch 3.1 to the same requests over the same documents (fixtures/peer-answers). Where ours
// differ on purpose, a request is not among them but in docs/reference/wire.md.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';
import { peerAnswers, plainAnswer } from './peer-answers.ts';

const SUBJECTS = [
  ...[
    'analysis-parts',
    'differences',
    'explain',
    'index-parts',
    'left-out',
    'nested',
    'once-different',
    'rank-feature',
    'ranges-and-likeness',
    'scripts',
    'search-as-you-type',
    'shown-ranges',
    'similarity',
    'suggest',
    'synonyms',
  ],
];
for (const name of SUBJECTS) {
  test(`${name}: answers are those of the peer`, async () => {
    const { ask } = await server();
    for (const { request, body, isSetup, status, answer } of peerAnswers(name)) {
      const reply = await ask(request, body);
      const told = `${request} ${JSON.stringify(body)}`;
      if (isSetup) assert.ok(reply.status < 300, told);
      else {
        assert.deepEqual(plainAnswer(reply.body), plainAnswer(answer), told);
        assert.equal(reply.status, status, told);
      }
    }
  });
}

test('_index_prefix of search_as_you_type has all beginnings of up to three words', async () => {
  const { ask } = await server();
  await ask('PUT /y', { mappings: { properties: { t: { type: 'search_as_you_type' } } } });
  await ask('POST /y/_doc/1', { t: 'quick brown fox jumps' });
  const found = async (prefix: string): Promise<number> =>
    (await ask('POST /y/_count', { query: { term: { 't._index_prefix': prefix } } })).body['count'] as number;
  for (const prefix of ['q', 'quick bro', 'brown fox ju', 'fox jumps', 'jum'])
    assert.equal(await found(prefix), 1);
  for (const prefix of ['uick', 'quick fox', 'quick brown fox j', 'jumps q'])
    assert.equal(await found(prefix), 0);
});
