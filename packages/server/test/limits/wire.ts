// The rows of limits of the search wire.

import assert from 'node:assert/strict';
import type { SearchPage, SearchRequest } from '@octavo/engine';
import { ANONYMOUS } from '../../src/access/callers/principal.ts';
import { type Rows, refused, taken, under } from './row.ts';

type Names =
  | 'bodyBytes'
  | 'uriBytes'
  | 'queryTimeMs'
  | 'leasesPerKey'
  | 'leaseStateBytes'
  | 'bulkItems'
  | 'mgetItems'
  | 'msearchItems'
  | 'tokenBytes';

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
