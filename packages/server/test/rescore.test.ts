// `rescore` gives the hits and scores that OpenSearch 3.1 gives for the same documents (the expected numbers are its
// answers), and refuses what it cannot combine with.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';

const { ask } = await server();
await ask('PUT /r', { mappings: { properties: { t: { type: 'text' }, m: { type: 'long' } } } });
for (const [i, t] of ['a b c', 'a a d', 'b d', 'a b d e', 'd'].entries()) {
  await ask(`PUT /r/_doc/${i + 1}?refresh=true`, { t, m: i });
}

const QUERY = { match: { t: 'a b d' } };
const B = { rescore_query: { match: { t: 'b' } } };

type Hits = readonly (readonly [id: string, score: number])[];

const CASES: readonly (readonly [members: object, best: number, hits: Hits])[] = [
  [
    { rescore: { query: { ...B } } },
    0.7094765,
    [
      ['4', 0.7094765],
      ['1', 0.6914758],
      ['3', 0.68547404],
      ['2', 0.4459231],
      ['5', 0.17476013],
    ],
  ],
  [
    { rescore: { query: { ...B, score_mode: 'multiply' } } },
    0.4459231,
    [
      ['2', 0.4459231],
      ['5', 0.17476013],
      ['3', 0.11225608],
      ['1', 0.106253065],
      ['4', 0.102133706],
    ],
  ],
  [
    { rescore: { query: { ...B, score_mode: 'avg' } } },
    0.4459231,
    [
      ['2', 0.4459231],
      ['4', 0.35473824],
      ['1', 0.3457379],
      ['3', 0.34273702],
      ['5', 0.17476013],
    ],
  ],
  [
    { rescore: { query: { ...B, score_mode: 'max' } } },
    0.5087041,
    [
      ['4', 0.5087041],
      ['1', 0.46098387],
      ['2', 0.4459231],
      ['3', 0.41493523],
      ['5', 0.17476013],
    ],
  ],
  [
    { rescore: { query: { ...B, score_mode: 'min' } } },
    0.4459231,
    [
      ['2', 0.4459231],
      ['3', 0.2705388],
      ['1', 0.23049194],
      ['4', 0.20077232],
      ['5', 0.17476013],
    ],
  ],
  [
    { rescore: { window_size: 2, query: { ...B, query_weight: 0.5, rescore_query_weight: 3 } } },
    0.92196774,
    [
      ['1', 0.92196774],
      ['4', 0.85666907],
      ['2', 0.22296154],
      ['3', 0.20746762],
      ['5', 0.08738007],
    ],
  ],
  [
    { size: 2, rescore: { window_size: 1, query: B } },
    0.7094765,
    [
      ['4', 0.7094765],
      ['1', 0.46098387],
    ],
  ],
  [{ size: 1, rescore: { window_size: 4, query: { ...B, query_weight: 0 } } }, 0.2705388, [['3', 0.2705388]]],
  [
    { from: 1, size: 1, rescore: { window_size: 4, query: { ...B, query_weight: 0.1 } } },
    0.31203234,
    [['1', 0.27659032]],
  ],
  [
    {
      rescore: [
        { window_size: 3, query: B },
        { window_size: 2, query: { ...B, score_mode: 'multiply', rescore_query_weight: 0.1 } },
      ],
    },
    0.4459231,
    [
      ['2', 0.4459231],
      ['3', 0.41493523],
      ['5', 0.17476013],
      ['1', 0.01593796],
      ['4', 0.014244324],
    ],
  ],
  [
    { query: { match_all: {} }, rescore: { query: B } },
    1.2705388,
    [
      ['3', 1.2705388],
      ['1', 1.2304919],
      ['4', 1.2007723],
      ['2', 1],
      ['5', 1],
    ],
  ],
  [
    { min_score: 0.4, rescore: { query: { ...B, query_weight: 0.1 } } },
    0.31203234,
    [
      ['3', 0.31203234],
      ['1', 0.27659032],
      ['4', 0.25164273],
      ['2', 0.04459231],
    ],
  ],
];

test('hits and scores are those of the peer', async () => {
  for (const [members, best, expected] of CASES) {
    const { status, body } = await ask('POST /r/_search', { query: QUERY, ...members });
    const told = JSON.stringify(members);
    assert.equal(status, 200, told);
    const { hits, max_score: max } = body.hits;
    assert.deepEqual(
      hits.map((hit: { _id: string; _score: number }) => [hit._id, hit._score]),
      expected,
      told,
    );
    assert.equal(max, best, told);
  }
});

test('the totals of a search with rescorers are those of its query', async () => {
  const { body } = await ask('POST /r/_search', { query: QUERY, size: 1, rescore: { query: B } });
  assert.equal(body.hits.total.value, 5);
});

const REFUSED: readonly (readonly [members: object, type: string, reason: string])[] = [
  [{ rescore: { query: { ...B, x: 1 } } }, 'x_content_parse_exception', '[query] unknown field [x]'],
  [{ rescore: { x: B } }, 'named_object_not_found_exception', 'unknown field [x]'],
  [{ rescore: {} }, 'parsing_exception', 'missing rescore type'],
  [{ rescore: { query: {} } }, 'illegal_argument_exception', 'rescore_query cannot be null'],
  [
    { rescore: { query: { ...B, score_mode: 'foo' } } },
    'x_content_parse_exception',
    '[query] failed to parse field [score_mode]',
  ],
  [{ rescore: 3 }, 'parsing_exception', 'Unknown key for a VALUE_NUMBER in [rescore].'],
  [{ rescore: { query: B, y: 1 } }, 'parsing_exception', "rescore doesn't support [y]"],
  [
    { rescore: { window_size: 20_000, query: B } },
    'illegal_argument_exception',
    'Rescore window [20000] is too large. It must be less than [10000]. This prevents allocating massive heaps for storing the results to be rescored. This limit can be set by changing the [index.max_rescore_window] index level setting.',
  ],
  [
    { rescore: { query: B }, sort: ['m'] },
    'illegal_argument_exception',
    'Cannot use [sort] option in conjunction with [rescore].',
  ],
  [
    { rescore: { query: B }, collapse: { field: 'm' } },
    'search_exception',
    'cannot use `collapse` in conjunction with `rescore`',
  ],
  [
    { rescore: { query: B }, tokens: true },
    'illegal_argument_exception',
    '[rescore] cannot be used together with tokens: use [from] or [page]',
  ],
];

test('what cannot be rescored is refused in the words of the peer', async () => {
  for (const [members, type, reason] of REFUSED) {
    const { status, body } = await ask('POST /r/_search', { query: QUERY, ...members });
    const told = JSON.stringify(members);
    assert.equal(status, type === 'search_exception' ? 500 : 400, told);
    const cause = body.error.root_cause[0];
    assert.deepEqual([cause.type, cause.reason.replace(/^\[\d+:\d+\] /, '')], [type, reason], told);
  }
});

test('each index scores its own best hits again', async () => {
  await ask('PUT /r2', { mappings: { properties: { t: { type: 'text' } } } });
  await ask('PUT /r2/_doc/9?refresh=true', { t: 'b' });
  const members = {
    query: { match_all: {} },
    rescore: { window_size: 1, query: { rescore_query: { match_all: {} } } },
  };
  const { hits } = (await ask('POST /r,r2/_search', members)).body.hits;
  assert.deepEqual(
    hits.map((hit: { _id: string; _score: number }) => [hit._id, hit._score]),
    [
      ['1', 2],
      ['9', 2],
      ['2', 1],
      ['3', 1],
      ['4', 1],
      ['5', 1],
    ],
  );
});
