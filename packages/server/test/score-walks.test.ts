// Paging in score order sees what was there at the first page, whatever is deleted, sealed and merged
// meanwhile. Writes come in the middle of every search: before it reads anything, and between its end and its
// answer. The same for other users of snapshots: scrolls of an older one, groups of hits, long deletes by
// query.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Engine, SearchRequest } from '@octavo/engine';
import fc from 'fast-check';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

interface Found {
  readonly _id: string;
  readonly _score: number;
}

interface Group {
  readonly fields: object;
  readonly inner_hits: { readonly all: { readonly hits: { readonly hits: Found[] } } };
}

const { ask, engine } = await server();
const own: Engine['search'] = engine.search.bind(engine);
const { skip } = onlyEmbedded('its engine is looked into');

/** Has something done in the middle of each search of the index, and again when its hits are known. */
function beside(work: ((when: 'before' | 'behind') => Promise<unknown>) | undefined): void {
  engine.search = async (request: SearchRequest) => {
    if (work === undefined || !request.indices.includes('s')) return await own(request);
    const searched = own(request);
    const before = work('before');
    const result = await searched;
    await before;
    await work('behind');
    return result;
  };
}

async function remove(...ids: readonly string[]): Promise<void> {
  await engine.write(ids.map((id) => ({ kind: 'delete', index: 's', id })));
}

async function settle(): Promise<void> {
  await engine.indices.flush(['s']);
  await engine.indices.forceMerge(['s'], 1);
}

async function begin(): Promise<void> {
  beside(undefined);
  for (const { id } of engine.leases()) engine.closeLease(id);
  await ask('DELETE /s');
  const properties = { text: { type: 'text' }, group: { type: 'keyword' }, rank: { type: 'long' } };
  await ask('PUT /s', { mappings: { properties } });
  const lines = Array.from({ length: 40 }, (_, n) => {
    const text = `${'red '.repeat(1 + (n % 5))}${'blue '.repeat(n % 7)}`;
    return `{"index":{"_id":"d${n}"}}\n${JSON.stringify({ text, group: `g${n % 4}`, rank: n })}\n`;
  });
  await ask('POST /s/_bulk?refresh=true', lines.join(''));
}

beforeEach(begin);

const query = { match: { text: 'red' } };

async function walked(size: number): Promise<string[]> {
  const seen: string[] = [];
  for (let token: string | undefined, first = true; first || token !== undefined; first = false) {
    const at = token === undefined ? { tokens: true } : { next_token: token };
    const { status, body, text } = await ask('POST /s/_search', { query, size, ...at });
    assert.equal(status, 200, text);
    seen.push(...body.hits.hits.map(({ _id, _score }: Found) => `${_id} ${_score}`));
    token = body.next_token;
  }
  return seen;
}

test('what a merge drops between a page and its answer is still on the next page', { skip }, async () => {
  const expected = await walked(50);
  assert.equal(expected.length, 40);
  let isDone = false;
  beside(async (when) => {
    if (isDone || when === 'before') return;
    isDone = true;
    await remove(...expected.slice(5).map((hit) => hit.split(' ')[0]!));
    await settle();
  });
  assert.deepEqual(await walked(5), expected);
});

type Step = 'settle' | readonly number[] | { readonly ids: readonly number[]; readonly text: string };

async function apply(step: Step): Promise<void> {
  if (step === 'settle') return await settle();
  if ('text' in step) {
    const source = Buffer.from(JSON.stringify({ text: step.text, group: 'g0' }));
    await engine.write(step.ids.map((n) => ({ kind: 'index', index: 's', id: `d${n}`, source })));
  } else await remove(...step.map((n) => `d${n}`));
}

test('a walk gives its first moment, whatever is written, sealed and merged in the middle of its searches', {
  skip,
}, async () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      ids: fc.array(fc.nat({ max: 39 }), { maxLength: 6 }),
      text: fc.constantFrom('red', 'green'),
    }),
    fc.array(fc.nat({ max: 39 }), { maxLength: 12 }),
    { weight: 2, arbitrary: fc.constant('settle' as const) },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 2, maxLength: 12 }),
      fc.integer({ min: 2, max: 9 }),
      async (steps, size) => {
        await begin();
        const expected = await walked(50);
        const left = [...steps];
        beside(async () => {
          for (const step of left.splice(0, 3)) await apply(step);
        });
        assert.deepEqual(await walked(size), expected);
      },
    ),
    { numRuns: 40 },
  );
});

test('the groups of a page are those of its moment, and so are the values of its hits', {
  skip,
}, async () => {
  const inner = { name: 'all', size: 20 };
  const asked = {
    query,
    size: 4,
    docvalue_fields: ['rank'],
    collapse: { field: 'group', inner_hits: inner },
  };
  const groups = async (): Promise<unknown> => {
    const { status, body, text } = await ask('POST /s/_search', asked);
    assert.equal(status, 200, text);
    return body.hits.hits.map(({ fields, inner_hits }: Group) => [
      fields,
      inner_hits.all.hits.hits.map(({ _id }) => _id).sort(),
    ]);
  };
  const expected = await groups();
  // While the first group is searched: the page has been found, its hits have not been printed.
  let searches = 0;
  beside(async (when) => {
    if (when === 'behind' || ++searches !== 2) return;
    await remove(...Array.from({ length: 36 }, (_, n) => `d${n}`));
    await settle();
  });
  assert.deepEqual(await groups(), expected);
});

test('a page is kept for the next one only where there is one', { skip }, async () => {
  await ask('POST /s/_search', { query, size: 50, tokens: true });
  assert.equal(engine.leases().length, 0);
  await ask('POST /s/_search', { query, size: 5, tokens: true });
  assert.equal(engine.leases().length, 1);
});

test('a scroll of a moment that nobody keeps is refused, as a search of it is', { skip }, async () => {
  const before = engine.snapshot();
  await remove('d1');
  await settle();
  for (const path of ['/s/_search', '/s/_search?scroll=1m']) {
    const { status, body } = await ask(`POST ${path}`, { query, size: 50, as_of: before });
    assert.equal(status, 410, path);
    assert.equal(body.error.type, 'cursor_expired');
  }
});

test('a walk that deletes for longer than its lease lasts holds it on, and says where it has lost it', {
  skip,
}, async () => {
  const lives: (number | undefined)[] = [];
  const extend = engine.lease.bind(engine);
  engine.lease = (id, keepAliveMs) => {
    lives.push(keepAliveMs);
    return extend(id, keepAliveMs);
  };
  try {
    const { body } = await ask('POST /s/_delete_by_query?scroll_size=10', { query });
    assert.equal(body.deleted, 40);
    assert.ok(lives.filter((life) => life !== undefined).length >= 3, 'extended for each page');
  } finally {
    engine.lease = extend;
  }
  await begin();
  let searches = 0;
  beside(async (when) => {
    if (when === 'behind' && ++searches === 2)
      for (const { id } of engine.leases('by-query')) engine.closeLease(id);
  });
  const { status, body } = await ask('POST /s/_delete_by_query?scroll_size=10', { query });
  assert.equal(status, 404);
  assert.equal(body.error.root_cause[0].type, 'search_context_missing_exception');
});
