// Highlights of hits: the same fragments as OpenSearch 3.1 shows for the same documents (the expected texts are
// its answers), and what is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';

const { ask } = await server();
const MAPPINGS = {
  properties: {
    title: { type: 'text', fields: { raw: { type: 'keyword', ignore_above: 20 } } },
    body: { type: 'text' },
    en: { type: 'text', analyzer: 'english' },
    tags: { type: 'keyword' },
  },
};
const DOCS: readonly object[] = [
  {
    title: 'The <Quick> brown fox',
    body: [
      'A quick fox runs. It jumps over the lazy dog! Then the dog, who is lazy, sleeps until the fox is gone and everything is quiet in the whole long garden behind the house.',
      'Another value. With a quick end',
    ],
    en: 'Runners were running to the running shop',
    tags: ['quick', 'slow'],
  },
  {
    title: 'Nothing here to find',
    body: 'No animal lives in this text. It is e-mail only.',
    en: 'walking',
    tags: 'other',
  },
];
await ask('PUT /h', { mappings: MAPPINGS });
for (const [id, doc] of DOCS.entries()) await ask(`PUT /h/_doc/${id}?refresh=true`, doc);

type Highlights = Readonly<Record<string, Readonly<Record<string, readonly string[]>> | null>>;

const CASES: readonly (readonly [body: object, highlights: Highlights])[] = [
  [
    { query: { match: { body: 'quick dog' } }, highlight: { fields: { body: {} } } },
    {
      '0': {
        body: [
          'A <em>quick</em> fox runs. It jumps over the lazy <em>dog</em>!',
          'Then the <em>dog</em>, who is lazy, sleeps until the fox is gone and everything is quiet in the whole long garden',
          'With a <em>quick</em> end',
        ],
      },
    },
  ],
  [
    { query: { match: { body: 'quick dog' } }, highlight: { fields: { body: { number_of_fragments: 0 } } } },
    {
      '0': {
        body: [
          'A <em>quick</em> fox runs. It jumps over the lazy <em>dog</em>! Then the <em>dog</em>, who is lazy, sleeps until the fox is gone and everything is quiet in the whole long garden behind the house.',
          'Another value. With a <em>quick</em> end',
        ],
      },
    },
  ],
  [
    {
      query: { match: { body: 'quick lazy dog' } },
      highlight: { order: 'score', fields: { body: { number_of_fragments: 2, fragment_size: 40 } } },
    },
    {
      '0': {
        body: [
          'It jumps over the <em>lazy</em> <em>dog</em>!',
          'Then the <em>dog</em>, who is <em>lazy</em>, sleeps until the',
        ],
      },
    },
  ],
  [
    { query: { match_phrase: { body: 'lazy dog' } }, highlight: { fields: { body: { fragment_size: 30 } } } },
    { '0': { body: ['It jumps over the <em>lazy</em> <em>dog</em>!'] } },
  ],
  [
    {
      query: { match_phrase: { body: { query: 'dog lazy', slop: 3 } } },
      highlight: { fields: { body: {} } },
    },
    {
      '0': {
        body: [
          'It jumps over the <em>lazy</em> <em>dog</em>!',
          'Then the <em>dog</em>, who is <em>lazy</em>, sleeps until the fox is gone and everything is quiet in the whole long garden',
        ],
      },
    },
  ],
  [
    { query: { match: { en: 'run' } }, highlight: { fields: { en: {} } } },
    { '0': { en: ['Runners were <em>running</em> to the <em>running</em> shop'] } },
  ],
  [
    { query: { prefix: { tags: 'qu' } }, highlight: { fields: { tags: {}, 'title.raw': {}, body: {} } } },
    { '0': { tags: ['<em>quick</em>'] } },
  ],
  [
    { query: { prefix: { tags: 'qu' } }, highlight: { require_field_match: false, fields: { '*': {} } } },
    {
      '0': {
        title: ['The <<em>Quick</em>> brown fox'],
        body: [
          'A <em>quick</em> fox runs. It jumps over the lazy dog!',
          'Then the dog, who is lazy, sleeps until the fox is gone and everything is <em>quiet</em> in the whole long garden',
          'With a <em>quick</em> end',
        ],
        tags: ['<em>quick</em>'],
      },
    },
  ],
  [
    {
      query: { match: { title: 'quick' } },
      highlight: { encoder: 'html', pre_tags: ['['], post_tags: [']'], fields: { title: {} } },
    },
    { '0': { title: ['The &lt;[Quick]&gt; brown fox'] } },
  ],
  [
    {
      query: { match_all: {} },
      highlight: {
        no_match_size: 12,
        fields: { body: {}, title: { type: 'plain' }, tags: { no_match_size: 0 } },
      },
    },
    {
      '0': { body: ['A quick fox runs'], title: ['The <Quick'] },
      '1': { body: ['No animal lives'], title: ['Nothing here'] },
    },
  ],
  [
    {
      query: { match_all: {} },
      highlight: {
        fields: {
          body: { highlight_query: { wildcard: { body: 'ja?*' } } },
          title: { highlight_query: { fuzzy: { title: 'quack' } } },
        },
      },
    },
    { '0': { title: ['The <<em>Quick</em>> brown fox'] }, '1': null },
  ],
  [
    {
      query: { match: { body: 'quick dog' } },
      highlight: { type: 'plain', fields: { body: { fragment_size: 30 } } },
    },
    {
      '0': {
        body: [
          'A <em>quick</em> fox runs. It jumps',
          ' over the lazy <em>dog</em>! Then the <em>dog</em>',
          'Another value. With a <em>quick</em> end',
        ],
      },
    },
  ],
  [
    {
      query: { match: { body: 'quick dog' } },
      highlight: {
        type: 'plain',
        order: 'score',
        fields: { body: { fragment_size: 20, number_of_fragments: 2, fragmenter: 'simple' } },
      },
    },
    { '0': { body: ['A <em>quick</em> fox runs', ' lazy <em>dog</em>! Then the <em>dog</em>'] } },
  ],
  [
    { query: { match: { body: 'lazy' } }, highlight: { boundary_scanner: 'word', fields: { body: {} } } },
    { '0': { body: ['<em>lazy</em>', '<em>lazy</em>'] } },
  ],
  [
    {
      query: {
        bool: {
          must: { match: { title: 'fox' } },
          must_not: { match: { title: 'nothing' } },
          should: { term: { tags: 'slow' } },
          filter: { match: { body: 'sleeps' } },
        },
      },
      highlight: { tags_schema: 'styled', fields: [{ title: {} }, { tags: {} }, { body: {} }] },
    },
    {
      '0': {
        title: ['The <Quick> brown <em class="hlt1">fox</em>'],
        body: [
          'Then the dog, who is lazy, <em class="hlt1">sleeps</em> until the fox is gone and everything is quiet in the whole long garden',
        ],
        tags: ['<em class="hlt1">slow</em>'],
      },
    },
  ],
  [
    {
      query: { multi_match: { query: 'quick running', fields: ['title', 'en'] } },
      highlight: { fields: { title: {}, en: {} } },
    },
    {
      '0': {
        en: ['Runners were <em>running</em> to the <em>running</em> shop'],
        title: ['The <<em>Quick</em>> brown fox'],
      },
    },
  ],
  [
    {
      query: { query_string: { query: 'title:fox AND body:"lazy dog"' } },
      highlight: { fields: { 't*': {}, body: {} } },
    },
    {
      '0': {
        title: ['The <Quick> brown <em>fox</em>'],
        body: ['It jumps over the <em>lazy</em> <em>dog</em>!'],
      },
    },
  ],
  [
    {
      query: {
        span_near: {
          clauses: [{ span_term: { body: 'lazy' } }, { span_multi: { match: { prefix: { body: 'do' } } } }],
          slop: 0,
        },
      },
      highlight: { fields: { body: {} } },
    },
    { '0': { body: ['It jumps over the <em>lazy</em> <em>dog</em>!'] } },
  ],
  [
    {
      query: {
        span_not: {
          include: { span_term: { body: 'fox' } },
          exclude: { span_term: { body: 'runs' } },
          post: 1,
        },
      },
      highlight: { fields: { body: { type: 'plain' } } },
    },
    {
      '0': {
        body: [
          'A quick fox runs. It jumps over the lazy dog! Then the dog, who is lazy, sleeps until the <em>fox</em> is',
        ],
      },
    },
  ],
  [
    {
      query: {
        intervals: {
          body: {
            all_of: {
              ordered: true,
              max_gaps: 0,
              intervals: [{ match: { query: 'lazy' } }, { prefix: { prefix: 'do' } }],
            },
          },
        },
      },
      highlight: { fields: { body: {} } },
    },
    {
      '0': {
        body: [
          'It jumps over the <em>lazy</em> <em>dog</em>!',
          'Then the <em>dog</em>, who is <em>lazy</em>, sleeps until the fox is gone and everything is quiet in the whole long garden',
        ],
      },
    },
  ],
];

async function highlightsOf(body: object): Promise<Highlights> {
  const reply = await ask('POST /h/_search', { sort: ['_doc'], ...body });
  assert.equal(reply.status, 200, reply.text);
  return Object.fromEntries(
    reply.body.hits.hits.map((hit: { _id: string; highlight?: Highlights[string] }) => [
      hit._id,
      hit.highlight ?? null,
    ]),
  );
}

test('fragments are those of the peer', async () => {
  for (const [body, expected] of CASES) {
    const found = await highlightsOf(body);
    assert.deepEqual(JSON.parse(JSON.stringify(found)), expected, JSON.stringify(body));
  }
});

test('without the tags, whole values are what was stored', async () => {
  const words = ['quick', 'fox', 'dog', 'lazy', 'the', 'value'];
  for (const word of words) {
    const query = { match: { body: word } };
    for (const type of ['unified', 'plain']) {
      const highlight = {
        type,
        pre_tags: ['«'],
        post_tags: ['»'],
        fields: { body: { number_of_fragments: 0 } },
      };
      for (const [id, fields] of Object.entries(await highlightsOf({ query, highlight }))) {
        const stored = [(DOCS[Number(id)] as { body: string | string[] }).body].flat();
        for (const shown of fields?.['body'] ?? [])
          assert.ok(stored.includes(shown.replaceAll(/[«»]/g, '')), shown);
      }
    }
  }
});

test('a search is highlighted in msearch, in scrolls and with a known list', async () => {
  const body = { query: { match: { title: 'fox' } }, highlight: { fields: { title: {} } } };
  const expected = ['The <Quick> brown <em>fox</em>'];
  for (const path of ['POST /h/_search', 'POST /h/_search', 'POST /h/_search?scroll=1m'])
    assert.deepEqual((await ask(path, body)).body.hits.hits[0].highlight.title, expected);
  const lines = `{"index":"h"}\n${JSON.stringify(body)}\n`;
  const { body: reply } = await ask('POST /_msearch', lines);
  assert.deepEqual(reply.responses[0].hits.hits[0].highlight.title, expected);
});

test('options that make no sense are refused by name, and long texts by their limit', async () => {
  const of = (highlight: unknown): object => ({ query: { match_all: {} }, highlight });
  const refused: readonly (readonly [highlight: unknown, message: RegExp])[] = [
    [1, /\[highlight\]/],
    [{ fields: 1 }, /\[highlight\] fields doesn't support/],
    [{ fields: { title: 1 } }, /\[highlight_field\] Expected START_OBJECT/],
    [{ field: {} }, /\[highlight\] unknown field \[field\]/],
    [{ fields: { title: { size: 1 } } }, /\[highlight_field\] unknown field \[size\]/],
    [{ fields: { title: { type: 'best' } } }, /unknown highlighter type \[best\]/],
    [{ fields: { title: { fragment_size: -1 } } }, /\[fragment_size\]/],
    [{ fields: { title: { number_of_fragments: {} } } }, /number_of_fragments doesn't/],
    [{ fields: { title: { pre_tags: 'b' } } }, /pre_tags doesn't/],
    [{ fields: { title: { highlight_query: [] } } }, /highlight_query doesn't/],
    [{ fields: { title: { highlight_query: { nothing: {} } } } }, /unknown query \[nothing\]/],
    [{ encoder: 'xml', fields: {} }, /\[encoder\]/],
    [{ tags_schema: 'bold', fields: {} }, /Unknown tag schema \[bold\]/],
    [{ fields: { title: { max_analyzer_offset: 0 } } }, /\[max_analyzer_offset\]/],
  ];
  for (const [highlight, message] of refused) {
    const { status, text } = await ask('POST /h/_search', of(highlight));
    assert.equal(status, 400, text);
    assert.match(text, message);
  }
  await ask('PUT /short', { settings: { 'index.highlight.max_analyzed_offset': 10 } });
  await ask('PUT /short/_doc/1?refresh=true', { t: 'The quick brown fox' });
  const long = (options: object): object => ({
    query: { match: { t: 'quick' } },
    highlight: { fields: { t: options } },
  });
  const { status, body } = await ask('POST /short/_search', long({}));
  assert.equal(status, 400);
  assert.match(body.error.root_cause[0].reason, /index\.highlight\.max_analyzed_offset/);
  const cut = await ask('POST /short/_search', long({ max_analyzer_offset: 10 }));
  assert.deepEqual(cut.body.hits.hits[0].highlight.t, ['The <em>quick</em> brown fox']);
});

test('long runs and repeated words take time in proportion to their length', async () => {
  const long = {
    dots: `b c${'.'.repeat(100_000)}`,
    closed: `b c.${')'.repeat(100_000)}`,
    repeated: 'b '.repeat(50_000),
    words: Array.from({ length: 20_000 }, (_, i) => `b${i}`).join(' '),
  };
  await ask('PUT /long/_doc/1?refresh=true', long);
  const many = Array.from({ length: 4_000 }, (_, i) => `b${i * 3}`);
  const cases: readonly (readonly [field: string, query: object])[] = [
    ['dots', { match: { dots: 'b' } }],
    ['closed', { match: { closed: 'b' } }],
    ['repeated', { match_phrase: { repeated: 'b b' } }],
    ['words', { terms: { words: many } }],
  ];
  for (const [field, query] of cases) {
    const highlight = { fields: { [field]: { number_of_fragments: 1 } } };
    const { body, text } = await ask('POST /long/_search', { query, highlight });
    assert.equal(body.hits.hits[0].highlight[field].length, 1, text.slice(0, 200));
  }
});

test('a token fills one place of a phrase; grams that overlap share their tags', async () => {
  const twice = { match_phrase: { title: { query: 'quick quick', slop: 3 } } };
  const highlight = { fields: { title: { highlight_query: twice } } };
  assert.deepEqual(await highlightsOf({ query: { match_all: {} }, highlight }), { 0: null, 1: null });
  await ask('PUT /grams', {
    settings: {
      analysis: {
        tokenizer: { grams: { type: 'ngram', min_gram: 2, max_gram: 3 } },
        analyzer: { grams: { type: 'custom', tokenizer: 'grams' } },
      },
    },
    mappings: { properties: { t: { type: 'text', analyzer: 'grams' } } },
  });
  const t = 'a'.repeat(140_000);
  await ask('PUT /grams/_doc/1?refresh=true', { t });
  const { body } = await ask('POST /grams/_search', {
    _source: false,
    query: { match: { t: 'aa' } },
    highlight: { type: 'plain', fields: { t: { number_of_fragments: 0 } } },
  });
  assert.deepEqual(body.hits.hits[0].highlight.t, [`<em>${t}</em>`]);
});

test('hits of groups are highlighted by the query of the search', async () => {
  await ask('PUT /groups', { mappings: { properties: { g: { type: 'keyword' } } } });
  await ask('PUT /groups/_doc/1?refresh=true', { g: 'red', t: 'a red fox' });
  const { body } = await ask('POST /groups/_search', {
    query: { match: { t: 'fox' } },
    collapse: { field: 'g', inner_hits: { name: 'own', highlight: { fields: { '*': {} } } } },
  });
  const [inner] = body.hits.hits[0].inner_hits.own.hits.hits;
  assert.deepEqual(inner.highlight, { t: ['a red <em>fox</em>'] });
});

test('an empty keyword is marked, but not the last value by the unified highlighter', async () => {
  await ask('PUT /empty/_doc/1?refresh=true', { one: '', first: ['', 'a b'], last: ['a b', ''] });
  const shown = async (type: string): Promise<unknown> => {
    const { body } = await ask('POST /empty/_search', {
      query: { term: { 'one.keyword': '' } },
      highlight: { type, require_field_match: false, fields: { '*.keyword': {} } },
    });
    return (body['hits'] as { hits: { highlight: unknown }[] }).hits[0]!.highlight;
  };
  assert.deepEqual(await shown('unified'), { 'first.keyword': ['<em></em>'] });
  assert.deepEqual(await shown('plain'), {
    'one.keyword': ['<em></em>'],
    'first.keyword': ['<em></em>'],
    'last.keyword': ['<em></em>'],
  });
});

test('queries at the root are shown in nested objects, where they find nothing', async () => {
  const kids = {
    type: 'nested',
    properties: { name: { type: 'keyword' }, text: { type: 'text' } },
  };
  await ask('PUT /kids', { mappings: { properties: { kids } } });
  await ask('PUT /kids/_doc/1?refresh=true', { kids: { name: 'the', text: 'the red dog' } });
  const shown = async (query: object): Promise<unknown> => {
    const highlight = { fields: { '*': { highlight_query: query } } };
    const { body } = await ask('POST /kids/_search', { highlight });
    return (body['hits'] as { hits: { highlight?: unknown }[] }).hits[0]!.highlight;
  };
  for (const query of [{ term: { 'kids.name': 'the' } }, { fuzzy: { 'kids.name': 'thf' } }])
    assert.deepEqual(await shown(query), { 'kids.name': ['<em>the</em>'] });
  assert.deepEqual(await shown({ match: { 'kids.text': { query: 'dg', fuzziness: 1 } } }), {
    'kids.text': ['the red <em>dog</em>'],
  });
  assert.equal(await shown({ fuzzy: { 'kids.text': 'none' } }), undefined);
});

test('without a match, a plain fragment ends before a synonym of several words', async () => {
  const synonyms = { type: 'synonym_graph', synonyms: ['big apple, new york'] };
  await ask('PUT /apples', {
    settings: {
      analysis: {
        filter: { alike: synonyms },
        analyzer: { a: { type: 'custom', tokenizer: 'standard', filter: ['alike'] } },
      },
    },
    mappings: { properties: { t: { type: 'text', analyzer: 'a' } } },
  });
  await ask('PUT /apples/_doc/1?refresh=true', { t: 'large dog big apple' });
  const highlight = { type: 'plain', fields: { t: { no_match_size: 15 } } };
  const { body } = await ask('POST /apples/_search', { highlight });
  assert.deepEqual((body['hits'] as { hits: { highlight: unknown }[] }).hits[0]!.highlight, {
    t: ['large dog'],
  });
});

test('hits inside buckets are highlighted by the query of the search, or by their own', async () => {
  const shown = async (query: object, highlight: object): Promise<unknown> => {
    const top = { top_hits: { _source: false, highlight } };
    const aggs = { k: { terms: { field: 'title.raw' }, aggs: { top } } };
    const { body } = await ask('POST /h/_search', { query, size: 0, aggs });
    const { k } = body['aggregations'] as {
      k: { buckets: { key: string; top: { hits: { hits: { highlight?: unknown }[] } } }[] };
    };
    return k.buckets.map(({ top: { hits } }) => hits.hits.map((hit) => hit.highlight));
  };
  const own = { match: { title: 'find' } };
  assert.deepEqual(await shown(own, { fields: { title: {} } }), [
    [{ title: ['Nothing here to <em>find</em>'] }],
  ]);
  assert.deepEqual(await shown({ match_all: {} }, { fields: { title: { highlight_query: own } } }), [
    [{ title: ['Nothing here to <em>find</em>'] }],
  ]);
});
