// Several servers over one PostgreSQL behave like one for events, keys and webhooks.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRecords } from '@octavo/records';
import { type Ask, server } from '../../packages/server/test/ask.ts';
import { eventually } from '../../packages/server/test/eventually.ts';
import { startPostgres } from './postgres-server.ts';

const postgres = await startPostgres();
const skip = postgres === undefined ? 'PostgreSQL is not installed' : false;
const servers: { ask: Ask; end(): Promise<void> }[] = [];
for (let n = 0; postgres !== undefined && n < 2; n++) {
  const records = await openRecords(postgres.url);
  const { ask, app } = await server({
    records,
    webhookAllowPrivate: true,
    webhookDelay: () => 5,
  });
  servers.push({
    ask,
    async end() {
      await app.close();
      await records.close();
    },
  });
}
after(async () => {
  for (const server of servers) await server.end();
  await postgres?.stop();
});

/** Where webhooks go. */
async function receiver(): Promise<{ url: string; got: string[] }> {
  const got: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString('utf8')));
    request.on('end', () => {
      got.push((JSON.parse(body) as { data: { text: string } }).data.text);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, got };
}

test('a place in the stream of events is one at every server', { skip }, async () => {
  const [a, b] = [servers[0]!.ask, servers[1]!.ask];
  await a('POST /api/newsfeed', { author: 'ada', text: 'one' });
  // Of a server that has documents which this one has not.
  const seen = await a('GET /api/events?after=0&format=json');
  const next = String(seen.body.next).replace(/d\d+.*$/, 'd999.1');
  await a('POST /api/newsfeed', { author: 'ada', text: 'two' });
  const { status, body } = await b(`GET /api/events?after=${next}&format=json`);
  assert.equal(status, 200);
  assert.deepEqual(
    body.items.map(({ data }: { data: { text: string } }) => data.text),
    ['two'],
  );
});

test('a token of one server goes on at another', { skip }, async () => {
  for (const text of ['x', 'y', 'z'])
    await servers[0]!.ask('POST /api/newsfeed?feed=t', { author: 'ada', text });
  const first = await servers[0]!.ask('GET /api/newsfeed?feed=t&limit=2');
  const second = await servers[1]!.ask(`GET /api/newsfeed?feed=t&limit=2&next_token=${first.body.next}`);
  assert.equal(second.status, 200, second.text);
  assert.deepEqual(
    [...first.body.items, ...second.body.items].map(({ text }: { text: string }) => text),
    ['z', 'y', 'x'],
  );
});

test('a webhook gets each event of any server once, and continues when a server ends', {
  skip,
}, async () => {
  const { url, got } = await receiver();
  const made = await servers[0]!.ask('POST /api/webhooks', { url, types: ['item.created'] });
  assert.equal(made.status, 201);
  const expected: string[] = [];
  for (let i = 0; i < 20; i++) {
    const text = `item ${i}`;
    expected.push(text);
    await servers[i % 2]!.ask('POST /api/newsfeed', { author: 'ada', text });
  }
  await eventually(() => assert.deepEqual(got, expected));
  await servers.pop()!.end();
  for (let i = 0; i < 5; i++) {
    expected.push(`last ${i}`);
    await servers[0]!.ask('POST /api/newsfeed', { author: 'ada', text: `last ${i}` });
  }
  // What was not noted yet when a server ended is told again: at least once, in order, and only that.
  const told = (): string[] => got.filter((text, at) => at !== 20 || text !== expected[19]);
  await eventually(() => assert.deepEqual(told(), expected));
  await sleep(100);
  assert.deepEqual(told(), expected);
  assert.equal((await servers[0]!.ask(`DELETE /api/webhooks/${made.body.id}`)).status, 204);
});
