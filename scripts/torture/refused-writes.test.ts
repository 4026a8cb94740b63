// A write that is refused has not happened, and none is acknowledged in part: every write request meets a full disk at many fill
// levels, a limit, and the refusals of the framework. Either nothing has changed, or all of it, or the reply names what
// happened to each part.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Engine, open } from '@octavo/engine';
import { openRecords, type WriteOperation } from '@octavo/records';
import { SimulatedDisk } from '../../packages/engine/src/disk/simulated.ts';
import { indexDefaults } from '../../packages/server/src/wire/templates/index-defaults.ts';
import { type Answer, type Ask, askOver, server } from '../../packages/server/test/ask.ts';

const TEXT = 'red fox '.repeat(40);
const BULK = [
  '{"index":{"_index":"a","_id":"1"}}',
  `{"n":11,"t":"${TEXT}"}`,
  '{"delete":{"_index":"a","_id":"2"}}',
  '{"update":{"_index":"b","_id":"1"}}',
  '{"doc":{"n":33}}',
  '{"create":{"_index":"made","_id":"9"}}',
  '{"x":1}',
  '',
].join('\n');

/** Every kind of write of the search wire. */
const WRITES: readonly (readonly [line: string, body?: unknown])[] = [
  ['PUT /a/_doc/1', { n: 10, t: TEXT }],
  ['PUT /a/_doc/new', { n: 10, added: TEXT }],
  ['POST /a/_doc', { n: 10, t: TEXT }],
  ['PUT /a/_create/c', { n: 10, t: TEXT }],
  ['DELETE /a/_doc/1'],
  ['POST /a/_update/1', { doc: { n: 99, t: TEXT } }],
  ['POST /a/_update/up', { doc: { n: 99 }, doc_as_upsert: true }],
  ['PUT /fresh/_doc/1', { n: 10, t: TEXT }],
  ['POST /_bulk', BULK],
  ['POST /a,b/_delete_by_query', { query: { match_all: {} } }],
  ['POST /a,b/_update_by_query', { query: { match_all: {} } }],
  ['PUT /made', { mappings: { properties: { n: { type: 'long' } } }, aliases: { of_made: {} } }],
  ['DELETE /a'],
  ['DELETE /a,b'],
  ['POST /a,b/_close'],
  ['PUT /a,b/_block/write'],
  ['PUT /a,b/_alias/both'],
  ['DELETE /a,b/_alias/each'],
  ['POST /_aliases', { actions: [{ add: { index: 'a', alias: 'x' } }, { remove: { index: 'b', alias: 'each' } }, { remove_index: { index: 'blocked' } }] }],
  ['PUT /a,b/_mapping', { properties: { more: { type: 'keyword' } } }],
  ['PUT /a,b/_settings', { index: { max_result_window: 20_000 } }],
  ['PUT /_template/t', { index_patterns: ['t*'], settings: { number_of_replicas: 0 } }],
  ['DELETE /_template/old*'],
  ['PUT /_index_template/t', { index_patterns: ['t*'], template: { mappings: { properties: { n: { type: 'long' } } } } }],
  ['DELETE /_index_template/old'],
  ['PUT /_component_template/t', { template: { settings: { number_of_replicas: 0 } } }],
  ['DELETE /_component_template/old'],
  ['PUT /_cluster/settings', { transient: { 'action.destructive_requires_name': 'true' }, persistent: { 'action.auto_create_index': 'false' } }],
]; // biome-ignore format: a table

/** Free bytes of the disk, from none to enough. */
const FREE = [0, 150, 300, 500, 700, 1_000, 1_500, 2_500, 4_000, 8_000, Number.POSITIVE_INFINITY];

interface World {
  readonly ask: Ask;
  readonly disk: SimulatedDisk;
}

async function world(): Promise<World> {
  const disk = new SimulatedDisk();
  const engine: Engine = await open('', {
    disk,
    ballastBytes: 0,
    indexDefaults: (name) => indexDefaults(engine)(name),
  });
  const { ask } = await askOver(engine);
  after(() => engine.close());
  for (const index of ['a', 'b'])
    for (const id of ['1', '2', '3'])
      assert.equal((await ask(`PUT /${index}/_doc/${id}`, { n: Number(id) })).status, 201);
  for (const [line, body] of [
    ['PUT /blocked/_doc/1', { n: 1 }],
    ['PUT /blocked/_block/write'],
    ['PUT /a,b/_alias/each'],
    ['PUT /_template/old', { index_patterns: ['old*'] }],
    ['PUT /_template/old2', { index_patterns: ['old*'] }],
    ['PUT /_index_template/old', { index_patterns: ['older*'] }],
    ['PUT /_component_template/old', { template: {} }],
  ] as const)
    assert.ok((await ask(line, body)).status < 300, line);
  return { ask, disk };
}

/** Everything that writes change, without ids and times of the moment. */
async function state(ask: Ask): Promise<string> {
  const shown: string[] = [];
  for (const path of [
    '/_all?expand_wildcards=all',
    '/_template',
    '/_index_template',
    '/_component_template',
    '/_cluster/settings',
  ])
    shown.push((await ask(`GET ${path}`)).text);
  const { body } = await ask('POST /_all/_search?expand_wildcards=open&version=true', {
    size: 1_000,
    sort: ['_index'],
  });
  const hits = body.hits.hits as { _index: string; _id: string; _version: number; _source: unknown }[];
  shown.push(
    ...hits
      .map(({ _index, _id, _version, _source }) =>
        JSON.stringify([_index, /^[123a-z]{1,3}$/.test(_id) ? _id : 'made', _version, _source]),
      )
      .sort(),
  );
  return shown
    .join('\n')
    .replace(/"(uuid|creation_date|provided_name)":"[^"]*"/g, '"$1":""')
    .replace(/"(created|modified)_date[^,}]*/g, '');
}

/**
 * The index of a document, and its fields, are made before it, and stay if it is refused, as those of the peers do: for writes of
 * documents only what else there is has to be as before.
 */
function comparable(shown: string, line: string): string {
  return /_doc|_create|_update|_bulk/.test(line) ? shown.slice(shown.indexOf('\n')) : shown;
}

/** The reply names parts that were refused. */
function namesParts({ body }: Answer): boolean {
  return body?.errors === true || (body?.failures?.length ?? 0) > 0;
}

test('no write is acknowledged in part, at any fill level of the disk', async () => {
  for (const [line, body] of WRITES) {
    const whole = await world();
    const done = await whole.ask(line, body);
    assert.ok(done.status < 300 && !namesParts(done), `${line}: ${done.text}`);
    const complete = await state(whole.ask);
    let refused = 0;
    const { ask, disk } = await world();
    for (const free of FREE) {
      const before = await state(ask);
      disk.capacity = disk.used() + free;
      const answer = await ask(line, body);
      disk.capacity = Number.POSITIVE_INFINITY;
      const what = `${line} with ${free} free bytes: ${answer.status} ${answer.text.slice(0, 400)}`;
      const now = await state(ask);
      if (namesParts(answer)) {
        refused++;
        checkParts(answer, line, what);
        await checkBulk(ask, answer, what);
        break;
      }
      if (answer.status < 300) {
        assert.equal(now, complete, what);
        break;
      }
      refused++;
      assert.equal(answer.status, 507, what);
      assert.match(answer.text, /the disk is full.*(Free at least \d+ MB|Free some space)/, what);
      assert.equal(comparable(now, line), comparable(before, line), what);
    }
    assert.ok(refused > 0 || /DELETE/.test(line), `${line} was never refused`);
  }
});

/** Each refused part has its own status and reason. */
function checkParts({ body }: Answer, line: string, what: string): void {
  if (line !== 'POST /_bulk') {
    for (const { status, cause } of body.failures)
      assert.ok(status === 507 && /disk is full/.test(cause.reason), what);
    return;
  }
  for (const item of body.items) {
    const { status, error } = Object.values(item)[0] as { status: number; error?: { reason: string } };
    assert.ok(error === undefined ? status < 300 : status === 507 && /disk is full/.test(error.reason), what);
  }
}

/** What a bulk says of each document is so. */
async function checkBulk(ask: Ask, { body }: Answer, what: string): Promise<void> {
  for (const item of body.items ?? []) {
    const [kind, { _index, _id, error }] = Object.entries(item)[0] as [
      string,
      { _index: string; _id: string; error?: object },
    ];
    const found = (await ask(`GET /${_index}/_doc/${_id}`)).body;
    const isDone = {
      index: found._source?.n === 11,
      delete: found.found === false,
      update: found._source?.n === 33,
      create: found.found === true,
    }[kind];
    assert.equal(isDone, error === undefined, `${what}: ${kind}`);
  }
}

/** A request that is made wrong. */
type Changed = readonly [line: string, body: string | undefined, headers?: Record<string, string>];
type Change = (line: string, body: string | undefined) => Changed;

/** Refusals before anything is done, for any write. */
const REFUSALS: readonly (readonly [what: string, statuses: readonly number[], change: Change])[] = [
  ['an unknown parameter', [400], (line, body) => [`${line}?nonsense=1`, body]],
  ['a repeated slash of the path', [400, 405], (line, body) => [line.replace(' /', ' //%00'), body]],
  ['a line that is too long', [400, 414], (line, body) => [`${line}?pretty=${'x'.repeat(20_000)}`, body]],
  ['a foreign media type', [406, 415], (line, body) => [line, body ?? 'x', { 'content-type': 'application/xml' }]],
  ['a body that is cut', [400], (line, body) => [line, (body ?? '{"a":1}').slice(0, -1).replace(/[}\]]+\s*$/, ''), {}]],
  ['a body beyond the limit', [413], (line, body) => [line, (body ?? '{}') + ' '.repeat(60_000)]],
  ['a body that says it is compressed', [400], (line, body) => [line, body ?? 'x', { 'content-encoding': 'gzip' }]],
  ['a foreign web page', [403], (line, body) => [line, body, { origin: 'https://evil.example' }]],
  ['a foreign host', [403], (line, body) => [line, body, { host: 'evil.example' }]],
]; // biome-ignore format: a table

test('what a limit or the framework refuses has changed nothing', async () => {
  const disk = new SimulatedDisk();
  const engine: Engine = await open('', {
    disk,
    ballastBytes: 0,
    indexDefaults: (name) => indexDefaults(engine)(name),
  });
  after(() => engine.close());
  const { ask } = await askOver(engine, { limits: { bodyBytes: 50_000 } });
  for (const index of ['a', 'b']) await ask(`PUT /${index}/_doc/1`, { n: 1 });
  for (const [line, body] of WRITES) {
    const before = await state(ask);
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    for (const [kind, statuses, change] of REFUSALS) {
      // A request that takes no body ignores one.
      if (body === undefined && /body|media/.test(kind)) continue;
      const [changed, sent, headers] = change(line, text);
      const answer = await ask(changed, sent, headers);
      const what = `${line}, ${kind}: ${answer.status} ${answer.text.slice(0, 300)}`;
      assert.ok(statuses.includes(answer.status), what);
      assert.equal(comparable(await state(ask), line), comparable(before, line), what);
    }
  }
});

const FILL = { kind: 'write', name: 'odd.fill' } as WriteOperation<number | undefined, void>;

/** Writes of the application API, in an order in which each is possible. */
const API_WRITES: readonly (readonly [line: string, body?: unknown])[] = [
  ['POST /api/newsfeed', { author: 'ada', text: TEXT }],
  ['POST /api/chats', { id: 'second', title: 'T', members: ['ada'] }],
  ['POST /api/chats/lobby/messages', { author: 'ada', text: TEXT }],
  ['PATCH /api/chats/lobby', { title: 'Other' }],
  ['POST /api/accounts', { id: 'eve', currency: 'EUR' }],
  ['POST /api/transaction?from=bank&to=ada&money=1'],
  ['POST /api/transactions/batch', { transfers: Array.from({ length: 50 }, () => ({ from: 'bank', to: 'ada', money: '1', reference: TEXT.slice(0, 200) })) }],
  ['POST /api/holds', { from: 'ada', to: 'bank', money: '1' }],
  ['PUT /api/users/bob', { username: 'bob' }],
  ['POST /api/webhooks', { url: 'http://127.0.0.1:9/hook', types: ['item.created'] }],
  ['DELETE /api/chats/lobby'],
]; // biome-ignore format: a table

async function apiState(ask: Ask): Promise<string> {
  let shown = '';
  for (const path of [
    'newsfeed',
    'chats',
    'chats/lobby',
    'chats/lobby/messages',
    'accounts',
    'transactions',
    'holds',
    'users',
    'webhooks',
  ])
    shown += (await ask(`GET /api/${path}`)).text.replace(/"instance":"[^"]*"/, '');
  return shown;
}

test('a full disk of the records refuses each write whole, with 507', async () => {
  const extraOperations = new URL('../../packages/records/test/odd-operations.ts', import.meta.url).href;
  const records = await openRecords(':memory:', { extraOperations });
  after(() => records.close());
  const { ask } = await server({ records, webhookAllowPrivate: true });
  for (const [line, body] of [
    ['POST /api/accounts', { id: 'bank', currency: 'EUR', allow_negative: true }],
    ['POST /api/accounts', { id: 'ada', currency: 'EUR' }],
    ['POST /api/transaction?from=bank&to=ada&money=100'],
    ['POST /api/chats', { id: 'lobby', title: 'L', members: ['ada'] }],
  ] as const)
    assert.ok((await ask(line, body)).status < 300, line);
  let refused = 0;
  for (const [line, body] of API_WRITES) {
    for (const pages of [0, 1, 2, 4, undefined]) {
      const before = await apiState(ask);
      await records.write(FILL, pages);
      const answer = await ask(line, body);
      const what = `${line} with ${pages} free pages: ${answer.status} ${answer.text.slice(0, 300)}`;
      if (answer.status < 300) break;
      assert.equal(answer.status, 507, what);
      assert.equal(answer.body.code, 'store-full', what);
      assert.equal(await apiState(ask), before, what);
      refused++;
    }
    await records.write(FILL, undefined);
  }
  assert.ok(refused > 3, `${refused} refusals`);
});
