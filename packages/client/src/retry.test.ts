import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeReply, fakeFetch, type SentRequest } from '../test/fake-fetch.ts';
import { OctavoClient } from './client.ts';
import { OctavoError, retryAfter } from './errors.ts';
import { newIdempotencyKey, RETRY_DEFAULTS, waitBeforeRetry } from './retry.ts';

const url = 'http://octavo.example/base/';
const busy: FakeReply = { status: 503, body: { code: 'store-busy', detail: 'Later.' } };
const down = new TypeError('fetch failed');
const transfer = { from: 'a', to: 'b', money: '1.00' };

function client(...answers: FakeReply[]): { client: OctavoClient; requests: SentRequest[] } {
  const { fetch, requests } = fakeFetch(...answers);
  return { client: new OctavoClient({ url, fetch, retries: { baseMs: 1 } }), requests };
}

const failure = (status: number, code: string, retryAfterMs?: number): OctavoError =>
  new OctavoError({ surface: 'api', status, code, detail: '', request: 'GET x', retryAfterMs });

test('waits are random below a doubling bound, added to the wait that the server asks for', () => {
  const policy = { ...RETRY_DEFAULTS, retries: 9, random: () => 0.5 };
  const waits = [0, 1, 2, 8].map((attempt) => waitBeforeRetry(failure(503, 'x'), attempt, policy));
  assert.deepEqual(waits, [100, 200, 400, 5_000]);
  assert.equal(waitBeforeRetry(failure(429, 'x', 2_000), 0, policy), 2_100);
  assert.equal(waitBeforeRetry(failure(429, 'x', 60_001), 0, policy), undefined);
  assert.equal(waitBeforeRetry(failure(503, 'x'), 9, policy), undefined);
});

test('only temporary errors are retried', () => {
  const again = (error: unknown): boolean => waitBeforeRetry(error, 0, RETRY_DEFAULTS) !== undefined;
  for (const status of [429, 502, 503, 504]) assert.ok(again(failure(status, 'x')), String(status));
  for (const status of [400, 401, 403, 404, 409, 410, 422, 500])
    assert.ok(!again(failure(status, 'x')), String(status));
  assert.ok(again(failure(409, 'idempotency-key-in-use')));
  assert.ok(again(failure(0, 'network')));
  assert.ok(!again(failure(200, 'bad-answer')));
  assert.ok(!again(new TypeError('a mistake')));
});

test('Retry-After is seconds or a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  assert.equal(retryAfter('7', now), 7_000);
  assert.equal(retryAfter('Thu, 01 Jan 2026 00:00:09 GMT', now), 9_000);
  assert.equal(retryAfter('Thu, 01 Jan 2025 00:00:00 GMT', now), 0);
  assert.equal(retryAfter('soon', now), undefined);
  assert.equal(retryAfter(null, now), undefined);
});

test('a transfer is retried with the same key and body', async () => {
  const { client: octavo, requests } = client(down, busy, { status: 201, body: { id: 't' } });
  assert.equal((await octavo.transactions.create(transfer)).id, 't');
  assert.equal(requests.length, 3);
  assert.equal(
    new Set(requests.map(({ headers, body }) => headers['idempotency-key'] + (body ?? ''))).size,
    1,
  );
  assert.match(requests[0]?.headers['idempotency-key'] ?? '', /^[0-9a-f]{32}$/);
  assert.equal(requests[0]?.url, 'http://octavo.example/base/api/transaction');
});

test('each call has its own key, unless the caller gives one', async () => {
  assert.notEqual(newIdempotencyKey(), newIdempotencyKey());
  const { client: octavo, requests } = client({ body: {} }, { body: {} });
  await octavo.transactions.create(transfer, { idempotencyKey: 'mine' });
  await octavo.transactions.create(transfer);
  assert.equal(requests[0]?.headers['idempotency-key'], 'mine');
  assert.notEqual(requests[1]?.headers['idempotency-key'], 'mine');
});

test('reads carry no key', async () => {
  const { client: octavo, requests } = client(busy, { body: { id: 'x' } });
  await octavo.feed.get('x');
  assert.deepEqual(
    requests.map(({ headers }) => headers['idempotency-key']),
    [undefined, undefined],
  );
});

test('after the last attempt the error is thrown, typed', async () => {
  const { client: octavo, requests } = client(busy, busy, busy, busy);
  await assert.rejects(octavo.feed.get('x'), (error) => {
    assert.ok(error instanceof OctavoError);
    assert.deepEqual(
      [error.surface, error.status, error.code, error.detail],
      ['api', 503, 'store-busy', 'Later.'],
    );
    return true;
  });
  assert.equal(requests.length, 4);
});

test('problems and search errors keep their details', async () => {
  const { client: octavo } = client(
    {
      status: 400,
      headers: { 'x-request-id': 'r1' },
      body: {
        type: '/api/problems/x',
        title: 'T',
        status: 400,
        code: 'money-invalid',
        detail: 'D',
        field: 'money',
      },
    },
    {
      status: 404,
      body: {
        error: {
          type: 'search_phase_execution_exception',
          reason: 'all shards failed',
          root_cause: [{ type: 'index_not_found_exception', reason: 'no such index [x]' }],
        },
        status: 404,
      },
    },
    { status: 418, body: '<html>a proxy</html>' },
    { status: 200, body: 'not JSON' },
  );
  const facts = async (call: Promise<unknown>): Promise<unknown[]> => {
    const error = await call.then(
      () => assert.fail(),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof OctavoError);
    return [error.surface, error.status, error.code, error.field, error.requestId];
  };
  assert.deepEqual(await facts(octavo.transactions.create(transfer)), [
    'api',
    400,
    'money-invalid',
    'money',
    'r1',
  ]);
  const searched = octavo.search('x').first();
  assert.deepEqual(await facts(searched), ['search', 404, 'index_not_found_exception', undefined, undefined]);
  assert.deepEqual(await facts(octavo.feed.get('x')), ['network', 418, 'bad-answer', undefined, undefined]);
  assert.deepEqual(await facts(octavo.feed.get('x')), ['network', 200, 'bad-answer', undefined, undefined]);
});

test('an abort ends a request and throws the reason', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const { client: octavo, requests } = client(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        controller.abort(reason);
      }),
  );
  await assert.rejects(octavo.feed.get('x', { signal: controller.signal }), (error) => error === reason);
  await assert.rejects(octavo.feed.get('x', { signal: controller.signal }), (error) => error === reason);
  assert.equal(requests.length, 1);
});

test('an abort ends a wait between attempts', async () => {
  const controller = new AbortController();
  const { fetch, requests } = fakeFetch(async () => {
    setTimeout(() => controller.abort(), 5);
    return new Response('{"code":"rate-limited"}', { status: 429, headers: { 'retry-after': '50' } });
  });
  const octavo = new OctavoClient({ url, fetch, signal: controller.signal });
  await assert.rejects(octavo.feed.get('x'), { name: 'AbortError' });
  assert.equal(requests.length, 1);
});

test('an attempt that exceeds its time limit is retried', async () => {
  const hang: FakeReply = ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const { fetch, requests } = fakeFetch(hang, { body: { id: 'x' } });
  const octavo = new OctavoClient({ url, fetch, timeoutMs: 200, retries: { baseMs: 1 } });
  assert.equal((await octavo.feed.get('x')).id, 'x');
  const alone = new OctavoClient({ url, fetch: fakeFetch(hang).fetch, timeoutMs: 5, retries: 0 });
  await assert.rejects(alone.feed.get('x'), { code: 'timeout', status: 0 });
  assert.equal(requests.length, 2);
});

test('the API key and further headers are sent with every request', async () => {
  const { fetch, requests } = fakeFetch({ body: {} });
  await new OctavoClient({ url, fetch, apiKey: 'abc', headers: { 'x-opaque-id': '7' } }).feed.get('a/b?c');
  assert.equal(requests[0]?.headers['authorization'], 'ApiKey abc');
  assert.equal(requests[0]?.headers['x-opaque-id'], '7');
  assert.equal(requests[0]?.url, 'http://octavo.example/base/api/newsfeed/a%2Fb%3Fc');
});

test('a call to another endpoint is retried only if it is safe or has a key', async () => {
  const { client: octavo, requests } = client(busy, busy, { body: { result: 'created' } });
  const call = { method: 'POST', path: '/books/_doc', body: {} } as const;
  await assert.rejects(octavo.call({ ...call, safe: false }), { status: 503 });
  assert.equal(requests.length, 1);
  assert.equal(requests[0]?.headers['idempotency-key'], undefined);
  assert.deepEqual(await octavo.call({ ...call, safe: false, idempotencyKey: 'k' }), { result: 'created' });
});

test('errors name the request, whatever failed', async () => {
  const refused = client({
    status: 404,
    body: { type: 'x', code: 'not-found', detail: 'No such item.' },
  }).client;
  await assert.rejects(refused.feed.get('1'), ({ request, message }: OctavoError) => {
    assert.equal(request, `GET ${url}api/newsfeed/1`);
    return message.endsWith(`No such item. [${request}]`);
  });
  const lost = new OctavoClient({ url, retries: 0, fetch: () => Promise.reject(down) });
  await assert.rejects(lost.feed.get('1'), (error: OctavoError) => {
    assert.equal(error.cause, down);
    return (
      error.message === `network: The request did not get through: fetch failed [GET ${url}api/newsfeed/1]`
    );
  });
});

test('an option that there is not is refused', () => {
  assert.throws(() => new OctavoClient({ url, apikey: 'x' } as { url: string }), {
    name: 'TypeError',
    message: /no option \[apikey\].* url, apiKey, headers/,
  });
});
