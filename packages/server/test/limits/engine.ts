// The rows of limits of the engine, lowered, and raised so that a request that the default refuses is
// accepted.

import assert from 'node:assert/strict';
import type { Ask } from '../ask.ts';
import { type Rows, refused, taken, under } from './row.ts';

type Names =
  | 'pageSize'
  | 'nesting'
  | 'fieldsPerIndex'
  | 'clauses'
  | 'automatonStates'
  | 'analyzedChars'
  | 'openLeases'
  | 'keepAliveMaxMs'
  | 'idBytes';

const HOUR = 3_600_000;

/** A document with fields inside each other. */
const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
/** One with so many fields. */
const wide = (fields: number): object =>
  Object.fromEntries(Array.from({ length: fields }, (_, i) => [`f${i}`, i]));
/** A query of so many clauses. */
const clauses = (count: number): object => ({
  query: { bool: { should: Array.from({ length: count }, (_, i) => ({ term: { t: `w${i}` } })) } },
});
/** An expression that needs many states for what it is shown. */
const EXPRESSION = { query: { regexp: { 't.keyword': '(a|b)*a(a|b){12}' } } };

async function withDocument(ask: Ask): Promise<void> {
  taken(await ask('PUT /a/_doc/1', { t: 'abbabaabbbabaabababbab' }));
}

const scrolled = async (ask: Ask, keepAlive = '1m'): Promise<string> =>
  taken(await ask(`POST /a/_search?scroll=${keepAlive}&size=1`)).body._scroll_id;

export const ENGINE_ROWS: Rows<Names> = {
  async pageSize() {
    const few = (await under({ pageSize: 3 })).ask;
    for (let i = 0; i < 5; i++) taken(await few(`PUT /a/_doc/${i}`, {}));
    refused(await few('POST /a/_search?size=4'), 400, /less than or equal to: \[3\]/);
    refused(await few('POST /a/_search?size=4&scroll=1m'), 400, /\[3\]/);
    assert.equal(taken(await few('POST /a/_search')).body.hits.hits.length, 3, 'who does not say how many');
    const many = (await under({ pageSize: 50_000 })).ask;
    const lines = Array.from({ length: 11_000 }, (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i}}\n`);
    taken(await many('POST /a/_bulk', lines.join('')));
    for (const paging of ['', '&sort=n', '&from=10', '&scroll=1m']) {
      const answer = taken(await many(`POST /a/_search?size=10990&_source=false${paging}`));
      assert.equal(answer.body.hits.hits.length, 10_990, paging);
    }
  },
  async analyzedChars() {
    const { ask } = await under({ analyzedChars: 100 });
    await withDocument(ask);
    const text = (length: number): string => 'wo '.repeat(length).slice(0, length);
    for (const length of [100, 101]) {
      const queries = [
        { match: { t: text(length) } },
        { match_phrase: { t: text(length) } },
        { multi_match: { query: text(length), fields: ['t', 'u'] } },
        { simple_query_string: { query: `"${text(length)}"`, fields: ['t'] } },
      ];
      const answers = [await ask('POST /_analyze', { text: text(length) })];
      answers.push(await ask('POST /_analyze', { text: [text(50), text(length - 50)] }));
      for (const query of queries) answers.push(await ask('POST /a/_search', { query }));
      for (const answer of answers)
        if (length === 100) taken(answer);
        else refused(answer, 400, /has \[101\] characters.*maximum of \[100\].*analyzedChars/);
    }
  },
  async nesting() {
    const { ask } = await under({ nesting: 8 });
    taken(await ask('PUT /a', { mappings: { properties: { a: { type: 'object', enabled: false } } } }));
    for (const nested of [8, 9]) {
      const checks: [string, unknown][] = [
        ['PUT /a/_doc/1', deep(nested)],
        ['PUT /a/_doc/1?routing=1', deep(nested)],
        [
          'POST /a/_search',
          { query: { terms: { t: [JSON.parse('[]')] } }, ext: JSON.parse(deep(nested - 1)) },
        ],
        ['POST /a/_update/1', `{"doc":${deep(nested - 1)}}`],
        ['POST /_msearch', `{"index":"a"}\n{"ext":${deep(nested - 1)}}\n`],
      ];
      for (const [line, body] of checks) {
        const answer = await ask(line, body);
        const isRefused = /nesting depth \(9\) exceeds the maximum allowed \(8\)/.test(answer.text);
        assert.equal(isRefused, nested === 9, `${line}: ${answer.text}`);
      }
      const items = taken(await ask('POST /a/_bulk', `{"index":{}}\n${deep(nested)}\n`)).body.items;
      assert.equal(items[0].index.status, nested === 9 ? 400 : 201);
    }
    const lax = (await under({ nesting: 500 })).ask;
    taken(await lax('PUT /a', { mappings: { properties: { a: { type: 'object', enabled: false } } } }));
    taken(await lax('PUT /a/_doc/1', deep(500)));
    taken(await lax('POST /a/_update/1', { doc: { b: 1 } }));
    assert.ok(taken(await lax('GET /a/_search')).text.includes(deep(499)));
    taken(await lax('POST /a/_update/1', `{"doc":${deep(400)}}`));
  },
  async fieldsPerIndex() {
    const { ask } = await under({ fieldsPerIndex: 3 });
    refused(await ask('PUT /a/_doc/1', wide(4)), 400, /Limit of total fields \[3\]/);
    taken(await ask('PUT /a/_doc/1', wide(3)));
    refused(await ask('PUT /a/_mapping', { properties: { z: { type: 'long' } } }), 400, /\[3\]/);
    const { body } = await ask('GET /a/_settings?include_defaults&flat_settings');
    assert.equal(body.a.defaults['index.mapping.total_fields.limit'], '3');
    // An index that sets its own has that.
    const settings = { 'index.mapping.total_fields.limit': 5 };
    taken(await ask('PUT /a/_settings', settings));
    taken(await ask('PUT /a/_doc/2', wide(5)));
    taken(await ask('PUT /own', { settings }));
    taken(await ask('PUT /own/_doc/1', wide(5)));
    refused(await ask('PUT /own/_doc/1', wide(6)), 400, /\[5\]/);
    const mappings = {
      properties: Object.fromEntries(Object.keys(wide(4)).map((f) => [f, { type: 'long' }])),
    };
    refused(await ask('PUT /_template/t', { index_patterns: ['t*'], mappings }), 400, /\[3\]/);
    const more = (await under({ fieldsPerIndex: 1_500 })).ask;
    taken(await more('PUT /a/_doc/1', wide(1_400)));
    taken(await more('PUT /_index_template/t', { index_patterns: ['t*'], template: { mappings } }));
  },
  async clauses() {
    const few = (await under({ clauses: 5 })).ask;
    await withDocument(few);
    refused(await few('POST /a/_search', clauses(6)), 400, /too_many_clauses.*set to 5|maxClauseCount.*5/);
    taken(await few('POST /a/_search', clauses(5)));
    taken(
      await few('PUT /a/_doc/2', Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`s${i}`, 'x']))),
    );
    const everywhere = { query: { multi_match: { query: 'x', fields: ['s*'] } } };
    refused(await few('POST /a/_search', everywhere), 400, /limit: 5/);
    const many = (await under({ clauses: 3_000 })).ask;
    await withDocument(many);
    taken(await many('POST /a/_search', clauses(3_000)));
  },
  async automatonStates() {
    const few = (await under({ automatonStates: 4 })).ask;
    await withDocument(few);
    refused(await few('POST /a/_search', EXPRESSION), 400, /more than 4 states/);
    const string = { query: { query_string: { query: 't.keyword:/(a|b)*a(a|b){12}/' } } };
    refused(await few('POST /a/_search', string), 400, /more than 4 states/);
    const many = (await under({ automatonStates: 50_000 })).ask;
    const usual = (await under({})).ask;
    for (const ask of [many, usual]) {
      taken(await ask('PUT /a', { mappings: { properties: { t: { type: 'keyword' } } } }));
      taken(await ask('PUT /a/_doc/1', { t: 'x'.repeat(20_000) }));
    }
    // Each character of the document makes another state.
    const counted = { query: { regexp: { t: '(x{150}){150}' } } };
    refused(await usual('POST /a/_search', counted), 400, /more than 10000 states/);
    taken(await many('POST /a/_search', counted));
  },
  async openLeases() {
    const { ask } = await under({ openLeases: 3 });
    await withDocument(ask);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push(await scrolled(ask));
    const next = async (id: string): Promise<number> =>
      (await ask('POST /_search/scroll', { scroll: '1m', scroll_id: id })).status;
    assert.deepEqual(await Promise.all(ids.map(next)), [404, 404, 200, 200, 200]);
    const figures = (await ask('GET /_stats/search')).body._all.total.search;
    assert.equal(figures.open_contexts, 3);
  },
  async keepAliveMaxMs() {
    const short = (await under({ keepAliveMaxMs: 5_000 })).ask;
    await withDocument(short);
    for (const line of ['POST /a/_search?scroll=6s', 'POST /a/_search/point_in_time?keep_alive=6s'])
      refused(await short(line), 400, /is too large. It must be less than \(5s\)/);
    await scrolled(short, '5s');
    const { body } = await short('GET /_cluster/settings?include_defaults&flat_settings');
    assert.equal(body.defaults['search.max_keep_alive'], '5000ms');
    const long = (await under({ keepAliveMaxMs: 48 * HOUR })).ask;
    await withDocument(long);
    const id = await scrolled(long, '25h');
    taken(await long('POST /_search/scroll', { scroll: '26h', scroll_id: id }));
    taken(await long('POST /a/_search/point_in_time?keep_alive=48h'));
  },
  async idBytes() {
    const { ask } = await under({ idBytes: 5 });
    for (const [line, body] of [
      ['PUT /a/_doc/123456', {}],
      ['PUT /a/_create/123456?routing=1', {}],
      ['POST /a/_update/123456', { doc: {}, doc_as_upsert: true }],
      [`PUT /a/_doc/${encodeURIComponent('öää')}`, {}],
    ] as const)
      refused(await ask(line, body), 400, /is too long, must be no longer than 5 bytes but was: 6/);
    const all = await ask('POST /a/_bulk', '{"index":{"_id":"123456"}}\n{}\n');
    refused(all, 400, /no longer than 5 bytes/);
    taken(await ask('PUT /a/_doc/12345', {}));
    taken(await ask('POST /a/_doc', {}));
    assert.equal((await ask('DELETE /a/_doc/123456')).status, 404, 'what is there can be deleted');
    await assert.rejects(under({ idBytes: 513 }), /idBytes can be 512 at most/);
  },
};
