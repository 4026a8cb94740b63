// The rows of limits of the search wire.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import type { SearchPage, SearchRequest } from '@octavo/engine';
import { ANONYMOUS } from '../../src/access/callers/principal.ts';
import type { LimitName } from '../../src/limits.ts';
import { eventually } from '../eventually.ts';
import { listening, type Rows, refused, taken, under } from './row.ts';

type Names =
  | 'bodyBytes'
  | 'uriBytes'
  | 'queryTimeMs'
  | 'jsonBodyBytes'
  | 'jsonValues'
  | 'answerBytes'
  | 'answersBytes'
  | 'callerAnswersBytes'
  | 'leasesPerKey'
  | 'leaseStateBytes'
  | 'bulkItems'
  | 'mgetItems'
  | 'msearchItems'
  | 'tokenBytes';

const MB = 1_048_576;

/** A client that does not read its 8 MB leaves no room for as much, until it goes. */
async function oneIsUnread(limits: Partial<Record<LimitName, number>>, says: RegExp): Promise<void> {
  const { ask, port } = await listening(limits);
  taken(await ask('PUT /a/_doc/1', { t: 'x'.repeat(8 * MB) }));
  const unread = connect({ port, host: '127.0.0.1' });
  unread.pause();
  unread.write('GET /a/_doc/1 HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await eventually(async () => refused(await ask('GET /a/_doc/1'), 429, says));
  refused(await ask('POST /a/_search'), 429, says);
  const { docs } = taken(await ask('POST /a/_mget', { ids: ['1'] })).body;
  assert.match(docs[0].error.reason, says);
  unread.destroy();
  await eventually(async () => taken(await ask('GET /a/_doc/1')));
}

const many = (text: string, count: number): string => text.repeat(count);

export const WIRE_ROWS: Rows<Names> = {
  async bodyBytes() {
    const { ask } = await under({ bodyBytes: 100 });
    taken(await ask('PUT /a/_doc/1', { t: 'x'.repeat(80) }));
    refused(await ask('PUT /a/_doc/1', { t: 'x'.repeat(100) }), 413, /limit of \[100\] bytes/);
  },
  async uriBytes() {
    const { ask } = await under({ uriBytes: 100 });
    refused(await ask(`GET /${'x'.repeat(100)}/_search`), 414, /larger than 100 bytes/);
    refused(await ask(`GET /api/${'x'.repeat(100)}`), 414, /longer than 100 bytes/);
  },
  async queryTimeMs(t) {
    const { ask, engine } = await under({ queryTimeMs: 4_321 });
    taken(await ask('PUT /a/_doc/1', {}));
    const search = engine.searchPage.bind(engine);
    const times: (number | undefined)[] = [];
    t.mock.method(engine, 'searchPage', (request: SearchRequest, read: (page: SearchPage) => unknown) => {
      times.push(request.timeoutMs);
      return search(request, read);
    });
    taken(await ask('POST /a/_search', { sort: ['_doc'] }));
    taken(await ask('POST /a/_search', { sort: ['_doc'], timeout: '5s' }));
    assert.deepEqual(times, [4_321, 5_000]);
  },
  async answerBytes() {
    const { ask } = await under({ answerBytes: 20_000 });
    const line = `${JSON.stringify({ t: 'x'.repeat(5_000) })}\n`;
    taken(await ask('POST /a/_bulk', many(`{"index":{}}\n${line}`, 6)));
    taken(await ask('PUT /a/_doc/long', { t: 'x'.repeat(21_000) }));
    taken(await ask('POST /a/_search?size=3'));
    for (const line of [
      'POST /a/_search?size=6',
      'POST /a/_search?size=6&pretty',
      'POST /a/_search?size=6&version',
      'POST /a/_search?size=6&scroll=1m',
      'GET /a/_doc/long',
      'GET /a/_source/long',
    ]) {
      const answer = await ask(line);
      refused(
        answer,
        429,
        /^\{\s*"error"\s*:.*circuit_breaking_exception.*\[answerBytes\] Data too large.*limit of \[20000\//s,
      );
      assert.equal(answer.body.error.bytes_limit, 20_000);
    }
    const collapse = { field: 't.keyword', inner_hits: { name: 'same', size: 6 } };
    refused(await ask('POST /a/_search', { collapse }), 429, /answerBytes/);
    // Of a list the items from the first beyond it.
    const small = `{}\n{"size":3}\n{}\n{"size":3}\n{}\n{"size":0}\n`;
    const { responses } = taken(await ask('POST /a/_msearch', small)).body;
    assert.deepEqual(
      responses.map((each: { status: number }) => each.status),
      [200, 429, 429],
    );
    const { docs } = taken(await ask('POST /a/_mget', { ids: ['none', 'long', 'none'] })).body;
    assert.equal(docs[1].error.type, 'circuit_breaking_exception');
    assert.deepEqual([docs[0].found, docs[2].error.bytes_limit], [false, 20_000]);
    // What was written has to be reported.
    const { items } = taken(await ask('POST /a/_bulk', many('{"index":{}}\n{}\n', 500))).body;
    assert.equal(items.length, 500);
  },
  async answersBytes() {
    await oneIsUnread({ answersBytes: 12 * MB, callerAnswersBytes: 100 * MB }, /\[answersBytes\]/);
  },
  async callerAnswersBytes() {
    await oneIsUnread({ callerAnswersBytes: 12 * MB }, /\[callerAnswersBytes\]/);
  },
  async jsonBodyBytes() {
    const { ask } = await under({ jsonBodyBytes: 1_000 });
    const text = 'x'.repeat(1_000);
    taken(await ask('PUT /a/_doc/1', { text }));
    taken(await ask('POST /a/_bulk', `{"update":{"_id":"1"}}\n{"doc":{"text":"${text}y"}}\n`));
    taken(await ask('POST /a/_search', { query: { match: { text: 'x' } } }));
    for (const [line, body] of [
      ['POST /a/_search', { query: { match: { text } } }],
      ['POST /a/_count', { query: { match: { text } } }],
      ['POST /_analyze', { text }],
      ['PUT /b', { mappings: { _meta: { text } } }],
      ['POST /a/_mget', { ids: [text] }],
      ['POST /a/_msearch', `{}\n${JSON.stringify({ query: { match: { text } } })}\n`],
    ] as const)
      refused(await ask(line, body), 413, /more than the limit of \[1000\] \(jsonBodyBytes\)/);
  },
  async jsonValues() {
    const { ask } = await under({ jsonValues: 100 });
    const ids = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i}`);
    const find = (count: number): object => ({ query: { ids: { values: ids(count) } } });
    taken(await ask('PUT /a/_doc/1', { list: ids(200) }));
    taken(await ask('POST /a/_search', find(80)));
    for (const [line, body] of [
      ['POST /a/_search', find(100)],
      ['POST /a/_msearch', `{}\n${JSON.stringify(find(100))}\n`],
      ['POST /a/_search', Object.fromEntries(ids(30).map((id) => [id, 1]))],
    ] as const)
      refused(await ask(line, body), 400, /Value count exceeds the maximum allowed/);
  },
  async leasesPerKey() {
    const authenticate = (): typeof ANONYMOUS => ({ ...ANONYMOUS, id: 'key:s', scopes: ['search:*'] });
    const { ask } = await under({ leasesPerKey: 2 }, { authenticate, keyless: () => false });
    taken(await ask('PUT /a'));
    for (let i = 0; i < 2; i++) taken(await ask('POST /a/_search?scroll=1m'));
    refused(await ask('POST /a/_search?scroll=1m'), 429, /leasesPerKey/);
  },
  async leaseStateBytes() {
    const { ask } = await under({ leaseStateBytes: 100 });
    taken(await ask('PUT /a'));
    const asking = (length: number): object => ({ query: { match: { t: 'x'.repeat(length) } } });
    refused(await ask('POST /a/_search?scroll=1m', asking(100)), 400, /may have \[100\] bytes at most/);
    taken(await ask('POST /a/_search?scroll=1m', asking(10)));
  },
  async bulkItems() {
    const { ask } = await under({ bulkItems: 2 });
    taken(await ask('POST /a/_bulk', many('{"index":{}}\n{}\n', 2)));
    refused(await ask('POST /a/_bulk', many('{"index":{}}\n{}\n', 3)), 400, /more than \[2\] actions/);
  },
  async mgetItems() {
    const { ask } = await under({ mgetItems: 2 });
    taken(await ask('PUT /a'));
    taken(await ask('POST /a/_mget', { ids: ['1', '2'] }));
    refused(await ask('POST /a/_mget', { ids: ['1', '2', '3'] }), 400, /more than \[2\] documents/);
  },
  async msearchItems() {
    const { ask } = await under({ msearchItems: 2 });
    taken(await ask('PUT /a'));
    taken(await ask('POST /a/_msearch', many('{}\n{}\n', 2)));
    refused(await ask('POST /a/_msearch', many('{}\n{}\n', 3)), 400, /more than \[2\] searches/);
  },
  async tokenBytes() {
    const mappings = { properties: { k: { type: 'keyword' } } };
    const walk = { size: 1, sort: ['k'], tokens: true };
    const text = (i: number): string => `${i}`.repeat(3_000);
    const [short, usual, long] = [
      await under({ tokenBytes: 100 }),
      await under({}),
      await under({ tokenBytes: 20_000 }),
    ];
    for (const { ask } of [short, usual, long]) {
      taken(await ask('PUT /a', { mappings }));
      for (let i = 1; i < 4; i++) taken(await ask(`PUT /a/_doc/${i}`, { k: text(i) }));
    }
    const next_token = 'v0.'.padEnd(101, 'A');
    refused(await short.ask('POST /a/_search', { ...walk, next_token }), 400, /cursor_invalid/);
    // Also where one would have to be made.
    for (const { ask } of [short, usual])
      refused(await ask('POST /a/_search', walk), 400, /too long for a token/);
    const seen: string[] = [];
    let token: string | undefined;
    do {
      const { body } = taken(
        await long.ask('POST /a/_search', { ...walk, ...(token && { next_token: token }) }),
      );
      seen.push(body.hits.hits[0]._id);
      token = body.next_token;
    } while (token !== undefined);
    assert.deepEqual(seen, ['1', '2', '3']);
  },
};
