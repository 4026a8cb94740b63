// Webhooks: signed by Standard Webhooks, each event at least once and in order, over failures and restarts;
// never to forbidden addresses.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { listWebhooks } from '@octavo/records';
import { Webhook } from 'standardwebhooks';
import { server } from './ask.ts';
import { eventually } from './eventually.ts';
import { openStore } from './stores.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver that answers as told. */
async function receiver(
  answer: (n: number) => number,
): Promise<{ url: string; got: Received[]; server: Server }> {
  const got: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString('utf8')));
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      const status = answer(got.length);
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('thanks');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got, server };
}

const records = await openStore();
after(() => records.close());
const { ask } = await server({ records, webhookAllowPrivate: true, webhookDelay: () => 5 });
const posted = (got: readonly Received[]): string[] =>
  got.map(({ body }) => JSON.parse(body).data.text as string);
const item = (text: string): ReturnType<typeof ask> => ask('POST /api/newsfeed', { author: 'ada', text });

test('delivered in order, and signed', async () => {
  const { url, got } = await receiver(() => 200);
  const made = await ask('POST /api/webhooks', { url, types: ['item.created'] });
  assert.equal(made.status, 201);
  const { id, secret } = made.body;
  assert.match(secret, /^whsec_/);
  for (const text of ['a', 'b', 'c']) await item(text);
  await eventually(() => assert.deepEqual(posted(got), ['a', 'b', 'c']));
  const webhook = new Webhook(secret);
  for (const { headers, body } of got) {
    webhook.verify(body, headers as Record<string, string>);
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const mac = createHmac('sha256', key).update(signed, 'utf8').digest('base64');
    assert.equal(headers['webhook-signature'], `v1,${mac}`);
  }
  assert.throws(() => webhook.verify(`${got[0]!.body} `, got[0]!.headers as Record<string, string>));
  assert.equal(JSON.parse(got[0]!.body).specversion, '1.0');
  const shown = await ask(`GET /api/webhooks/${id}`);
  assert.ok(!shown.text.includes('whsec_'));
  assert.equal(shown.body.failures, 0);
  assert.equal((await ask(`DELETE /api/webhooks/${id}`)).status, 204);
  assert.equal((await ask(`GET /api/webhooks/${id}`)).status, 404);
});

test('what fails is sent again, under the same id, and nothing is left out', async () => {
  const { url, got } = await receiver((n) => [500, 302, 404][n - 1] ?? 200);
  const { id } = (await ask('POST /api/webhooks', { url, types: ['item.created'] })).body;
  for (const text of ['d', 'e']) await item(text);
  await eventually(() => assert.deepEqual(posted(got), ['d', 'd', 'd', 'd', 'e']));
  assert.equal(new Set(got.slice(0, 4).map(({ headers }) => headers['webhook-id'])).size, 1);
  await ask(`PATCH /api/webhooks/${id}`, { enabled: false });
  await item('f');
  await sleep(100);
  assert.equal(got.length, 5);
  await ask(`PATCH /api/webhooks/${id}`, { enabled: true });
  await eventually(() => assert.equal(posted(got).at(-1), 'f'));
  await ask(`DELETE /api/webhooks/${id}`);
});

test('a receiver that fails for 72 hours is given up, and not before', async (t) => {
  const { url, got } = await receiver(() => 500);
  const { id } = (await ask('POST /api/webhooks', { url, types: ['item.created'] })).body;
  await item('lost');
  const shown = async (): Promise<{ disabled_reason?: string; failures: number }> =>
    (await ask(`GET /api/webhooks/${id}`)).body;
  await eventually(async () => assert.ok((await shown()).failures > 0));
  const { now } = Date;
  let later = 71.9 * 3_600_000;
  t.mock.method(Date, 'now', () => now() + later);
  const before = got.length;
  await eventually(() => assert.ok(got.length > before + 2));
  assert.doesNotMatch(JSON.stringify(await shown()), /72 hours/);
  later = 72.1 * 3_600_000;
  await eventually(async () =>
    assert.match(
      JSON.stringify(await shown()),
      /every attempt has failed for 72 hours; the last: the receiver answered 500/,
    ),
  );
  await ask(`DELETE /api/webhooks/${id}`);
});

test('a webhook that is made while webhooks are read is not overlooked', async () => {
  const store = await openStore();
  after(() => store.close());
  const { promise, resolve } = Promise.withResolvers<void>();
  let isFirst = true;
  const read = async (operation: unknown, input: unknown): Promise<unknown> => {
    const result = await store.read(operation as typeof listWebhooks, input as { limit: number });
    if (operation === listWebhooks && isFirst) {
      isFirst = false;
      await promise;
    }
    return result;
  };
  const late = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'read') return read;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const { ask: asking } = await server({ records: late, webhookAllowPrivate: true });
  await eventually(() => assert.equal(isFirst, false));
  const { url, got } = await receiver(() => 200);
  assert.equal((await asking('POST /api/webhooks', { url, types: ['item.created'] })).status, 201);
  resolve();
  await asking('POST /api/newsfeed', { author: 'ada', text: 'h' });
  await eventually(() => assert.deepEqual(posted(got), ['h']));
});

test('private addresses are refused where nobody allowed them', async () => {
  const other = await openStore();
  after(() => other.close());
  const strict = await server({ records: other });
  for (const url of [
    'http://127.0.0.1:9/',
    'http://localhost:9/',
    'http://[::1]/',
    'http://10.0.0.1/',
    'file:///x',
  ]) {
    const refused = await strict.ask('POST /api/webhooks', { url });
    assert.equal(refused.status, 400, url);
    assert.equal(refused.body.code, 'webhook-address-refused', url);
  }
});

test('it is told what its key may read, and nothing once the key has ended', async () => {
  const { url, got } = await receiver(() => 200);
  const admin = (await ask('POST /api/keys', { name: 'admin', scopes: ['*'] })).body.token as string;
  const as = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
  const made = await ask(
    'POST /api/keys',
    { name: 'hook', scopes: ['events:write', 'feed:read'] },
    as(admin),
  );
  const hook = await ask('POST /api/webhooks', { url }, as(made.body.token));
  assert.equal(hook.status, 201);
  await ask('POST /api/keys', { name: 'unseen', scopes: ['feed:read'] }, as(admin));
  await ask('POST /api/newsfeed', { author: 'ada', text: 'seen' }, as(admin));
  await eventually(() => assert.deepEqual(posted(got), ['seen']));
  const stranger = await ask('POST /api/keys', { name: 's', scopes: ['events:write'] }, as(admin));
  const path = `/api/webhooks/${hook.body.id}`;
  assert.equal((await ask(`GET ${path}`, undefined, as(stranger.body.token))).status, 404);
  assert.equal((await ask(`DELETE ${path}`, undefined, as(stranger.body.token))).status, 404);
  await ask(`DELETE /api/keys/${made.body.key.id}`, undefined, as(admin));
  await ask('POST /api/newsfeed', { author: 'ada', text: 'too late' }, as(admin));
  await eventually(async () =>
    assert.equal((await ask(`GET ${path}`, undefined, as(admin))).body.enabled, false),
  );
  assert.equal(got.length, 1);
});
