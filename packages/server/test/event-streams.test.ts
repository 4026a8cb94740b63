// Event streams are bounded: slow readers are ended and hold little memory, silent streams get a heartbeat,
// and the number of streams of a caller is limited.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { postItems } from '@octavo/records';
import { listen } from '../src/serve.ts';
import { server } from './ask.ts';
import { eventually } from './eventually.ts';
import { follow } from './follow.ts';
import { openStore } from './stores.ts';

const records = await openStore();
const limits = {
  eventHeartbeatMs: 30,
  writeIdleTimeoutMs: 2_000,
  eventStreams: 5,
  eventStreamsPerKey: 2,
};
const { ask, app } = await server({ records, limits });
await listen(app, { port: 0 });
const { port } = app.server.address() as AddressInfo;
after(async () => {
  await app.close();
  await records.close();
});

/** A caller that asks for a stream and reads nothing; and the server's end of its connection. */
async function deaf(query: string): Promise<{ client: Socket; server: Socket }> {
  const accepted = once(app.server, 'connection') as Promise<[Socket]>;
  const client = connect({ port, host: '127.0.0.1' });
  client.pause();
  client.write(`GET /api/events${query} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n`);
  const [server] = await accepted;
  return { client, server };
}

const COUNT = 400;
const TEXT = 'x'.repeat(60_000);
/** 24 MB: more than what the kernel takes for both ends of a connection. */
async function flood(): Promise<void> {
  for (let i = 0; i < COUNT; i += 100) {
    const drafts = Array.from({ length: 100 }, (_, j) => ({ author: 'ada', text: `${i + j} ${TEXT}` }));
    await records.write(postItems, { feed: '', drafts });
  }
}

test('who reads nothing is ended and holds little; who reads misses nothing', async () => {
  const start = (await ask('GET /api/events')).body.next as string;
  const { client, server } = await deaf(`?after=${start}`);
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, server.writableLength)), 1);
  const ended = once(server, 'close');
  const reading = follow(port, `?after=${start}`, (frames) => frames.length >= COUNT);
  await flood();
  await ended;
  clearInterval(watch);
  client.destroy();
  const { frames } = await reading;
  const other = frames.find(({ event }) => event !== 'octavo.item.created');
  assert.equal(other, undefined, JSON.stringify(other));
  assert.deepEqual(
    frames.map(({ data }) => Number.parseInt(data.data['text'] as string, 10)),
    Array.from({ length: COUNT }, (_, i) => i),
  );
  // A chunk, the event that went beyond it, and what frames add.
  assert.ok(most > 0 && most < 256 * 1024, `${most} bytes were waiting`);
});

test('its seat is free again', async () => {
  for (let i = 0; i < 2 * limits.eventStreams; i++) {
    // A little after whoever had it has gone.
    await eventually(async () => {
      const { status, frames, beats } = await follow(port, '', (_, all) => all.length >= 1);
      assert.deepEqual([status, frames.length, beats.length >= 1], [200, 0, true]);
    });
  }
});

test('heartbeats come while nothing does, and name the place behind what was left out', async () => {
  const start = (await ask('GET /api/events')).body.next as string;
  const beaten = Promise.withResolvers<void>();
  const following = follow(port, `?after=${start}&types=key.*`, (_, all) => {
    if (all.length > 0) beaten.resolve();
    return new Set(all).size >= 2;
  });
  await beaten.promise;
  await ask('POST /api/newsfeed', { author: 'ada', text: 'nobody asked' });
  const { beats, frames } = await following;
  assert.deepEqual(frames, []);
  assert.equal(beats[0], start);
  assert.equal(beats.at(-1), (await ask('GET /api/events')).body.next);
});

test('so many streams of one key, so many of all', async () => {
  const other = await openStore();
  const strict = await server({ records: other, limits });
  await listen(strict.app, { port: 0 });
  const there = (strict.app.server.address() as AddressInfo).port;
  after(async () => {
    await strict.app.close();
    await other.close();
  });
  const key = async (auth?: string): Promise<string> => {
    const headers = auth === undefined ? {} : { authorization: `Bearer ${auth}` };
    return (await strict.ask('POST /api/keys', { name: 'k', scopes: ['*'] }, headers)).body.token;
  };
  const admin = await key();
  /** What nobody holds the garbage collector hangs up. */
  const held: { readonly reply: Response; readonly hangUp: AbortController }[] = [];
  /** Opens a stream that stays; gives its status, and the problem where there is one. */
  const opened = async (token: string): Promise<{ status: number; body: string; retry: string | null }> => {
    const hangUp = new AbortController();
    const reply = await fetch(`http://127.0.0.1:${there}/api/events`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
      signal: hangUp.signal,
    });
    held.push({ reply, hangUp });
    const retry = reply.headers.get('retry-after');
    return { status: reply.status, body: reply.ok ? '' : await reply.text(), retry };
  };
  const [a, b, c] = [await key(admin), await key(admin), await key(admin)] as const;
  assert.deepEqual([(await opened(a)).status, (await opened(a)).status], [200, 200]);
  const third = await opened(a);
  assert.deepEqual([third.status, JSON.parse(third.body).code, third.retry], [429, 'rate-limited', '10']);
  assert.match(third.body, /eventStreamsPerKey/);
  assert.deepEqual(
    [(await opened(b)).status, (await opened(b)).status, (await opened(c)).status],
    [200, 200, 200],
  );
  const full = await opened(c);
  assert.deepEqual([full.status, JSON.parse(full.body).code], [503, 'unavailable']);
  // Pages are still given, and who hangs up makes room.
  assert.equal(
    (await strict.ask('GET /api/events', undefined, { authorization: `Bearer ${a}` })).status,
    200,
  );
  held[0]!.hangUp.abort();
  await eventually(async () => assert.equal((await opened(a)).status, 200));
  for (const { hangUp } of held) hangUp.abort();
});

test('what was read before its writer told of it is no position of another server', async () => {
  const store = await openStore();
  const told = store.lastEvent();
  const behind = new Proxy(store, {
    get(target, name) {
      if (name === 'lastEvent') return () => told;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const late = await server({ records: behind, limits });
  after(() => store.close());
  await late.ask('POST /api/newsfeed', { author: 'ada', text: 'one' });
  const { next, items } = (await late.ask('GET /api/events?after=0')).body;
  assert.equal(items.length, 1);
  assert.equal((await late.ask(`GET /api/events?after=${next}`)).status, 200);
  const beyond = next.replace(/^r\d+/, 'r999');
  assert.equal((await late.ask(`GET /api/events?after=${beyond}`)).status, 400);
});
