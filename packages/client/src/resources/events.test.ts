import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type FakeReply, fakeFetch } from '../../test/fake-fetch.ts';
import { OctavoClient } from '../client.ts';
import { SseParser } from '../sse-parser.ts';

const STREAM =
  '\ufeff: hello\r\nretry: 20\n\nid: 1\nevent: item.created\ndata: {"id":"1",\rdata:"type":"a"}\r\n\r\ndata\n\nid\ndata:  x\n\nid: 9\n\ndata: lost';

test('a stream is parsed as the standard says, wherever its chunks end', () => {
  const whole = new SseParser();
  const expected = [
    { event: 'item.created', data: '{"id":"1",\n"type":"a"}', id: '1' },
    { event: 'message', data: '', id: '1' },
    { event: 'message', data: ' x', id: '' },
  ];
  assert.deepEqual(whole.push(STREAM), expected);
  assert.equal(whole.retryMs, 20);
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length)), (cuts) => {
      const parser = new SseParser();
      const edges = [0, ...cuts.sort((a, b) => a - b), STREAM.length];
      const found = edges.flatMap((edge, at) => parser.push(STREAM.slice(edge, edges[at + 1])));
      assert.deepEqual(found, expected);
    }),
  );
});

const stream = (text: string, breaks = false): FakeReply => {
  return async () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(text));
          if (!breaks) controller.close();
        },
        pull(controller) {
          if (breaks) controller.error(new TypeError('reset'));
        },
      }),
    );
};
const event = (id: number): string => `id: ${id}\ndata: {"id":"${id}","type":"item.created"}\n\n`;

test('events resume after the last one when a connection is lost', async () => {
  const { fetch, requests } = fakeFetch(
    stream(event(4) + event(5), true),
    new TypeError('fetch failed'),
    { status: 503, headers: { 'retry-after': '0' }, body: { code: 'unavailable' } },
    stream(event(6)),
    { status: 410, body: { code: 'events-lost', detail: 'Too old.' } },
  );
  const octavo = new OctavoClient({ url: 'http://x', fetch, retries: { baseMs: 1 } });
  const seen: string[] = [];
  const walk = async (): Promise<void> => {
    for await (const { id } of octavo.events({ since: '3', params: { types: 'item.created' } }))
      seen.push(id);
  };
  await assert.rejects(walk(), { code: 'events-lost', status: 410 });
  assert.deepEqual(seen, ['4', '5', '6']);
  assert.deepEqual(
    requests.map(({ headers }) => headers['last-event-id']),
    ['3', '5', '5', '5', '6'],
  );
  assert.equal(requests[0]?.url, 'http://x/api/events?types=item.created');
});

test('a signal ends the events, also while none arrive', async () => {
  const controller = new AbortController();
  const { fetch } = fakeFetch(async ({ signal }) => {
    const body = new ReadableStream({
      start(target) {
        target.enqueue(new TextEncoder().encode(event(1)));
        signal?.addEventListener('abort', () => target.error(signal.reason));
      },
    });
    return new Response(body);
  });
  const octavo = new OctavoClient({ url: 'http://x', fetch });
  const walk = async (): Promise<void> => {
    for await (const _ of octavo.events({ signal: controller.signal }))
      setTimeout(() => controller.abort(), 5);
  };
  await assert.rejects(walk(), { name: 'AbortError' });
});

test('a silent stream is reopened', async () => {
  const silent: FakeReply = async () =>
    new Response(
      new ReadableStream({ start: (target) => target.enqueue(new TextEncoder().encode(event(1))) }),
    );
  const { fetch, requests } = fakeFetch(silent, stream(event(2)), {
    status: 403,
    body: { code: 'forbidden' },
  });
  const octavo = new OctavoClient({ url: 'http://x', fetch, retries: { baseMs: 1 } });
  const seen: string[] = [];
  const walk = async (): Promise<void> => {
    for await (const { id } of octavo.events({ idleMs: 300 })) seen.push(id);
  };
  await assert.rejects(walk(), { code: 'forbidden' });
  assert.deepEqual(seen, ['1', '2']);
  assert.equal(requests[1]?.headers['last-event-id'], '1');
});
