// An answer is as large as what it shows: sources that are left out, or of which little is shown, do not count against the limit,
// in a page of bytes and in a tree; what is shown does.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const KB = 1_024;
const DOCS = 20;

const { app, engine, ask } = await server({ limits: { answerBytes: 256 * KB } });
after(() => app.close());
await engine.indices.create('a', {
  mappings: { properties: { n: { type: 'integer' }, t: { type: 'object', enabled: false } } },
});
await engine.write(
  Array.from({ length: DOCS }, (_, n) => ({
    ...({ kind: 'index', index: 'a', id: `${n}` } as const),
    source: Buffer.from(JSON.stringify({ n, t: 'x'.repeat(64 * KB) })),
  })),
);

/** A page of bytes, and searches that need a tree. */
const FORMS = { bytes: {}, tree: { version: true }, fields: { fields: ['n'] } };

for (const [form, more] of Object.entries(FORMS))
  test(`a search counts what it shows: ${form}`, onlyEmbedded('the limit is ours'), async () => {
    const search = { query: { match_all: {} }, size: DOCS, sort: [{ n: 'asc' }], ...more };
    for (const _source of [false, ['n'], { excludes: ['t'] }]) {
      const { status, body } = await ask('POST /a/_search', { ...search, _source });
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.hits.hits.length, DOCS);
      assert.deepEqual(body.hits.hits[7]._source, _source === false ? undefined : { n: 7 });
    }
    for (const _source of [true, ['t']]) {
      const { status, body } = await ask('POST /a/_search', { ...search, _source });
      assert.deepEqual([status, body.error.type], [429, 'circuit_breaking_exception'], String(_source));
    }
  });
