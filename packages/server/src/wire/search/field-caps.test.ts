// Field capabilities are the same whichever way the fields are named.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from '../../../test/ask.ts';
import { Wildcards } from '../../patterns/wildcard.ts';
import { fieldCapsSteps } from './field-caps.ts';

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

test('the event loop may turn after each field, and too many patterns for the fields are refused', async () => {
  const properties = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`f${i}`, { type: 'long' }]));
  await engine.indices.create('wide', { mappings: { properties } });
  const infos = [engine.indices.info('wide')!];
  let steps = 0;
  const work = fieldCapsSteps(infos, new Wildcards(['f*', 'f7']), true);
  while (work.next().done !== true) steps++;
  assert.ok(steps >= 2 * 900, `${steps} steps`);
  const fields = Array.from({ length: 12_000 }, (_, i) => `*f*${i}x`);
  const { status, body } = await ask('POST /wide/_field_caps', { fields });
  assert.equal(status, 400);
  assert.match(body.error.reason, /\[fields\] has \[12000\] patterns/);
  assert.equal((await ask('POST /wide/_field_caps', { fields: fields.map((_, i) => `f${i}`) })).status, 200);
});
