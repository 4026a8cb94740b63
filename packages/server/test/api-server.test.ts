// The resources of the server itself: health, metrics, limits, the meaning of problems.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROBLEMS } from '../src/errors/problem.ts';
import { LIMITS } from '../src/limits.ts';
import { server } from './ask.ts';
import { fakeRecords } from './fake-records.ts';

test('alive, ready, and not ready when a store has failed or the server ends', async () => {
  const { ask } = await server();
  assert.deepEqual((await ask('GET /api/health')).body, { status: 'live' });
  assert.deepEqual((await ask('GET /api/health/ready')).body, {
    status: 'ready',
    engine: 'ready',
    records: 'absent',
  });
  assert.equal((await ask('GET /api/newsfeed')).status, 404);
  const broken = fakeRecords();
  broken.lastEvent = () => {
    throw new Error('closed');
  };
  const sick = await server({ records: broken });
  const reply = await sick.ask('GET /api/health/ready');
  assert.deepEqual([reply.status, reply.body.code, reply.headers['retry-after']], [503, 'unavailable', '5']);
  assert.equal((await sick.ask('GET /api/health')).status, 200);
});

test('figures count requests by route, never by id', async () => {
  const { ask } = await server({ records: fakeRecords() });
  await ask('GET /api/problems/not-found');
  await ask('GET /api/problems/internal');
  await ask('GET /api/nothing-like-it-1');
  await ask('PUT /secret-index/_doc/secret-id', {});
  await ask('GET /secret-index/_search');
  const { text, headers } = await ask('GET /api/metrics');
  assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/);
  const count = (labels: string): string | undefined =>
    text
      .split('\n')
      .find((line) => line.startsWith(`octavo_http_requests_total{${labels}}`))
      ?.split(' ')
      .at(-1);
  assert.equal(count('surface="api",route="/api/problems/:code",method="GET",status="200"'), '2');
  assert.equal(count('surface="api",route="none",method="GET",status="404"'), '1');
  assert.equal(count('surface="wire",route="/{index}/_search",method="GET",status="200"'), '1');
  assert.doesNotMatch(text, /secret|nothing-like/);
  for (const name of [
    'octavo_documents',
    'octavo_records_waiting',
    'nodejs_eventloop_lag_seconds',
    'process_cpu_seconds_total',
  ]) {
    assert.match(text, new RegExp(`^${name}[ {]`, 'm'), name);
  }
});

test('metrics are where Prometheus looks, on either carrier; JSON asks for the index of that name', async () => {
  const { ask, app } = await server({ records: fakeRecords() });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  for (const headers of [
    {},
    { te: 'trailers' },
    { accept: 'application/openmetrics-text,text/plain;q=0.5' },
  ]) {
    const reply = await fetch(`${url}/metrics`, { headers });
    assert.match(await reply.text(), /^octavo_documents /m, JSON.stringify(headers));
  }
  await ask('PUT /metrics');
  const index = await fetch(`${url}/metrics`, { headers: { accept: 'application/json' } });
  assert.deepEqual(Object.keys((await index.json()) as object), ['metrics']);
  assert.equal((await ask('HEAD /metrics')).status, 200);
});

test('limits are those of this server', async () => {
  const { ask } = await server({ limits: { pageSize: 77 } });
  const { body } = await ask('GET /api/limits');
  assert.deepEqual(
    body.items.map((each: { name: string }) => each.name),
    Object.keys(LIMITS),
  );
  const pageSize = body.items.find((each: { name: string }) => each.name === 'pageSize');
  assert.deepEqual([pageSize.value, pageSize.default], [77, LIMITS.pageSize.value]);
});

test('the type of every problem leads to its meaning', async () => {
  const { ask } = await server();
  const { body } = await ask('GET /api/problems');
  assert.equal(body.items.length, Object.keys(PROBLEMS).length);
  for (const { type, code, status, title, remedy } of body.items) {
    assert.match(remedy, /\w.*[.]$/, code);
    assert.deepEqual((await ask(`GET ${type}`)).body, { type, code, status, title, remedy });
  }
  assert.equal((await ask('GET /api/problems/toString')).status, 404);
});

test('a server without records answers the search wire and ends', async () => {
  const { ask, app } = await server();
  assert.equal((await ask('GET /')).status, 200);
  await app.close();
});
