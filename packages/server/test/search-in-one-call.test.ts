// A search that waits for nothing has its answer, or its error, before the call returns. The clock of the
// test stands still, so that no time slice ends on a slow machine.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ANONYMOUS } from '../src/access/callers/principal.ts';
import { AnswerBytes } from '../src/access/limits/answer-bytes.ts';
import { openSealer } from '../src/access/sealer.ts';
import { Connections } from '../src/http/connections.ts';
import { limitsWith } from '../src/limits.ts';
import { NO_REMOTE } from '../src/wire/router/document-pages.ts';
import { TaskLog } from '../src/wire/router/task-log.ts';
import { Wire } from '../src/wire/router/wire.ts';
import type { WireExchange } from '../src/wire/router/wire-exchange.ts';
import { ROUTES } from '../src/wire/routes.ts';
import { SnapshotLeases } from '../src/wire/search/leases/snapshot-leases.ts';
import { ownEngine } from './own-engine.ts';

const { engine, end } = await ownEngine();
after(end);
const limits = limitsWith({});
const connections = new Connections(limits);
const wire = new Wire(ROUTES, {
  engine,
  limits,
  connections,
  principal: ANONYMOUS,
  answerBytes: new AnswerBytes(limits),
  keys: undefined,
  nodeId: 'n'.repeat(22),
  sealer: await openSealer(engine),
  snapshots: new SnapshotLeases(engine),
  tasks: new TaskLog(),
  remote: NO_REMOTE,
  options: { compat: 'opensearch', clusterName: 'octavo', nodeName: 'octavo-1' },
});
await engine.indices.create('few', { mappings: { properties: { n: { type: 'integer' } } } });
await engine.write(
  Array.from({ length: 30 }, (_, n) => {
    return { kind: 'index', index: 'few', id: `${n}`, source: Buffer.from(`{"n":${n}}`) };
  }),
);

interface Asked {
  /** What was sent when the call returned. */
  readonly status: number | undefined;
  readonly text: string;
  readonly ended: Promise<void> | void;
}

function ask(url: string, body: object, isLater = false): Asked {
  const bytes = Buffer.from(JSON.stringify(body));
  let sent: { status: number; text: string } | undefined;
  const exchange: WireExchange = {
    ...{ method: 'POST', url, principal: ANONYMOUS, mount: '', presetHeaders: [], routeName: '' },
    ...{ headers: { 'content-type': 'application/json' }, socket: {}, isComplete: true },
    ...{ isGone: false, hasHungUp: false },
    body: () => (isLater ? Promise.resolve(bytes) : bytes),
    onGone: () => () => {},
    get isAnswered() {
      return sent !== undefined;
    },
    send(status, _headers, body) {
      sent = { status, text: String(body) };
    },
    begin: () => assert.fail('an answer in parts'),
    report: (thrown) => assert.fail(String(thrown)),
  };
  const ended = wire.answer(exchange);
  return { status: sent?.status, text: sent?.text ?? '', ended };
}

const LISTS: readonly object[] = [
  { sort: ['n'], from: 20, size: 5 },
  { sort: ['n'], search_after: [12], size: 5 },
  { query: { match: { nothing: 'red' } } },
  { query: { term: { n: 3 } }, _source: ['n'], version: true },
  { sort: ['n'], tokens: true, from: 5, size: 5 },
  { query: { range: { n: { gte: 10 } } }, sort: [{ n: 'desc' }] },
  { query: { match_all: {} }, size: 3 },
];

for (const list of LISTS)
  test(`in one call: ${JSON.stringify(list)}`, (t) => {
    t.mock.method(performance, 'now', () => 1e6);
    for (const url of ['/few/_search', '/few/_search', '/few/_search?pretty', '/_search', '/f*/_search']) {
      const { status, ended, text } = ask(url, list);
      assert.equal(status, 200, `${url} ${text}`);
      assert.equal(ended, undefined);
    }
  });

test('errors in one call', (t) => {
  t.mock.method(performance, 'now', () => 1e6);
  for (const [url, body, status] of [
    ['/few/_search', { from: -1 }, 400],
    ['/few/_search', { query: { no_such_query: {} } }, 400],
    ['/few/_search', { sort: ['n'], search_after: ['x'] }, 400],
    ['/none/_search', {}, 404],
    ['/few/_search?no_such_parameter', {}, 400],
  ] as const) {
    const asked = ask(url, body);
    assert.equal(asked.status, status, asked.text);
    assert.equal(asked.ended, undefined);
  }
});

test('what comes later is answered when it is there', async () => {
  const { status, ended } = ask('/few/_search', { from: -1 }, true);
  assert.equal(status, undefined);
  await ended;
});
