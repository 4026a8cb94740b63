// A search without time to finish gets 200, `timed_out: true`, and what was found so far. The clock is the
// test's: every reading of it takes a millisecond.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';

const INDICES = 40;
const DOCS = 5;
const { ask } = await server();
let body = '';
for (let i = 0; i < INDICES * DOCS; i++) {
  const index = `t${String(i % INDICES).padStart(2, '0')}`;
  body += `{"index":{"_index":"${index}","_id":"${i}"}}\n${JSON.stringify({ n: i, k: `key${i * 7919}`, t: `fox ${i}` })}\n`;
}
assert.equal((await ask('POST /_bulk?refresh=true', body)).body.errors, false);

const QUERIES: Readonly<Record<string, object>> = {
  scored: { query: { match: { t: 'fox' } } },
  'one automaton and another': {
    query: {
      bool: { must: [{ regexp: { 'k.keyword': 'k(e|y|[0-9])*' } }, { wildcard: { 'k.keyword': '*y*' } }] },
    },
  },
  sorted: { query: { match: { t: 'fox' } }, sort: [{ n: 'desc' }] },
  counted: { query: { wildcard: { 'k.keyword': 'k*y*' } }, size: 0 },
};

for (const [what, query] of Object.entries(QUERIES)) {
  test(`${what}: cut where the time is over, whole where there is enough`, async (t) => {
    // So many looks at the clock, planning among them, end in the middle of the indices.
    const ms = 80;
    let now = 1e6;
    t.mock.method(performance, 'now', () => (now += 1));
    // First: what a search has found of its filters is kept for the next one.
    for (const [path, more] of [
      [`POST /t*/_search?timeout=${ms}ms`, {}],
      ['POST /t*/_search', { timeout: `${ms}ms` }],
    ] as const) {
      const cut = await ask(path, { size: 200, ...query, ...more });
      assert.equal(cut.status, 200, cut.text);
      assert.equal(cut.body.timed_out, true);
      const { total, hits } = cut.body.hits;
      assert.ok(total.value > 0 && total.value < INDICES * DOCS, `${total.value} found`);
      assert.equal(cut.body._shards.failed, 0);
      if (what === 'counted') continue;
      assert.equal(hits.length, total.value);
      for (const hit of hits) assert.equal(hit._source.n, Number(hit._id));
    }
    const whole = await ask('POST /t*/_search?timeout=1h&size=200', query);
    assert.equal(whole.status, 200, whole.text);
    assert.equal(whole.body.timed_out, false);
    assert.equal(whole.body.hits.total.value, INDICES * DOCS);
  });
}

test('no time at all is a time, too: in the body, the query string and each search of an _msearch', async () => {
  const searches = { ...QUERIES, all: {}, 'all, sorted': { sort: ['n'] } };
  for (const [what, query] of Object.entries(searches)) {
    // Twice: what is remembered of a search takes no time, and the reply says all the same that there was none.
    for (const round of ['first', 'again']) {
      for (const zero of ['0ms', '0s', '0']) {
        const replies = [
          (await ask('POST /t*/_search', { ...query, timeout: zero })).body,
          (await ask(`POST /t*/_search?timeout=${zero}`, query)).body,
          (await ask('POST /t*/_msearch', `{}\n${JSON.stringify({ ...query, timeout: zero })}\n`)).body
            .responses[0],
        ];
        for (const reply of replies) assert.equal(reply.timed_out, true, `${what}, ${round}, ${zero}`);
      }
      assert.equal((await ask('POST /t*/_search', { ...query, timeout: '-1' })).body.timed_out, false, what);
    }
  }
});
