// The rows of limits of the application API.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openRecords, type Records } from '@octavo/records';
import type { LimitName } from '../../src/limits.ts';
import { eventually } from '../eventually.ts';
import { follow } from '../follow.ts';
import { waiting } from '../waiting-operation.ts';
import { listening, periods, type Rows, refused, taken, under } from './row.ts';

type Names =
  | 'apiBodyBytes'
  | 'apiTimeMs'
  | 'feedPageSize'
  | 'entryTextBytes'
  | 'entryDataBytes'
  | 'entryAttachments'
  | 'chatMembersAtOnce'
  | 'authFailures'
  | 'eventStreams'
  | 'eventStreamsPerKey'
  | 'eventHeartbeatMs'
  | 'eventsAgeMs'
  | 'eventsKept'
  | 'webhooks';

async function records(): Promise<Records> {
  const extraOperations = new URL('../waiting-operation.ts', import.meta.url).href;
  const opened = await openRecords(':memory:', { extraOperations });
  after(() => opened.close());
  return opened;
}

const api = async (limits: Partial<Record<LimitName, number>>): ReturnType<typeof under> =>
  await under(limits, { records: await records(), webhookAllowPrivate: true });

const item = (text: string, more: object = {}): object => ({ author: 'ada', text, ...more });

/** Streams that are open until they are ended. */
async function streams(
  limits: Partial<Record<LimitName, number>>,
): Promise<(count: number) => Promise<number[]>> {
  const { port } = await listening({ ...limits, eventHeartbeatMs: 20 }, { records: await records() });
  return async (count) => {
    const statuses: number[] = [];
    let isOver = false;
    const open = Array.from({ length: count }, () =>
      follow(port, '', () => isOver).then(({ status }) => void statuses.push(status)),
    );
    // Those that are refused are over at once.
    await eventually(() => assert.ok(statuses.length > 0));
    isOver = true;
    await Promise.all(open);
    return statuses.sort();
  };
}

/** What is told to who asks for events that are forgotten, when the next look at them is over. */
async function forgotten(
  t: Parameters<typeof periods>[0],
  limits: Partial<Record<LimitName, number>>,
): Promise<void> {
  const found = periods(t);
  const { ask } = await api(limits);
  // Who asks from the beginning gets what is kept: nothing is older for it.
  taken(await ask('POST /api/newsfeed', item('first')));
  const start = taken(await ask('GET /api/events')).body.next;
  for (let i = 0; i < 5; i++) taken(await ask('POST /api/newsfeed', item(`${i}`)));
  assert.equal(taken(await ask(`GET /api/events?after=${start}`)).body.items.length, 5);
  await eventually(async () => {
    found.get(60_000)!();
    const answer = await ask(`GET /api/events?after=${start}`);
    refused(answer, 410, /events-lost/);
  });
}

export const API_ROWS: Rows<Names> = {
  async apiBodyBytes() {
    const { ask } = await api({ apiBodyBytes: 100 });
    taken(await ask('POST /api/newsfeed', item('x')));
    refused(await ask('POST /api/newsfeed', item('x'.repeat(100))), 413, /payload-too-large/);
  },
  async apiTimeMs() {
    const store = await records();
    const { port } = await listening({ apiTimeMs: 50 }, { records: store });
    const shared = new SharedArrayBuffer(4);
    const flag = new Int32Array(shared);
    const held = store.write(waiting, shared);
    while (Atomics.load(flag, 0) !== 1) await turn();
    const reply = await fetch(`http://127.0.0.1:${port}/api/newsfeed`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(item('late')),
    });
    Atomics.store(flag, 0, 2);
    Atomics.notify(flag, 0);
    await held;
    assert.equal(reply.status, 503);
    assert.match(await reply.text(), /50 ms/);
  },
  async feedPageSize() {
    const { ask } = await api({ feedPageSize: 2 });
    for (let i = 0; i < 3; i++) taken(await ask('POST /api/newsfeed', item(`${i}`)));
    for (const list of ['newsfeed', 'chats', 'users', 'accounts'])
      refused(await ask(`GET /api/${list}?limit=3`), 400, /invalid-parameter/);
    assert.equal(taken(await ask('GET /api/newsfeed')).body.items.length, 2);
  },
  async entryTextBytes() {
    const { ask } = await api({ entryTextBytes: 10 });
    taken(await ask('POST /api/newsfeed', item('ö'.repeat(5))));
    refused(await ask('POST /api/newsfeed', item('ö'.repeat(6))), 413, /content-too-large/);
    refused(await ask('POST /api/newsfeed', { author: 'ada', markup: 'x'.repeat(11) }), 413, /too-large/);
  },
  async entryDataBytes() {
    const { ask } = await api({ entryDataBytes: 10 });
    taken(await ask('POST /api/newsfeed', item('x', { data: { a: 1 } })));
    refused(await ask('POST /api/newsfeed', item('x', { data: { a: 'x'.repeat(5) } })), 413, /too-large/);
  },
  async entryAttachments() {
    const { ask } = await api({ entryAttachments: 1 });
    const attachments = (count: number): object => ({
      attachments: Array.from({ length: count }, () => ({ url: 'https://a.example/' })),
    });
    taken(await ask('POST /api/newsfeed', item('x', attachments(1))));
    refused(await ask('POST /api/newsfeed', item('x', attachments(2))), 400, /invalid-body/);
  },
  async chatMembersAtOnce() {
    const { ask } = await api({ chatMembersAtOnce: 2 });
    taken(await ask('POST /api/chats', { id: 'a', members: ['ada', 'bob'] }));
    refused(await ask('POST /api/chats', { id: 'b', members: ['ada', 'bob', 'eve'] }), 400, /invalid-body/);
  },
  async authFailures() {
    const { ask } = await api({ authFailures: 2 });
    taken(await ask('POST /api/keys', { name: 'a', scopes: ['*'] }));
    const wrong = { authorization: `Bearer octavo_x.${'y'.repeat(43)}` };
    const tries: number[] = [];
    for (let i = 0; i < 3; i++) tries.push((await ask('GET /api/keys', undefined, wrong)).status);
    assert.deepEqual(tries, [401, 401, 429]);
  },
  async eventStreams() {
    const open = await streams({ eventStreams: 2 });
    assert.deepEqual(await open(3), [200, 200, 503]);
  },
  async eventStreamsPerKey() {
    const open = await streams({ eventStreamsPerKey: 2 });
    assert.deepEqual(await open(3), [200, 200, 429]);
  },
  async eventHeartbeatMs() {
    const { port } = await listening({ eventHeartbeatMs: 20 }, { records: await records() });
    const { frames, beats } = await follow(port, '', (_, all) => all.length >= 2);
    assert.deepEqual([frames.length, beats.length >= 2], [0, true]);
  },
  async eventsAgeMs(t) {
    await forgotten(t, { eventsAgeMs: 1 });
  },
  async eventsKept(t) {
    await forgotten(t, { eventsKept: 1 });
  },
  async webhooks() {
    const { ask } = await api({ webhooks: 1 });
    const webhook = { url: 'http://127.0.0.1:9/' };
    taken(await ask('POST /api/webhooks', webhook));
    refused(await ask('POST /api/webhooks', webhook), 503, /unavailable/);
  },
};
