// Every write to a cluster through a server is sent as an event to all who may see it, at every server.
// Nothing else is sent.

import assert from 'node:assert/strict';
import { createServer as createReceiver } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { type DocumentChange, emitDocumentEvents } from '@octavo/records';
import { type Answer, askOver } from './ask.ts';
import {
  admin,
  bulk,
  engine,
  here,
  keyOf,
  over,
  place,
  records,
  root,
  type Told,
  there,
} from './cluster-pair.ts';
import { eventually } from './eventually.ts';
import { follow } from './follow.ts';
import { onlyEmbedded } from './over-cluster.ts';
import { openStore } from './stores.ts';

/** What a reply says was done, as events tell it. */
function done(body: Answer['body']): Told[] {
  const outcomes = (body.items?.map((item: object) => Object.values(item)[0]) ?? [body]) as {
    [member: string]: string | number;
  }[];
  return outcomes
    .filter(({ result }) => ['created', 'updated', 'deleted'].includes(String(result)))
    .map(({ _index, _id, _seq_no, _version, result }) => ({
      type: `octavo.document.${result === 'deleted' ? 'deleted' : 'indexed'}`,
      subject: `${_index}/${_id}`,
      data: { index: _index, id: _id, seq_no: _seq_no, version: _version },
    })) as unknown as Told[];
}

test('every way to write tells what it has done, and nothing of what failed', async () => {
  const start = await place();
  const within = await keyOf({ scopes: ['search:write'], index_patterns: ['goods*'] });
  const filtered = await keyOf({ scopes: ['search:write'], document_filter: { term: { shop: 'a' } } });
  const expected: Told[] = [];
  for (const { send } of [{ send: root }, within, filtered]) {
    const before = expected.length;
    for (const [line, body] of [
      ['PUT /goods-1/_doc/1', { shop: 'a', title: 'x' }],
      ['PUT /shelf/_doc/1?pretty&filter_path=_id', { shop: 'a' }],
      ['POST /goods-2/_doc', { shop: 'a' }],
      ['PUT /goods-2/_create/2', { shop: 'a' }],
      ['PUT /goods-2/_create/2', { shop: 'a' }],
      ['POST /shelf/_update/1', { doc: { title: 'y' } }],
      ['POST /shelf/_update/1', { doc: { title: 'y' } }],
      ['PUT /goods-1/_doc/1?if_seq_no=0&if_primary_term=1', { shop: 'a' }],
      ['POST /goods-1/_update/none', { doc: { title: 'y' } }],
      ['DELETE /goods-2/_doc/2', undefined],
      ['DELETE /goods-2/_doc/2', undefined],
      ['PUT /goods-1/_doc/bad', '{"shop":'],
      [
        'POST /goods-1/_bulk',
        bulk(
          { index: { _id: 'b1' } },
          { shop: 'a' },
          { create: { _index: 'goods-2', _id: 'b2' } },
          { shop: 'a' },
          { create: { _index: 'goods-2', _id: 'b2' } },
          { shop: 'a' },
          { update: { _index: 'shelf', _id: 'b1' } },
          { doc: { title: 'z' } },
          { delete: { _id: 'gone' } },
          { index: { _index: 'other', _id: 'o' } },
          { shop: 'a' },
          { delete: { _index: 'goods-2', _id: 'b2' } },
          { delete: { _id: 'b1' } },
        ),
      ],
    ] as const) {
      const reply = await send(line, body);
      // What a filter_path has left out of the reply is told all the same.
      const { body: shown } = line.includes('filter_path') ? await root('GET /goods-1/_doc/1') : reply;
      expected.push(...done(line.includes('filter_path') ? { ...shown, result: 'updated' } : shown));
    }
    assert.ok(expected.length > before + 8);
    expected.push(...done((await root('DELETE /goods-1/_doc/1')).body));
  }
  const page = await root(`GET /api/events?after=${start}&types=document.*&limit=1000`);
  const told = page.body.items as Told[];
  for (const { id, source, time } of told) {
    assert.match(id, /^r\d+$/);
    assert.equal(source, '/');
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000);
  }
  // One request may be several to the cluster, which are told in the order in which they were done.
  const placeOf = ({ subject, data }: Told): string => `${subject} ${String(data.seq_no).padStart(5, '0')}`;
  const sorted = (list: readonly Told[]): Told[] =>
    list.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  assert.deepEqual(
    sorted(told).map(({ type, subject, data }) => ({ type, subject, data })),
    sorted(expected),
  );
});

test('a stream at another server tells it as it happens, documents between records', async () => {
  const start = await place();
  const { port } = there.app.server.address() as AddressInfo;
  // A key that was made elsewhere is known within two seconds. Before, whoever asks is let in, and put out when it is.
  await eventually(async () => assert.equal((await there.ask('GET /api/events?format=json')).status, 401));
  const live = follow(port, `?after=${start}`, (frames) => frames.length >= 4, admin);
  await root('PUT /goods-1/_doc/live', { shop: 'a' });
  await root('POST /api/newsfeed', { author: 'ada', text: 'hello' });
  await root('POST /goods-1/_update/live', { doc: { shop: 'b' } });
  await root('DELETE /goods-1/_doc/live');
  const { frames } = await live;
  assert.deepEqual(
    frames.map(({ event }) => event.replace('octavo.', '')),
    ['document.indexed', 'item.created', 'document.indexed', 'document.deleted'],
  );
  const rest = await follow(port, '', (got) => got.length >= 2, { ...admin, 'last-event-id': frames[1]!.id });
  assert.deepEqual(
    rest.frames.map(({ data }) => data.id),
    frames.slice(2).map(({ data }) => data.id),
  );
});

test('a key is told of documents that it may see, refreshed or not, whoever can tell', async () => {
  const start = await place();
  const read = ['events:read', 'search:read'];
  const within = await keyOf({ scopes: read, index_patterns: ['goods*'] });
  const mine = await keyOf({ scopes: read, document_filter: { term: { shop: 'a' } } });
  // Words are cut by the cluster: only it can tell.
  const words = await keyOf({ scopes: read, document_filter: { match: { title: 'red' } } });
  const both = await keyOf({
    ...{ scopes: read, index_patterns: ['other'], document_filter: { term: { shop: 'a' } } },
  });
  const feeder = await keyOf({ scopes: ['events:read', 'feed:read'] });
  await root('PUT /other/_doc/1', { shop: 'a', title: 'blue' });
  await root('PUT /goods-1/_doc/2', { shop: 'b', title: 'a red one' });
  await root('PUT /goods-2/_doc/3', { shop: 'a', title: 'reds' });
  await root('PUT /goods-2/_doc/4', { shop: 'a' });
  await root('PUT /goods-2/_doc/4', { shop: 'b' });
  await root('PUT /other/_doc/5', { shop: 'a' });
  await root('DELETE /other/_doc/5');
  // An index that nobody knew of until now.
  await root('PUT /goods-3/_doc/6', { shop: 'a' });
  await root('PUT /goods-3/_doc/7', { title: 'the red' });
  const all = ['1', '2', '3', '4', '4', '5', '6', '7'];
  assert.deepEqual(await within.events(start), [
    ...['indexed goods-1/2', 'indexed goods-2/3', 'indexed goods-2/4', 'indexed goods-2/4'],
    ...['indexed goods-3/6', 'indexed goods-3/7'],
  ]);
  assert.deepEqual(await both.events(start), ['indexed other/1']);
  assert.deepEqual(await words.events(start), ['indexed goods-1/2', 'indexed goods-3/7']);
  // In goods-3 the shop is a text, and a keyword below it.
  assert.deepEqual((await mine.events(start)).slice(0, 2), ['indexed other/1', 'indexed goods-2/3']);
  assert.deepEqual(await feeder.events(start), []);
  const seen = await here.ask(`GET /api/events?after=${start}&types=document.indexed`, undefined, admin);
  assert.deepEqual(
    seen.body.items.map(({ data }: { data: { id: string } }) => data.id),
    all,
  );
  const only = await here.ask(
    `GET /api/events?after=${start}&index=goods*&types=document.*`,
    undefined,
    admin,
  );
  assert.equal(only.body.items.length, 6);
  const items = await here.ask(`GET /api/events?after=${start}&types=item.*`, undefined, admin);
  assert.deepEqual(items.body.items, []);
});

test('an index that is gone is told to nobody who sees through a filter', async () => {
  const start = await place();
  const mine = await keyOf({
    scopes: ['events:read', 'search:read'],
    document_filter: { exists: { field: 'n' } },
  });
  await root('PUT /brief/_doc/1', { n: 1 });
  assert.deepEqual(await mine.events(start), ['indexed brief/1']);
  await root('DELETE /brief');
  assert.deepEqual(await mine.events(start), []);
});

test('webhooks are called', async () => {
  const got: string[] = [];
  const receiver = createReceiver((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString('utf8')));
    request.on('end', () => {
      got.push((JSON.parse(body) as { subject: string }).subject);
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const made = await root('POST /api/webhooks', { url, types: ['document.*'] });
  assert.equal(made.status, 201, made.text);
  for (const id of ['w1', 'w2']) await root(`PUT /goods-1/_doc/${id}`, {});
  await eventually(() => assert.deepEqual([...new Set(got)], ['goods-1/w1', 'goods-1/w2']));
  await root(`DELETE /api/webhooks/${made.body.id}`);
  receiver.close();
});

test('the place of documents that were in a data directory before means nothing here', async () => {
  const reply = await here.ask('GET /api/events?after=r0.d4711.3&limit=1', undefined, admin);
  assert.equal(reply.status, 200);
  assert.equal(reply.body.items.length, 1);
});

test(
  'what was told of a cluster is held to the same where documents have come back from it',
  onlyEmbedded('it has no data directory'),
  async () => {
    const own = await openStore();
    const back = await askOver(engine, { records: own, logLevel: 'silent' });
    after(() => own.close());
    await back.ask('PUT /home-1/_doc/here', { n: 1 });
    const told = (kind: 'index' | 'delete', index: string, id: string): DocumentChange => ({
      ...{ kind, index, id, seqNo: 1, version: 1 },
    });
    const start = (await back.ask('GET /api/events')).body.next as string;
    const changes = [
      ...[told('index', 'home-1', 'here'), told('index', 'home-1', 'lost'), told('index', 'other', 'x')],
      ...[told('delete', 'home-1', 'here'), told('index', 'never', 'here')],
    ];
    await own.write(emitDocumentEvents, { changes });
    const boss = (await back.ask('POST /api/keys', { name: 'boss', scopes: ['*'] })).body.token as string;
    const subjects = async (grant: object): Promise<string[]> => {
      const as = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
      const scopes = ['events:read', 'search:read'];
      const made = await back.ask('POST /api/keys', { name: 'k', scopes, ...grant }, as(boss));
      const { body } = await back.ask(`GET /api/events?after=${start}`, undefined, as(made.body.token));
      return body.items.map(({ subject }: { subject: string }) => subject);
    };
    assert.deepEqual(
      await subjects({}),
      changes.map(({ index, id }) => `${index}/${id}`),
    );
    const goods = ['home-1/here', 'home-1/lost', 'home-1/here'];
    assert.deepEqual(await subjects({ index_patterns: ['home*'] }), goods);
    assert.deepEqual(await subjects({ document_filter: { term: { n: 1 } } }), ['home-1/here']);
  },
);

test('records that take nothing do not undo a write; where too much waits, nothing is written', async () => {
  const state = { up: false };
  const moody = new Proxy(records, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'write') return typeof value === 'function' ? value.bind(target) : value;
      return async (operation: typeof emitDocumentEvents, ...rest: [never]) => {
        if (operation === emitDocumentEvents && !state.up) throw new Error('away');
        return await target.write(operation, ...rest);
      };
    },
  });
  const other = await over(moody, { clusterEventsWaiting: 2 });
  const start = await place();
  const two = bulk({ index: { _id: 'm1' } }, {}, { index: { _id: 'm2' } }, {});
  assert.equal((await other.ask('POST /other/_bulk', two, admin)).body.errors, false);
  for (const [line, body] of [
    ['PUT /other/_doc/m3', {}],
    ['POST /other/_bulk', two],
    ['DELETE /other/_doc/m1', undefined],
  ] as const) {
    const refused = await other.ask(line, body, admin);
    assert.equal(refused.status, 429, line);
    assert.equal(refused.headers['retry-after'], '1');
  }
  assert.equal((await other.ask('GET /other/_search', undefined, admin)).status, 200);
  assert.equal((await other.ask('GET /other/_doc/m3', undefined, admin)).status, 404);
  const { text } = await other.ask('GET /api/metrics', undefined, admin);
  assert.match(text, /^octavo_cluster_events_waiting 2$/m);
  assert.match(text, /^# TYPE octavo_cluster_requests_total counter$/m);
  assert.match(text, /^# TYPE process_cpu_seconds_total counter$/m);
  state.up = true;
  const told = async (): Promise<string[]> =>
    (await root(`GET /api/events?after=${start}`)).body.items.map(
      ({ subject }: { subject: string }) => subject,
    );
  await eventually(async () => assert.deepEqual(await told(), ['other/m1', 'other/m2']));
  // Others see it before the one who has told it hears so.
  await eventually(async () => assert.equal((await other.ask('PUT /other/_doc/m3', {}, admin)).status, 201));
  await other.app.close();
});
