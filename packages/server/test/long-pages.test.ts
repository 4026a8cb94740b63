// The event loop may turn while a long page is printed, and pages that are printed at the same time do not mix.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageReader, SearchPage, SearchRequest } from '@octavo/engine';
import { server } from './ask.ts';

const DOCS = 1_000;
/** Hits between two steps of a page of bytes. */
const HITS_AT_ONCE = 32;

const { ask, engine } = await server();

test('pages are printed in steps, as bytes and as trees', async (t) => {
  await engine.indices.create('long', { mappings: { properties: { n: { type: 'integer' } } } });
  await engine.write(
    Array.from({ length: DOCS }, (_, n) => {
      const source = Buffer.from(JSON.stringify({ n, text: `text ${n}` }));
      return { kind: 'index', index: 'long', id: `${n}`, source };
    }),
  );
  const bodies: readonly [object, number][] = [
    [{}, DOCS / HITS_AT_ONCE],
    [{ _source: ['n'] }, DOCS / HITS_AT_ONCE],
    [{ fields: ['*'] }, DOCS],
    [{ docvalue_fields: ['n'], sort: ['n'] }, DOCS],
    [{ version: true }, DOCS],
  ];
  const ids = async (body: object): Promise<string[]> => {
    const reply = await ask('POST /long/_search', { size: DOCS, ...body });
    assert.equal(reply.status, 200, reply.text);
    return reply.body.hits.hits.map((hit: { _id: string }) => hit._id);
  };
  const due = await ids({});
  assert.equal(due.length, DOCS);
  const search = engine.searchPage.bind(engine);
  for (const [body, least] of bodies) {
    let steps = 0;
    const counting = <R>(read: PageReader<R>): PageReader<R> =>
      function* (page: SearchPage) {
        const shown = read(page) as Generator<void, R | Promise<R>, undefined>;
        for (;;) {
          const step = shown.next();
          if (step.done === true) return step.value;
          steps++;
          // Another page is printed in between.
          if (steps === 2) yield search({ indices: ['long'], size: 40 }, (other) => other.result()) as never;
          yield;
        }
      };
    const mock = t.mock.method(engine, 'searchPage', (request: SearchRequest, read: PageReader<unknown>) =>
      search(request, counting(read)),
    );
    assert.deepEqual(await ids(body), due);
    assert.ok(steps >= Math.floor(least) - 1, `${steps} steps of ${JSON.stringify(body)}`);
    mock.mock.restore();
  }
  const all = await Promise.all(bodies.map(([body]) => ids(body)));
  for (const each of all) assert.deepEqual(each, due);
});
