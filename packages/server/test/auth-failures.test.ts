// Invalid credentials are limited by address, on both surfaces. Callers with a valid key, or without any, are
// not affected.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openRecords } from '@octavo/records';
import { networkOf } from '../src/access/limits/auth-failures.ts';
import { type Answer, server } from './ask.ts';

const FAILURES = 5;
const records = await openRecords(':memory:');
after(() => records.close());
const { ask, app } = await server({ records, limits: { authFailures: FAILURES } });
const token = (await ask('POST /api/keys', { name: 'a', scopes: ['*'] })).body.token as string;
const wrong = { authorization: `Bearer octavo_x.${'y'.repeat(43)}` };

test('beyond the limit 429 with Retry-After, for wrong keys only', async () => {
  const tries: Answer[] = [];
  for (let i = 0; i < FAILURES; i++) {
    tries.push(await ask(i % 2 === 0 ? 'GET /api/keys' : 'GET /_search', undefined, wrong));
  }
  assert.deepEqual(new Set(tries.map(({ status }) => status)), new Set([401]));
  const api = await ask('GET /api/keys', undefined, wrong);
  assert.deepEqual([api.status, api.body.code], [429, 'rate-limited']);
  assert.ok(Number(api.headers['retry-after']) >= 1 && Number(api.headers['retry-after']) <= 60);
  const wire = await ask('GET /_search', undefined, wrong);
  assert.deepEqual([wire.status, wire.body.error.type], [429, 'rejected_execution_exception']);
  assert.ok(Number(wire.headers['retry-after']) >= 1);
  const valid = await ask('GET /api/keys', undefined, { authorization: `Bearer ${token}` });
  assert.equal(valid.status, 200);
  assert.equal((await ask('GET /api/keys')).status, 401, 'no key is no try');
  assert.equal((await ask('GET /api/health')).status, 200);
  const elsewhere = await app.inject({
    method: 'GET',
    url: '/api/keys',
    remoteAddress: '203.0.113.7',
    headers: { host: 'localhost', ...wrong },
  });
  assert.equal(elsewhere.statusCode, 401);
});

test('one customer is one address', () => {
  assert.equal(networkOf('2001:db8:1:2::3'), networkOf('2001:db8:1:2:ffff::1'));
  assert.notEqual(networkOf('2001:db8:1:2::3'), networkOf('2001:db8:1:3::3'));
  assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7');
  assert.equal(networkOf('203.0.113.7'), '203.0.113.7');
});
