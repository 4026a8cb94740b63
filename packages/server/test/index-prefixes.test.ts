// Prefixes of a field that keeps the beginnings of its words (`index_prefixes`) find places, too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';

const { ask } = await server();

test('spans and intervals look for the words that have a kept beginning', async () => {
  await ask('PUT /a', {
    mappings: { properties: { text: { type: 'text', index_prefixes: { min_chars: 2, max_chars: 5 } } } },
  });
  await ask('PUT /a/_doc/1?refresh=true', { text: 'some short words with a long tail' });
  await ask('PUT /a/_doc/2?refresh=true', { text: 'words that are short' });
  const found = async (query: object): Promise<string[]> => {
    const { body } = await ask('POST /a/_search', { query });
    return body.hits.hits.map(({ _id }: { _id: string }) => _id);
  };
  const prefix = { span_multi: { match: { prefix: { text: 'word' } } } };
  const near = { clauses: [{ span_term: { text: 'short' } }, prefix], slop: 0, in_order: true };
  assert.deepEqual(await found({ span_near: near }), ['1']);
  const rules = [{ match: { query: 'short' } }, { prefix: { prefix: 'word' } }];
  const intervals = { text: { all_of: { intervals: rules, ordered: true, max_gaps: 0 } } };
  assert.deepEqual(await found({ intervals }), ['1']);
});

test('phrases with a kept beginning at their end score it as one term', async () => {
  await ask('PUT /b', {
    mappings: { properties: { text: { type: 'text', index_prefixes: { min_chars: 2, max_chars: 5 } } } },
  });
  const texts = ['jumps fox', 'jumps foxes', 'a fox jumps', 'foxes', 'jumps then fox', 'other'];
  for (const [i, text] of texts.entries()) await ask(`PUT /b/_doc/${i}?refresh=true`, { text });
  const scores = async (query: string): Promise<[string, number][]> => {
    const { body } = await ask('POST /b/_search', { query: { match_phrase_prefix: { text: query } } });
    return body.hits.hits.map((hit: { _id: string; _score: number }) => [hit._id, hit._score]);
  };
  const phrase = await scores('jumps fox');
  assert.deepEqual(
    phrase.map(([id]) => id),
    ['0', '1'],
  );
  // 'fox' begins a word of five of six documents, 'jumps' is one of four: ln(1 + 2.5 / 4.5) + ln(1 + 1.5 / 5.5).
  const idfs = Math.log(1 + 2.5 / 4.5) + Math.log(1 + 1.5 / 5.5);
  const average = (2 + 2 + 3 + 1 + 3 + 1) / 6;
  const expected = idfs / (1 + 1.2 * (0.25 + (0.75 * 2) / average));
  for (const [, score] of phrase) assert.ok(Math.abs(score - expected) < 1e-5, `${score} ${expected}`);
});
