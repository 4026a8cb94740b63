// The heaviest requests that limits allow, one or more for each endpoint, and the documents and records that they are asked of.

/** One request. */
export interface HeavyRequest {
  readonly name: string;
  readonly line: string;
  readonly body?: string | (() => string);
}

const WORDS = [
  'cursor',
  'page',
  'snapshot',
  'commit',
  'ledger',
  'mention',
  'segment',
  'posting',
  'feed',
  'token',
];
const words = (count: number, of: number): string =>
  Array.from({ length: count }, (_, i) => `${WORDS[(i * 7 + of) % WORDS.length]}${(i * 31 + of) % 997}`).join(
    ' ',
  );
const json = JSON.stringify;
const lines = (each: readonly unknown[]): string => each.map((line) => `${json(line)}\n`).join('');
const many = <T>(count: number, each: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => each(i));
const object = <T>(count: number, each: (i: number) => [string, T]): Record<string, T> =>
  Object.fromEntries(many(count, each));

const DOCUMENTS = 100_000;
const BULK = 5_000;
const TEXT = words(28_000, 3).slice(0, 250_000);
const MEGABYTE_TEXT = many(4, (i) => words(28_000, i).slice(0, 250_000)).join(' ');
const FIELDS = 10_000;

/** What is written first. */
export function preparations(): HeavyRequest[] {
  const fields = object(FIELDS, (i) => [`field_${i}`, { type: i % 2 === 0 ? 'keyword' : 'long' }]);
  const properties = {
    k: { type: 'keyword' },
    u: { type: 'keyword' },
    n: { type: 'long' },
    f: { type: 'double' },
    d: { type: 'date' },
    t: { type: 'text', fields: { raw: { type: 'keyword' } } },
    c: { type: 'completion' },
    rows: { type: 'nested', properties: { a: { type: 'keyword' }, b: { type: 'long' } } },
  };
  const row = (i: number): object => ({
    ...{ k: `key${i % 1_000}`, u: `unique-${i}`, n: i, f: i * 1.5, d: 1_600_000_000_000 + i * 60_000 },
    ...{
      t: words(10, i),
      c: `${WORDS[i % 10]} ${i}`,
      rows: [
        { a: `a${i % 50}`, b: i },
        { a: `b${i % 7}`, b: -i },
      ],
    },
  });
  const settings = { 'index.mapping.total_fields.limit': 2 * FIELDS, 'index.max_terms_count': 250_000 };
  return [
    { name: 'docs', line: 'PUT /docs', body: json({ mappings: { properties } }) },
    ...many(DOCUMENTS / BULK, (n) => ({
      name: 'docs',
      line: 'POST /docs/_bulk',
      body: () => lines(many(BULK, (i) => i + n * BULK).flatMap((i) => [{ index: { _id: `${i}` } }, row(i)])),
    })),
    { name: 'texts', line: 'PUT /texts', body: json({ mappings: { properties: { t: { type: 'text' } } } }) },
    ...many(20, (i) => ({ name: 'texts', line: `PUT /texts/_doc/${i}`, body: json({ t: MEGABYTE_TEXT }) })),
    { name: 'wide', line: 'PUT /wide', body: json({ settings, mappings: { properties: fields } }) },
    ...many(300, (i) => ({ name: 'many', line: `PUT /many-${i}`, body: json({ mappings: { properties } }) })),
    ...many(1_000, (i) => ({
      ...{ name: 'template', line: `PUT /_index_template/template-${i}` },
      body: json({ index_patterns: [`none-${i}-*`], template: { aliases: { [`alias-${i}`]: {} } } }),
    })),
    ...many(1_000, (i) => ({
      ...{ name: 'user', line: `PUT /api/users/u${i}` },
      body: json({ username: `name${i}` }),
    })),
    ...many(120, (i) => ({
      ...{ name: 'item', line: 'POST /api/newsfeed' },
      body: json({ author: `u${i}`, text: words(8_000, i).slice(0, 60_000) }),
    })),
    {
      ...{ name: 'chat', line: 'POST /api/chats' },
      body: json({ id: 'chat', title: 'a chat', members: many(1_000, (i) => `u${i}`) }),
    },
    ...many(120, (i) => ({
      ...{ name: 'message', line: 'POST /api/chats/chat/messages' },
      body: json({ author: `u${i}`, text: words(8_000, i).slice(0, 60_000) }),
    })),
    ...many(500, (i) => ({
      ...{ name: 'account', line: 'POST /api/accounts' },
      body: json({ id: `account-${i}`, currency: 'EUR', allow_negative: true }),
    })),
    ...many(40, (n) => ({
      ...{ name: 'transfers', line: 'POST /api/transactions/batch' },
      body: () => json(transfers(500, n)),
    })),
    ...many(500, (i) => ({
      ...{ name: 'webhook', line: 'POST /api/webhooks' },
      body: json({ url: `https://93.184.216.34/${i}`, types: ['item.created'] }),
    })),
    ...many(2, () => ({ name: 'merge', line: 'POST /docs/_forcemerge' })),
  ];
}

function transfers(count: number, n: number): object {
  const transfer = (i: number): object => ({
    ...{ from: `account-${i % 500}`, to: `account-${(i + 1 + n) % 500}`, money: '1.00', reference: `r${i}` },
  });
  return { transfers: many(count, transfer) };
}

/** What is measured. */
export function heavyRequests(): HeavyRequest[] {
  const search = (name: string, body: object, index = 'docs'): HeavyRequest => ({
    ...{ name: `search: ${name}`, line: `POST /${index}/_search`, body: json(body) },
  });
  const aggregation = (name: string, aggs: object): HeavyRequest =>
    search(name, { size: 0, aggs: { a: aggs } });
  const buckets = 65_000;
  const histogram = { histogram: { field: 'n', interval: 2 } };
  const big = (keys: number): string => json({ words: many(keys, (i) => `word-${i}`) });
  const bytes10 = json({ t: 'x'.repeat(64), parts: many(40, (i) => words(30_000, i).slice(0, 250_000)) });
  const script = (source: string): object => ({ lang: 'painless', source });
  return [
    { name: 'nothing', line: 'GET /' },
    // Searches
    search('match all, 10,000 hits', { size: 10_000 }),
    search('10,000 hits by field', { size: 10_000, sort: [{ f: 'desc' }] }),
    search('10,000 hits with fields', { size: 10_000, _source: false, fields: ['*'] }),
    search('10,000 hits with docvalue_fields', { size: 10_000, docvalue_fields: ['k', 'u', 'n', 'f', 'd'] }),
    search('10,000 hits with explain', {
      size: 10_000,
      explain: true,
      query: { match: { t: 'cursor1 page7 feed3' } },
    }),
    search('_source filter, 10,000 hits', { size: 10_000, _source: ['*.a', 'k'] }),
    search('script_fields', { size: 10_000, script_fields: { x: { script: script("doc['n'].value * 2") } } }),
    search('ids, 200,000 values', { query: { ids: { values: many(200_000, (i) => `${i}`) } } }),
    search('terms, 60,000 values', { query: { terms: { u: many(60_000, (i) => `unique-${i * 3}`) } } }),
    search('bool of 1,000', {
      query: { bool: { should: many(1_000, (i) => ({ term: { u: `unique-${i}` } })) } },
    }),
    search('query_string of 260,000 characters', {
      query: { query_string: { query: TEXT.slice(0, 9_000), default_field: 't' } },
    }),
    search('match of 250,000 characters', { query: { match: { t: TEXT } } }),
    search('more_like_this', {
      query: { more_like_this: { fields: ['t'], like: [TEXT, TEXT, TEXT, TEXT], max_query_terms: 1_000 } },
    }),
    search('match_phrase, slop', { query: { match_phrase: { t: { query: words(200, 3), slop: 100 } } } }),
    search('wildcard', { query: { wildcard: { u: '*1*2*3*' } } }),
    search('regexp', { query: { regexp: { u: '.*(1|2){3,9}.*' } } }),
    search('regexp of many states', { query: { regexp: { u: '((((a{1,100}){1,100}){1,100}){1,100})' } } }),
    search('fuzzy', {
      query: { fuzzy: { u: { value: 'unique-50000', fuzziness: 2, max_expansions: 1_000 } } },
    }),
    search('span_near', {
      query: {
        span_near: { clauses: many(100, (i) => ({ span_term: { t: `${WORDS[i % 10]}${i}` } })), slop: 1_000 },
      },
    }),
    search('nested with inner_hits', {
      size: 5_000,
      query: { nested: { path: 'rows', query: { match_all: {} }, inner_hits: { size: 100 } } },
    }),
    search('collapse with inner_hits', {
      size: 500,
      collapse: { field: 'k', inner_hits: { name: 'x', size: 100 } },
    }),
    search('rescore', {
      query: { match: { t: 'cursor1 page7' } },
      rescore: { window_size: 10_000, query: { rescore_query: { match: { t: TEXT.slice(0, 5_000) } } } },
    }),
    search('script_score', {
      query: {
        script_score: {
          query: { match_all: {} },
          script: script("double x = 0; for (int i = 0; i < 1000; i++) { x += i * doc['n'].value } return x"),
        },
      },
    }),
    search('sort by script', {
      sort: [{ _script: { type: 'number', script: script("doc['n'].value % 1000") } }],
      size: 10_000,
    }),
    search(
      'highlight of 20 MB',
      {
        size: 20,
        query: { match: { t: 'cursor1 page7 feed3' } },
        highlight: { max_analyzer_offset: 1_000_000, fields: { t: { number_of_fragments: 100 } } },
      },
      'texts',
    ),
    search(
      'highlight, plain, whole',
      {
        size: 20,
        query: { match: { t: 'cursor1 page7' } },
        highlight: { fields: { t: { type: 'plain', number_of_fragments: 0 } } },
      },
      'texts',
    ),
    search('highlight of 10,000 hits', {
      size: 10_000,
      query: { match: { t: 'cursor1 page7 feed3' } },
      highlight: { fields: { '*': {} } },
    }),
    search('suggest, term, long text', {
      suggest: {
        s: {
          text: TEXT.slice(0, 60_000),
          term: { field: 't', suggest_mode: 'always', max_edits: 2, prefix_length: 0, size: 1_000 },
        },
      },
    }),
    search('suggest, phrase, long text', {
      suggest: {
        s: {
          text: TEXT.slice(0, 20_000),
          phrase: {
            field: 't',
            max_errors: 100,
            confidence: 0,
            size: 100,
            direct_generator: [{ field: 't', suggest_mode: 'always', prefix_length: 0 }],
          },
        },
      },
    }),
    search('suggest, 1,000 terms', {
      suggest: object(1_000, (i) => [
        `s${i}`,
        { text: `cursro${i}`, term: { field: 't', prefix_length: 0 } },
      ]),
    }),
    search('suggest, completion, one letter', {
      suggest: { s: { prefix: 'c', completion: { field: 'c', size: 10_000 } } },
    }),
    search('suggest, completion, fuzzy', {
      suggest: {
        s: {
          prefix: 'cursorsnaps',
          completion: { field: 'c', size: 10_000, fuzzy: { fuzziness: 2, prefix_length: 0, min_length: 1 } },
        },
      },
    }),
    search('suggest, completion, regex', {
      suggest: { s: { regex: '.*[0-9]{3,5}.*', completion: { field: 'c', size: 10_000 } } },
    }),
    search('profile of 1,000 clauses', {
      profile: true,
      query: { bool: { should: many(1_000, (i) => ({ term: { k: `key${i}` } })) } },
    }),
    search('post_filter, deep', {
      from: 90_000,
      size: 10_000,
      sort: ['k', 'u'],
      post_filter: { range: { n: { gte: 5 } } },
    }),
    // Aggregations
    aggregation('composite', {
      composite: {
        size: buckets,
        sources: [{ a: { terms: { field: 'u' } } }, { b: { terms: { field: 'k' } } }],
      },
    }),
    aggregation('composite of dates', {
      composite: {
        size: buckets,
        sources: [
          { a: { date_histogram: { field: 'd', fixed_interval: '1m' } } },
          { b: { terms: { field: 'u', order: 'desc' } } },
        ],
      },
    }),
    aggregation('percentiles below buckets', { ...histogram, aggs: { p: { percentiles: { field: 'f' } } } }),
    aggregation('terms, 65,000 buckets', { terms: { field: 'u', size: buckets } }),
    aggregation('terms, 65,000 buckets by a metric', {
      terms: { field: 'u', size: buckets, order: { m: 'desc' } },
      aggs: { m: { avg: { field: 'f' } } },
    }),
    aggregation('histogram of 50,000', histogram),
    aggregation('significant pipelines', {
      ...histogram,
      aggs: {
        m: { sum: { field: 'f' } },
        c: { cumulative_sum: { buckets_path: 'm' } },
        d: { derivative: { buckets_path: 'm' } },
        s: { serial_diff: { buckets_path: 'm' } },
      },
    }),
    aggregation('cardinality', { cardinality: { field: 'u' } }),
    aggregation('top_hits below terms', {
      terms: { field: 'k', size: 1_000 },
      aggs: { h: { top_hits: { size: 10 } } },
    }),
    aggregation('multi_terms', { multi_terms: { size: buckets, terms: [{ field: 'u' }, { field: 'k' }] } }),
    aggregation('adjacency_matrix', {
      adjacency_matrix: { filters: object(100, (i) => [`f${i}`, { range: { n: { gte: i * 100 } } }]) },
    }),
    aggregation('filters of 1,000', {
      filters: { filters: object(1_000, (i) => [`f${i}`, { term: { k: `key${i}` } }]) },
    }),
    aggregation('scripted_metric', {
      scripted_metric: {
        init_script: 'state.x = [:]',
        map_script: "state.x[doc['u'].value] = 1",
        combine_script: 'return state.x',
        reduce_script: 'double s = 0; for (a in states) { s += a.size() } return s',
      },
    }),
    aggregation('terms by script', {
      terms: { size: buckets, script: script("doc['u'].value + doc['k'].value") },
    }),
    aggregation('rare_terms', { rare_terms: { field: 'u' } }),
    aggregation('nested', {
      nested: { path: 'rows' },
      aggs: { t: { terms: { field: 'rows.b', size: buckets } } },
    }),
    aggregation('median_absolute_deviation', {
      ...histogram,
      aggs: { m: { median_absolute_deviation: { field: 'f' } } },
    }),
    // Other forms of a search
    { name: 'count', line: 'POST /docs/_count', body: json({ query: { wildcard: { u: '*1*2*' } } }) },
    {
      name: 'msearch of 1,000',
      line: 'POST /_msearch',
      body: lines(many(1_000, () => [{ index: 'docs' }, { size: 1_000 }]).flat()),
    },
    {
      name: 'msearch/template of 1,000',
      line: 'POST /_msearch/template',
      body: lines(
        many(1_000, (i) => [
          { index: 'docs' },
          { source: { query: { term: { k: '{{k}}' } }, size: 100 }, params: { k: `key${i}` } },
        ]).flat(),
      ),
    },
    {
      name: 'msearch/template, long',
      line: 'POST /_msearch/template',
      body: lines(
        many(20, () => [
          { index: 'docs' },
          {
            source: '{"query":{"terms":{"u":{{#toJson}}words{{/toJson}}}}}',
            params: JSON.parse(big(20_000)),
          },
        ]).flat(),
      ),
    },
    {
      name: 'search/template',
      line: 'POST /docs/_search/template',
      body: json({
        source: '{"query":{"terms":{"u":[{{#words}}"{{.}}",{{/words}}"x"]}}}',
        params: JSON.parse(big(200_000)),
      }),
    },
    {
      name: 'render/template, loops in loops',
      line: 'POST /_render/template',
      body: json({
        source: '{"a":"{{#a}}{{#b}}{{#c}}{{x}}{{/c}}{{/b}}{{/a}}"}',
        params: { a: many(300, () => 1), b: many(300, () => 1), c: many(300, () => 1), x: 'xyz' },
      }),
    },
    {
      name: 'render/template, 5 MB',
      line: 'POST /_render/template',
      body: json({ source: `{"a":"${'{{x}}'.repeat(900_000)}"}`, params: { x: 'y' } }),
    },
    {
      name: 'validate',
      line: 'POST /docs/_validate/query?explain=true&rewrite=true',
      body: json({
        query: { bool: { should: many(1_000, (i) => ({ match: { t: `cursor${i} page${i}` } })) } },
      }),
    },
    {
      name: 'validate, 300 indices',
      line: 'POST /many-*/_validate/query?explain=true',
      body: json({ query: { bool: { should: many(1_000, (i) => ({ match: { t: `cursor${i}` } })) } } }),
    },
    {
      name: 'explain',
      line: 'POST /docs/_explain/1',
      body: json({
        query: { bool: { should: many(1_000, (i) => ({ match: { t: `cursor${i} page${i}` } })) } },
      }),
    },
    {
      name: 'rank_eval',
      line: 'POST /docs/_rank_eval',
      body: json({
        requests: many(1_000, (i) => ({
          id: `r${i}`,
          request: { query: { match: { t: `cursor${i}` } } },
          ratings: many(40, (d) => ({ _index: 'docs', _id: `${d}`, rating: 1 })),
        })),
        metric: { precision: { k: 100 } },
      }),
    },
    {
      name: 'rank_eval, long lists',
      line: 'POST /docs/_rank_eval',
      body: json({
        requests: [
          {
            id: 'r',
            request: { query: { match_all: {} } },
            ratings: many(20_000, (d) => ({ _index: 'docs', _id: `${d}`, rating: 1 })),
          },
        ],
        metric: { dcg: { k: 10_000 } },
      }),
    },
    { name: 'field_caps of 10,000', line: 'GET /wide/_field_caps?fields=*' },
    { name: 'field_caps of everything', line: 'GET /_field_caps?fields=*&include_unmapped=true' },
    {
      name: 'field_caps, patterns',
      line: 'POST /wide/_field_caps',
      body: json({ fields: many(2_000, (i) => `*f*d*${i}*x`) }),
    },
    {
      name: 'terms_enum',
      line: 'POST /docs/_terms_enum',
      body: json({ field: 'u', string: 'u', size: 10_000, case_insensitive: true }),
    },
    { name: 'search_shards', line: 'GET /_all/_search_shards' },
    { name: 'pit', line: 'POST /_all/_search/point_in_time?keep_alive=1m' },
    { name: 'scroll', line: 'POST /docs/_search?scroll=1m', body: json({ size: 10_000 }) },
    { name: 'scrolls, all', line: 'DELETE /_search/scroll/_all' },
    // Analysis
    {
      name: 'analyze of 260,000 characters',
      line: 'POST /_analyze',
      body: json({ text: TEXT, analyzer: 'english' }),
    },
    {
      name: 'analyze, explain',
      line: 'POST /_analyze',
      body: json({
        text: TEXT,
        tokenizer: 'standard',
        filter: ['lowercase', 'porter_stem', 'asciifolding'],
        explain: true,
      }),
    },
    {
      name: 'analyze, ngrams',
      line: 'POST /_analyze',
      body: json({ text: 'x'.repeat(200_000), tokenizer: { type: 'ngram', min_gram: 1, max_gram: 2 } }),
    },
    {
      name: 'analyze, shingles',
      line: 'POST /_analyze',
      body: json({
        text: TEXT,
        tokenizer: 'whitespace',
        filter: [{ type: 'shingle', min_shingle_size: 2, max_shingle_size: 4 }],
      }),
    },
    {
      name: 'analyze, pattern',
      line: 'POST /_analyze',
      body: json({ text: TEXT, tokenizer: { type: 'pattern', pattern: '(a|b|c|[0-9]+)+x?' } }),
    },
    {
      name: 'analyze, synonyms',
      line: 'POST /_analyze',
      body: json({
        text: TEXT,
        tokenizer: 'whitespace',
        filter: [
          { type: 'synonym_graph', synonyms: many(20_000, (i) => `cursor${i % 997} a${i}, b${i} c${i}`) },
        ],
      }),
    },
    // Documents
    { name: 'write of 10 MB', line: 'PUT /new/_doc/big', body: bytes10 },
    { name: 'write of 10 MB again', line: 'PUT /new/_doc/big', body: bytes10 },
    {
      name: 'write of 500,000 keywords',
      line: 'PUT /new/_doc/keywords',
      body: () => json({ k: many(500_000, (i) => `keyword-${i}`) }),
    },
    {
      name: 'write of 500,000 objects',
      line: 'PUT /new/_doc/objects',
      body: () => json({ o: many(300_000, (i) => ({ a: i, b: `x${i}` })) }),
    },
    { name: 'read of 10 MB', line: 'GET /new/_doc/big' },
    { name: 'read of 10 MB, filtered', line: 'GET /new/_doc/keywords?_source_includes=a*' },
    { name: 'source of 10 MB', line: 'GET /new/_source/big' },
    { name: 'update of 10 MB', line: 'POST /new/_update/big', body: json({ doc: { x: 1 } }) },
    { name: 'update of 500,000 keywords', line: 'POST /new/_update/keywords', body: json({ doc: { x: 1 } }) },
    {
      name: 'update of 500,000 objects',
      line: 'POST /new/_update/objects',
      body: json({ doc: { x: { y: 1 } } }),
    },
    {
      name: 'update by script of 10 MB',
      line: 'POST /new/_update/big',
      body: json({ script: { source: 'ctx._source.y = 1' } }),
    },
    { name: 'search that shows 10 MB', line: 'POST /new/_search', body: json({ size: 10 }) },
    {
      name: 'search that filters 10 MB',
      line: 'POST /new/_search',
      body: json({ size: 10, _source: ['a*'] }),
    },
    { name: 'mget of 10,000', line: 'POST /docs/_mget', body: json({ ids: many(10_000, (i) => `${i}`) }) },
    { name: 'mget of large documents', line: 'POST /new/_mget', body: json({ ids: many(10, () => 'big') }) },
    {
      name: 'termvectors of 1 MB',
      line: 'POST /texts/_termvectors/1',
      body: json({ term_statistics: true }),
    },
    {
      name: 'termvectors, artificial, 5 MB',
      line: 'POST /texts/_termvectors',
      body: json({ doc: { t: many(16, (i) => words(28_000, i).slice(0, 250_000)) }, term_statistics: true }),
    },
    {
      name: 'mtermvectors of 1,000',
      line: 'POST /docs/_mtermvectors',
      body: json({ ids: many(1_000, (i) => `${i}`), parameters: { term_statistics: true } }),
    },
    {
      name: 'mtermvectors, large',
      line: 'POST /texts/_mtermvectors',
      body: json({ ids: many(20, (i) => `${i}`) }),
    },
    {
      name: 'bulk of 100,000',
      line: 'POST /new2/_bulk',
      body: () => lines(many(100_000, (i) => [{ index: { _id: `${i}` } }, { n: i, k: `k${i}` }]).flat()),
    },
    {
      name: 'bulk of deletes',
      line: 'POST /new2/_bulk',
      body: () => lines(many(100_000, (i) => ({ delete: { _id: `${i}` } }))),
    },
    {
      name: 'bulk, 300 indices',
      line: 'POST /_bulk',
      body: () =>
        lines(
          many(60_000, (i) => [
            { index: { _index: `many-${i % 300}`, _id: `${i}` } },
            { n: i, k: `k${i}` },
          ]).flat(),
        ),
    },
    {
      name: 'bulk of updates',
      line: 'POST /docs/_bulk',
      body: () => lines(many(50_000, (i) => [{ update: { _id: `${i}` } }, { doc: { f: 2.5 } }]).flat()),
    },
    {
      name: 'bulk of scripted updates',
      line: 'POST /docs/_bulk',
      body: () =>
        lines(
          many(20_000, (i) => [
            { update: { _id: `${i}` } },
            { script: { source: 'ctx._source.f += 1' } },
          ]).flat(),
        ),
    },
    {
      name: 'bulk of faults',
      line: 'POST /docs/_bulk',
      body: () => lines(many(100_000, (i) => [{ index: { _id: `${i}` } }, { n: 'x' }]).flat()),
    },
    {
      name: 'update_by_query',
      line: 'POST /docs/_update_by_query',
      body: json({ script: { source: 'ctx._source.n += 1' }, query: { range: { n: { lt: 20_000 } } } }),
    },
    {
      name: 'delete_by_query',
      line: 'POST /new2/_delete_by_query',
      body: json({ query: { match_all: {} } }),
    },
    {
      name: 'reindex',
      line: 'POST /_reindex',
      body: json({ source: { index: 'docs', size: 5_000 }, dest: { index: 'copy' }, max_docs: 30_000 }),
    },
    // Indices
    {
      name: 'index with 10,000 fields',
      line: 'PUT /wide2',
      body: () => preparations().find(({ line }) => line === 'PUT /wide')!.body as string,
    },
    {
      name: 'mapping of 10,000 more fields',
      line: 'PUT /wide2/_mapping',
      body: json({ properties: object(9_000, (i) => [`more_${i}`, { type: 'keyword' }]) }),
    },
    {
      name: 'document with 10,000 fields',
      line: 'PUT /wide/_doc/1',
      body: json(object(FIELDS, (i) => [`field_${i}`, i])),
    },
    {
      name: 'search with 10,000 fields',
      line: 'POST /wide/_search',
      body: json({ fields: ['*'], query: { simple_query_string: { query: 'a' } } }),
    },
    {
      name: 'index with 100,000 synonyms',
      line: 'PUT /synonyms',
      body: json({
        settings: {
          analysis: {
            filter: { s: { type: 'synonym_graph', synonyms: many(100_000, (i) => `a${i} b${i}, c${i}`) } },
            analyzer: { s: { tokenizer: 'whitespace', filter: ['s'] } },
          },
        },
        mappings: { properties: { t: { type: 'text', analyzer: 's' } } },
      }),
    },
    {
      name: 'index with 100,000 stop words',
      line: 'PUT /stops',
      body: json({
        settings: {
          analysis: {
            filter: {
              s: { type: 'stop', stopwords: many(100_000, (i) => `a${i}`) },
              m: { type: 'keyword_marker', keywords: many(50_000, (i) => `a${i}`) },
            },
            analyzer: { s: { tokenizer: 'whitespace', filter: ['s', 'm'] } },
          },
        },
      }),
    },
    {
      name: 'match with synonyms',
      line: 'POST /synonyms/_search',
      body: json({ query: { match_phrase: { t: many(300, (i) => `a${i} b${i}`).join(' ') } } }),
    },
    { name: 'indices', line: 'GET /_all' },
    { name: 'mappings', line: 'GET /_mapping' },
    { name: 'field mappings', line: 'GET /_mapping/field/*' },
    { name: 'settings', line: 'GET /_settings?include_defaults=true' },
    { name: 'stats', line: 'GET /_stats?level=shards' },
    { name: 'segments', line: 'GET /_segments' },
    { name: 'recovery', line: 'GET /_recovery' },
    {
      name: 'aliases, 10,000 actions',
      line: 'POST /_aliases',
      body: json({
        actions: many(10_000, (i) => ({ add: { index: `many-${i % 300}`, alias: `alias-${i}` } })),
      }),
    },
    { name: 'aliases', line: 'GET /_alias' },
    {
      name: 'search over aliases',
      line: 'POST /alias-*/_search',
      body: json({ query: { match: { t: 'cursor1' } } }),
    },
    { name: 'cat aliases', line: 'GET /_cat/aliases?v' },
    { name: 'templates', line: 'GET /_index_template' },
    { name: 'simulate index', line: 'POST /_index_template/_simulate_index/none-500-x' },
    { name: 'cluster state', line: 'GET /_cluster/state' },
    { name: 'cluster stats', line: 'GET /_cluster/stats' },
    { name: 'cluster health', line: 'GET /_cluster/health?level=shards' },
    { name: 'nodes', line: 'GET /_nodes' },
    { name: 'nodes stats', line: 'GET /_nodes/stats?level=shards' },
    { name: 'cat indices', line: 'GET /_cat/indices?v&s=index' },
    { name: 'cat shards', line: 'GET /_cat/shards?v' },
    { name: 'cat segments', line: 'GET /_cat/segments?v' },
    { name: 'resolve index', line: 'GET /_resolve/index/*' },
    { name: 'forcemerge', line: 'POST /_forcemerge' },
    { name: 'flush', line: 'POST /_flush' },
    { name: 'refresh', line: 'POST /_refresh' },
    { name: 'clone', line: 'PUT /many-1/_settings', body: json({ index: { 'blocks.write': true } }) },
    { name: 'clone', line: 'POST /many-1/_clone/many-1-copy' },
    {
      name: 'settings of all',
      line: 'PUT /many-*/_settings',
      body: json({ index: { max_result_window: 20_000 } }),
    },
    {
      name: 'stored script',
      line: 'PUT /_scripts/long',
      body: json({ script: { lang: 'painless', source: `int x = 0; ${'x += 1; '.repeat(8_000)} return x` } }),
    },
    { name: 'delete of all', line: 'DELETE /many-*' },
    // Application API
    { name: 'feed', line: 'GET /api/newsfeed?limit=100' },
    { name: 'feed, parts', line: 'GET /api/newsfeed?limit=100&format=entities' },
    { name: 'feed, mentions', line: 'GET /api/newsfeed?limit=100&mention=name1' },
    {
      name: 'item',
      line: 'POST /api/newsfeed',
      body: json({
        author: 'u1',
        markup: many(500, (i) => `<user username="name${i}">name ${i}</user>`).join(' '),
      }),
    },
    {
      name: 'item, broken markup',
      line: 'POST /api/newsfeed',
      body: json({ author: 'u1', markup: '<user username="'.repeat(4_000) }),
    },
    { name: 'chat messages', line: 'GET /api/chats/chat/messages?limit=100' },
    { name: 'chat members', line: 'GET /api/chats/chat/members?limit=100' },
    { name: 'inbox', line: 'GET /api/chats?member=u1&limit=100' },
    {
      name: 'new chat',
      line: 'POST /api/chats',
      body: json({ title: 'x', members: many(1_000, (i) => `u${i}`) }),
    },
    { name: 'users', line: 'GET /api/users?limit=100' },
    { name: 'accounts', line: 'GET /api/accounts?limit=100' },
    { name: 'transactions', line: 'GET /api/transactions?limit=100' },
    { name: 'transactions by reference', line: 'GET /api/transactions?limit=100&reference=r1' },
    { name: 'batch', line: 'POST /api/transactions/batch', body: json(transfers(1_000, 1)) },
    { name: 'balance at a time', line: 'GET /api/accounts/account-1?at=2026-01-01T00:00:00Z' },
    { name: 'ledger verification', line: 'GET /api/ledger/verification' },
    { name: 'holds', line: 'GET /api/holds?limit=100' },
    { name: 'events', line: 'GET /api/events?limit=10000&after=0&format=json' },
    { name: 'webhooks', line: 'GET /api/webhooks' },
    { name: 'keys', line: 'GET /api/keys?limit=100' },
    { name: 'metrics', line: 'GET /api/metrics' },
    { name: 'openapi', line: 'GET /api/openapi.json' },
    { name: 'docs', line: 'GET /api/docs' },
    {
      name: 'body of 8 MB',
      line: 'POST /api/newsfeed',
      body: json({ author: 'u1', text: 'x', data: { a: many(200_000, (i) => i) } }),
    },
    { name: 'backup', line: 'GET /api/backup' },
  ];
}
