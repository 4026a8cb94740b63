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
