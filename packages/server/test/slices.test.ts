// Slices of scrolls and points in time, and tokens of formatted sorts, over HTTP and a real engine.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { server } from './ask.ts';
import { TEST_DOCUMENTS } from './over-cluster.ts';

const { ask } = await server();

before(async () => {
  await ask('PUT /s', { mappings: { properties: { n: { type: 'long' }, d: { type: 'date' } } } });
  for (let i = 0; i < 20; i++)
    await ask(`PUT /s/_doc/${i}`, { n: i, d: `2024-01-01T00:00:${String(i).padStart(2, '0')}.000Z` });
});

const ids = (body: { hits: { hits: { _id: string }[] } }): string[] => body.hits.hits.map((hit) => hit._id);
const sorted = Array.from({ length: 20 }, (_, i) => String(i)).sort();

test('the slices of a scroll are the whole list', async () => {
  const found: string[] = [];
  for (const field of [undefined, 'n']) {
    found.length = 0;
    for (let id = 0; id < 3; id++) {
      const slice = field === undefined ? { id, max: 3 } : { id, max: 3, field };
      const first = await ask('POST /s/_search?scroll=1m', { slice, size: 4, sort: ['n'] });
      let page = first;
      const mine: string[] = [];
      while (ids(page.body).length > 0) {
        mine.push(...ids(page.body));
        page = await ask('POST /_search/scroll', { scroll: '1m', scroll_id: first.body._scroll_id });
      }
      assert.equal(first.body.hits.total.value, mine.length);
      found.push(...mine);
    }
    assert.deepEqual([...found].sort(), sorted);
  }
});

test('the slices of a point in time are the whole list', async () => {
  const { pit_id: id } = (await ask('POST /s/_search/point_in_time?keep_alive=1m')).body;
  const found: string[] = [];
  for (const slice of [0, 1]) {
    found.push(
      ...ids((await ask('POST /_search', { pit: { id }, slice: { id: slice, max: 2 }, size: 20 })).body),
    );
  }
  assert.deepEqual(found.sort(), sorted);
});

test('slices that make no sense', async () => {
  const reasons: [unknown, string, string?][] = [
    [{ id: 0, max: 1 }, '[1:24] [slice] failed to parse field [max]', 'max must be greater than 1'],
    [{ id: 2, max: 2 }, '[1:24] [slice] failed to parse field [max]', 'max must be greater than id'],
    [
      { id: -1, max: 2 },
      '[1:16] [slice] failed to parse field [id]',
      'id must be greater than or equal to 0',
    ],
    [{ id: 0, max: 2, zz: 1 }, '[1:26] [slice] unknown field [zz]'],
    [{ id: 'a', max: 2 }, '[1:16] [slice] failed to parse field [id]', 'For input string: "a"'],
    [
      { id: 0, max: 2, field: '' },
      '[1:34] [slice] failed to parse field [field]',
      'field name is null or empty',
    ],
    [{ max: 2 }, '[slice] needs both [id] and [max]'],
    [[], 'Unknown key for a START_ARRAY in [slice].'],
  ];
  for (const [slice, reason, cause] of reasons) {
    const { body, status } = await ask('POST /s/_search?scroll=1m', { slice });
    assert.equal(status, 400);
    assert.equal(body.error.reason, reason);
    assert.equal(body.error.caused_by?.reason, cause);
  }
  const many = await ask('POST /s/_search?scroll=1m', { slice: { id: 0, max: 1025 } });
  assert.match(many.body.error.root_cause[0].reason, /^The number of slices \[1025\] is too large/);
  const bare = await ask('POST /s/_search', { slice: { id: 0, max: 2 } });
  assert.equal(bare.status, 400);
  assert.match(bare.body.error.root_cause[0].reason, /cannot be used outside of a scroll context/);
});

test('a token of a sort that is formatted to the day still stands on its second', async () => {
  const sort = [{ d: { order: 'asc', format: 'yyyy-MM-dd' } }];
  const walked: string[] = [];
  let token: string | undefined;
  for (let page = 0; page < 8; page++) {
    const { body } = await ask('POST /s/_search', {
      sort,
      size: 3,
      ...(token === undefined ? { tokens: true } : { next_token: token }),
    });
    // Where a cluster is walked, values are shown as they are compared.
    if (TEST_DOCUMENTS === undefined) assert.deepEqual(body.hits.hits[0].sort, ['2024-01-01']);
    walked.push(...ids(body));
    token = body.next_token;
    if (token === undefined) break;
  }
  assert.deepEqual(
    walked,
    Array.from({ length: 20 }, (_, i) => String(i)),
  );
});
