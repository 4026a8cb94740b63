// The stream of events: every event at least once and in order, from any id on, and only what the caller may
// see.

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { forgetEvents } from '@octavo/records';
import { listen } from '../src/serve.ts';
import { server } from './ask.ts';
import { type Followed, type Frame, follow as followAt } from './follow.ts';
import { TEST_DOCUMENTS } from './over-cluster.ts';
import { ON_POSTGRES, openStore } from './stores.ts';

const records = await openStore();
const { ask, app } = await server({ records });
await listen(app, { port: 0 });
const { port } = app.server.address() as AddressInfo;
after(async () => {
  await app.close();
  await records.close();
});

const follow = (
  query: string,
  enough: (frames: readonly Frame[]) => boolean,
  headers: Record<string, string> = {},
): Promise<Followed> => followAt(port, query, enough, headers);

const ids = (frames: readonly Frame[]): string[] => frames.map((frame) => frame.data.id);
const start = (await ask('GET /api/events')).body.next as string;

test('one stream of items and documents, from any id on', async () => {
  const live = follow(`?after=${start}`, (frames) => frames.length >= 9);
  for (let i = 0; i < 4; i++) {
    await ask('POST /api/newsfeed', { author: 'ada', text: `item ${i}` });
    await ask(`PUT /books/_doc/${i}`, { title: `t${i}` });
  }
  await ask('DELETE /books/_doc/0');
  const { frames } = await live;
  assert.equal(frames.filter((frame) => frame.event === 'octavo.item.created').length, 4);
  assert.deepEqual(
    frames.filter((frame) => frame.event.startsWith('octavo.document')).map((frame) => frame.data.subject),
    ['books/0', 'books/1', 'books/2', 'books/3', 'books/0'],
  );
  assert.equal(frames.at(-1)!.event === 'octavo.document.deleted' || frames.length === 9, true);
  const whole = (await ask(`GET /api/events?after=${start}&limit=1000`)).body;
  const all = whole.items.map((event: { id: string }) => event.id);
  assert.deepEqual([...ids(frames)].sort(), [...all].sort());
  for (const [i, frame] of frames.entries()) {
    const rest = await follow('', (got) => got.length >= frames.length - i - 1 || i === frames.length - 1, {
      'last-event-id': i === frames.length - 1 ? frames[0]!.id : frame.id,
    });
    if (i === frames.length - 1) continue;
    const seen = new Set([...ids(frames.slice(0, i + 1)), ...ids(rest.frames)]);
    assert.equal(seen.size, 9, `from ${frame.id}`);
  }
});

test('a caller that polls is told 304 until there are new events', async () => {
  const { next } = (await ask(`GET /api/events?after=${start}&limit=1000`)).body;
  const { headers } = await ask(`GET /api/events?after=${next}`);
  const etag = headers['etag'] as string;
  const again = (): Promise<{ status: number }> =>
    ask(`GET /api/events?after=${next}`, undefined, { 'if-none-match': etag });
  assert.equal((await again()).status, 304);
  await ask('POST /api/newsfeed', { author: 'ada', text: 'one more' });
  assert.equal((await again()).status, 200);
});

test('the id of an event itself will do: nothing behind it is missed', async () => {
  const whole = (await ask(`GET /api/events?after=0&limit=1000`)).body.items as {
    id: string;
    source: string;
  }[];
  for (const [i, { id, source }] of whole.entries()) {
    const reply = await ask('GET /api/events?limit=1000', undefined, { 'last-event-id': id });
    assert.equal(reply.status, 200, id);
    const seen = new Set(reply.body.items.map((event: { id: string }) => event.id));
    // Over a cluster both are one source.
    const isOther = (event: { source: string }): boolean =>
      TEST_DOCUMENTS === undefined && event.source !== source;
    const missed = whole.filter((event, j) => (j > i || isOther(event)) && !seen.has(event.id));
    assert.deepEqual(missed, [], id);
    const only = await ask('GET /api/events?limit=1000&types=item.*', undefined, { 'last-event-id': id });
    if (source === '/api') assert.ok(!only.body.items.some((event: { id: string }) => event.id === id));
  }
});

test('polling pages come to the same', async () => {
  const got: string[] = [];
  for (let after = start; ; ) {
    const page = (await ask(`GET /api/events?after=${after}&limit=2`)).body;
    got.push(...page.items.map((event: { id: string }) => event.id));
    if (!page.more) break;
    after = page.next;
  }
  const whole = (await ask(`GET /api/events?after=${start}&limit=1000`)).body.items;
  assert.deepEqual(
    got,
    whole.map((event: { id: string }) => event.id),
  );
});

test('filters', async () => {
  const only = async (query: string): Promise<string[]> =>
    (await ask(`GET /api/events?after=${start}&limit=1000&${query}`)).body.items.map(
      (event: { type: string }) => event.type,
    );
  assert.deepEqual(new Set(await only('types=item.*')), new Set(['octavo.item.created']));
  assert.deepEqual(await only('types=octavo.document.deleted'), ['octavo.document.deleted']);
  assert.equal((await only('subject=books/1')).length, 1);
  assert.equal((await only('types=document.*&index=nothing*')).length, 0);
});

test('what is no position is refused', async () => {
  for (const text of [
    'x',
    'r',
    'd1',
    'd1.2',
    'r1.d',
    'r-1.d0',
    'r1.d1.1.1',
    'r99999999999999999999.d0',
    '',
  ]) {
    assert.equal((await ask(`GET /api/events?after=${text}`)).status, 400, text);
  }
  assert.equal((await ask('GET /api/events?after=r999999.d0')).status, 400);
  assert.equal((await ask('GET /api/events?types=item.*,nope')).body.field, 'types');
  // Where several servers have the same records, or documents are in a cluster, it may be of one that has other documents.
  const elsewhere = await ask('GET /api/events?after=r0.d999999&format=json');
  assert.equal(elsewhere.status, ON_POSTGRES || TEST_DOCUMENTS !== undefined ? 200 : 400);
});

test('a key is told what it may read, and its stream ends with it', async () => {
  const admin = (await ask('POST /api/keys', { name: 'admin', scopes: ['*'] })).body.token as string;
  const as = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
  const make = async (grant: object): Promise<{ token: string; key: { id: string } }> =>
    (await ask('POST /api/keys', { name: 'k', ...grant }, as(admin))).body;
  assert.equal((await ask('GET /api/events')).status, 401);
  const feeder = await make({ scopes: ['events:read', 'feed:read'] });
  const types = async (token: string): Promise<Set<string>> =>
    new Set(
      (await ask(`GET /api/events?after=${start}&limit=1000`, undefined, as(token))).body.items.map(
        (event: { type: string }) => event.type,
      ),
    );
  assert.deepEqual(await types(feeder.token), new Set(['octavo.item.created']));
  assert.ok((await types(admin)).has('octavo.key.created'));
  const noEvents = await make({ scopes: ['feed:read'] });
  assert.equal((await ask('GET /api/events', undefined, as(noEvents.token))).status, 403);

  await ask('PUT /books/_doc/hidden', { shop: 'b', title: 'secret' }, as(admin));
  await ask('PUT /books/_doc/shown', { shop: 'a', title: 'open' }, as(admin));
  const filtered = await make({
    scopes: ['events:read', 'search:read'],
    document_filter: { match: { shop: 'a' } },
  });
  const page = await ask(`GET /api/events?after=${start}&limit=1000`, undefined, as(filtered.token));
  assert.deepEqual(
    page.body.items.map((event: { subject: string }) => event.subject),
    ['books/shown'],
  );
  const stream = follow(`?after=${start}`, () => false, as(filtered.token));
  await ask(`DELETE /api/keys/${filtered.key.id}`, undefined, as(admin));
  assert.equal((await stream).ended, true);

  await records.write(forgetEvents, { olderThan: Date.now() + 1, keep: 0, limit: 3 });
  const early = start.replace(/^r\d+/, 'r1');
  const lost = await ask(`GET /api/events?after=${early}`, undefined, as(admin));
  assert.equal(lost.status, 410);
  assert.equal(lost.body.code, 'events-lost');
  assert.equal((await ask('GET /api/events?after=0', undefined, as(admin))).status, 200);
});
