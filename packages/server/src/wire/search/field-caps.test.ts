// Field capabilities are the same whichever way the fields are named.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from '../../../test/ask.ts';

const { ask, engine } = await server();

test('fields: by parameter, as a list and as one name in the body', async () => {
  await engine.indices.create('caps', { mappings: { properties: { n: { type: 'long' } } } });
  for (const [path, body] of [
    ['?fields=n', undefined],
    ['', { fields: ['n'] }],
    ['', { fields: 'n' }],
  ] as const) {
    const reply = await ask(`POST /caps/_field_caps${path}`, body);
    assert.equal(reply.body.fields.n.long.searchable, true, reply.text);
  }
  assert.equal((await ask('POST /caps/_field_caps', { fields: [] })).status, 400);
});
