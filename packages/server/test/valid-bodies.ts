// Valid bodies of every kind, as rich as they get, from which mutations are made.

const json = (...bodies: unknown[]): string[] => bodies.map((body) => JSON.stringify(body));
const lines = (...each: unknown[]): string => each.map((line) => `${JSON.stringify(line)}\n`).join('');

const DOCUMENTS = [
  {
    n: 3,
    f: 1.5,
    k: ['a', 'b'],
    t: 'red fox',
    d: '2024-02-03T04:05:06Z',
    b: true,
    ip: '10.0.0.1',
    o: { x: 1 },
  },
  { n: -9007199254740992, k: 'ä', t: ['one', 'two'], d: 1700000000000, u: 5, g: { lat: 1, lon: 2 } },
  { t: '日本語 text', o: [{ x: 1 }, { x: [2, 3] }], h: 0.5, bin: 'aGVsbG8=', nothing: null },
];

const QUERIES = [
  { match_all: { boost: 2 } },
  { term: { k: { value: 'a', boost: 1.5, case_insensitive: true, _name: 'x' } } },
  { terms: { n: [1, 2, 3], boost: 1 } },
  { terms: { k: { index: 'steady', id: '1', path: 'k' } } },
  { range: { n: { gte: 1, lt: 5, boost: 2 } } },
  {
    range: {
      d: { gte: 'now-1d/d', lte: '2030-01-01', time_zone: '+01:00', format: 'strict_date_optional_time' },
    },
  },
  { exists: { field: 'o.x' } },
  { ids: { values: ['1', '2'] } },
  { prefix: { k: { value: 'a', case_insensitive: true } } },
  { wildcard: { k: { value: 'a*?b', boost: 1 } } },
  { regexp: { k: { value: 'a(b|c)*[d-f]{1,3}', flags: 'ALL', max_determinized_states: 1000 } } },
  {
    fuzzy: {
      t: { value: 'fix', fuzziness: 'AUTO', prefix_length: 1, max_expansions: 20, transpositions: true },
    },
  },
  {
    match: {
      t: {
        query: 'red fox',
        operator: 'and',
        minimum_should_match: '50%',
        fuzziness: 1,
        zero_terms_query: 'all',
      },
    },
  },
  { match_phrase: { t: { query: 'red fox', slop: 2, analyzer: 'standard' } } },
  { match_phrase_prefix: { t: { query: 'red f', max_expansions: 5 } } },
  { match_bool_prefix: { t: 'red f' } },
  { multi_match: { query: 'red fox', fields: ['t^2', 'k', 'n*'], type: 'best_fields', tie_breaker: 0.3 } },
  { multi_match: { query: 'red fox', fields: ['t', 'k'], type: 'phrase', slop: 1 } },
  {
    bool: {
      must: [{ match: { t: 'red' } }],
      filter: { term: { b: true } },
      should: [{ term: { n: 3 } }],
      must_not: [],
      minimum_should_match: 0,
    },
  },
  { constant_score: { filter: { term: { ip: '10.0.0.0/8' } }, boost: 3 } },
  { dis_max: { queries: [{ term: { k: 'a' } }, { match: { t: 'fox' } }], tie_breaker: 0.5 } },
  { boosting: { positive: { match_all: {} }, negative: { term: { k: 'a' } }, negative_boost: 0.2 } },
  {
    query_string: {
      query: 't:(red OR fox~1) AND n:[1 TO 5] -k:a* "red fox"~2 /r.d/',
      default_field: 't',
      lenient: false,
    },
  },
  {
    simple_query_string: {
      query: '"red fox" +(a | b) -c d* e~1',
      fields: ['t^3'],
      flags: 'ALL',
      default_operator: 'and',
    },
  },
  {
    function_score: {
      query: { match: { t: 'red' } },
      functions: [
        { filter: { term: { k: 'a' } }, weight: 2 },
        { field_value_factor: { field: 'n', factor: 1.5, modifier: 'log1p', missing: 1 }, weight: 3 },
        { gauss: { n: { origin: 3, scale: 2, offset: 1, decay: 0.4 }, multi_value_mode: 'avg' } },
        { random_score: { seed: 7, field: 'k' } },
      ],
      score_mode: 'sum',
      boost_mode: 'multiply',
      max_boost: 40,
      min_score: 0.1,
    },
  },
  { terms_set: { k: { terms: ['a', 'b'], minimum_should_match_field: 'n' } } },
];

const SORTS = [
  ['n', { k: 'desc' }, '_score'],
  [
    { d: { order: 'desc', missing: '_first', format: 'yyyy-MM-dd', mode: 'max', unmapped_type: 'long' } },
    '_id',
  ],
  [{ f: { order: 'asc', numeric_type: 'double' } }, { zz: { unmapped_type: 'keyword' } }],
  '_doc',
];

const SEARCHES = [
  ...QUERIES.map((query, i) => ({
    query,
    size: 3,
    ...(i % 2 === 0 ? { sort: SORTS[i % SORTS.length] } : {}),
  })),
  { from: 2, size: 2, sort: ['n'], _source: { includes: ['n', 'o.*'], excludes: 'k' }, track_total_hits: 3 },
  { sort: [{ n: 'asc' }, { k: 'desc' }], search_after: [1, 'a'], size: 2 },
  { page: 2, size: 2, sort: ['n'], tokens: true, version: true, seq_no_primary_term: true },
  { sort: ['n'], next_token: 'AAAA', size: 2 },
  { pit: { id: 'b2N0YXZvOnBpdDpub3BlLW5vcGU', keep_alive: '1m' }, slice: { id: 0, max: 2 } },
  { post_filter: { term: { k: 'a' } }, min_score: 0.5, terminate_after: 2, timeout: '1s', explain: true },
  {
    collapse: { field: 'k' },
    docvalue_fields: [{ field: 'd', format: 'epoch_millis' }],
    fields: ['n'],
    stored_fields: ['_none_'],
  },
  {
    indices_boost: [{ steady: 2 }],
    query: { match: { t: 'red' } },
    profile: false,
    highlight: { fields: { t: {} } },
  },
  {
    aggs: { a: { terms: { field: 'k' } } },
    rescore: { window_size: 3, query: { rescore_query: { match_all: {} } } },
  },
];

const MAPPING = {
  dynamic: 'strict',
  properties: {
    n2: { type: 'long', null_value: 0, copy_to: ['k2'] },
    k2: { type: 'keyword', ignore_above: 10, doc_values: true },
    t2: {
      type: 'text',
      analyzer: 'standard',
      fields: { raw: { type: 'keyword' } },
      index_options: 'positions',
    },
    d2: { type: 'date', format: 'yyyy-MM-dd||epoch_millis' },
    o2: { properties: { x: { type: 'scaled_float', scaling_factor: 100 } } },
    al: { type: 'alias', path: 'n2' },
  },
  dynamic_templates: [{ s: { match_mapping_type: 'string', match: 's_*', mapping: { type: 'keyword' } } }],
  _meta: { a: 1 },
};

const SETTINGS = {
  index: { number_of_shards: 1, refresh_interval: '1s', max_result_window: 100 },
  analysis: {
    analyzer: {
      mine: { type: 'custom', tokenizer: 'tri', filter: ['lowercase', 'st'], char_filter: ['html_strip'] },
    },
    tokenizer: { tri: { type: 'ngram', min_gram: 2, max_gram: 3, token_chars: ['letter'] } },
    filter: { st: { type: 'stop', stopwords: ['a', 'b'] } },
  },
};

/** Bodies by family. */
export const BODIES: Readonly<Record<string, readonly string[]>> = {
  document: json(...DOCUMENTS),
  update: json(
    { doc: { n: 4 }, upsert: { n: 1 }, detect_noop: true },
    { doc: { o: { x: 2 } }, doc_as_upsert: true },
  ),
  bulk: [
    lines({ index: { _index: 'fuzz-a', _id: '1', routing: 'r' } }, DOCUMENTS[0], {
      delete: { _index: 'fuzz-a', _id: '2' },
    }),
    lines(
      { create: { _index: 'fuzz-b' } },
      DOCUMENTS[1],
      { update: { _index: 'fuzz-a', _id: '1', retry_on_conflict: 2 } },
      { doc: { n: 5 } },
    ),
    lines(
      { index: { _index: 'steady', _id: '3', if_seq_no: 1, if_primary_term: 1 } },
      DOCUMENTS[2],
      { index: { version: 3, version_type: 'external', _id: '9' } },
      { n: 9 },
    ),
  ],
  mget: json(
    {
      docs: [
        { _index: 'steady', _id: '1', _source: ['n'] },
        { _id: '2', routing: 'r' },
      ],
    },
    { ids: ['1', '2', 3] },
  ),
  search: json(...SEARCHES),
  query: json(...QUERIES.map((query) => ({ query }))),
  msearch: [
    lines(
      { index: 'steady', search_type: 'query_then_fetch' },
      SEARCHES[0],
      {},
      SEARCHES[9],
      { index: ['steady', 'none'] },
      SEARCHES[12],
    ),
  ],
  scroll: json(
    { scroll: '1m', scroll_id: 'b2N0YXZvOnNjcm9sbDpub3BlLW5vcGU' },
    { scroll_id: ['b2N0YXZvOnNjcm9sbDpub3BlLW5vcGU'] },
  ),
  pit: json({ pit_id: ['b2N0YXZvOnBpdDpub3BlLW5vcGU'] }, { id: 'b2N0YXZvOnBpdDpub3BlLW5vcGU' }),
  index: json({
    settings: SETTINGS,
    mappings: MAPPING,
    aliases: { fa: { filter: { term: { k2: 'a' } }, routing: '1', is_write_index: true } },
  }),
  mapping: json(MAPPING, { properties: { more: { type: 'keyword' } } }),
  settings: json(
    { index: { refresh_interval: '-1' } },
    { 'index.max_result_window': 50, number_of_replicas: 0 },
  ),
  cluster: json({
    persistent: { 'search.max_keep_alive': '1h' },
    transient: { 'action.auto_create_index': 'fuzz*,steady' },
  }),
  aliases: json({
    actions: [
      { add: { index: 'steady', alias: 'al', filter: { term: { n: 1 } } } },
      { remove: { indices: ['fuzz-a'], aliases: ['x*'], must_exist: false } },
    ],
  }),
  alias: json({ filter: { range: { n: { gte: 1 } } }, routing: 'a', is_write_index: false }),
  reindex: json(
    {
      source: { index: ['steady'], query: QUERIES[1], size: 2, sort: ['n'], _source: ['n', 'o.*'] },
      dest: { index: 'fuzz-copy', op_type: 'create', routing: '=r' },
      ...{ conflicts: 'proceed', max_docs: 3 },
    },
    {
      source: { index: 'steady', slice: { id: 0, max: 2 } },
      dest: { index: 'fuzz-copy', version_type: 'external_gte' },
      script: { source: 'ctx._source.n = params.n; ctx._id = ctx._id + 1', params: { n: 3 } },
    },
  ),
  termvectors: json({
    doc: DOCUMENTS[0],
    fields: ['t', 'k*'],
    per_field_analyzer: { t: 'keyword' },
    filter: { max_num_terms: 3, min_doc_freq: 1 },
    ...{ term_statistics: true, positions: false },
  }),
  mtermvectors: json(
    {
      docs: [
        { _index: 'steady', _id: '1', fields: ['t'] },
        { _index: 'steady', doc: { t: 'red' } },
      ],
    },
    { ids: ['1', '2'], parameters: { field_statistics: false } },
  ),
  rankEval: json({
    requests: [
      {
        id: 'one',
        request: { query: QUERIES[0], sort: ['n'] },
        ratings: [{ _index: 'steady', _id: '1', rating: 2 }],
        summary_fields: ['n'],
      },
    ],
    metric: { dcg: { k: 5, normalize: true, unknown_doc_rating: 1 } },
  }),
  termsEnum: json({
    ...{ field: 'k', string: 'a', size: 3, case_insensitive: true, search_after: 'a', timeout: '1s' },
    index_filter: QUERIES[0],
  }),
  rollover: json({
    conditions: { max_age: '7d', max_docs: 3, max_size: '5gb' },
    settings: SETTINGS,
    aliases: { ta: {} },
  }),
  resize: json({ settings: { 'index.number_of_shards': 2 }, aliases: { ra: {} }, max_shard_size: '5gb' }),
  template: json(
    {
      index_patterns: ['fuzzt-*'],
      priority: 3,
      template: { settings: SETTINGS, mappings: MAPPING, aliases: { ta: {} } },
      composed_of: [],
      version: 2,
    },
    { index_patterns: ['fuzzl-*'], order: 1, settings: SETTINGS, mappings: MAPPING },
    { template: { mappings: MAPPING } },
  ),
  analyze: json(
    { analyzer: 'standard', text: ['Red fox', 'two'] },
    {
      tokenizer: { type: 'edge_ngram', min_gram: 1, max_gram: 4 },
      filter: ['lowercase', { type: 'stop' }],
      char_filter: [{ type: 'mapping', mappings: ['a=>b'] }],
      text: 'abc',
      explain: true,
    },
  ),
};

const FAMILIES: readonly [RegExp, string][] = [
  [/_reindex$/, 'reindex'],
  [/_mtermvectors$/, 'mtermvectors'],
  [/_termvectors/, 'termvectors'],
  [/_rank_eval$/, 'rankEval'],
  [/_terms_enum$/, 'termsEnum'],
  [/_rollover/, 'rollover'],
  [/_clone|_split|_shrink/, 'resize'],
  [/_bulk$/, 'bulk'],
  [/_mget$/, 'mget'],
  [/_msearch/, 'msearch'],
  [/_search\/scroll/, 'scroll'],
  [/point_in_time|_pit$/, 'pit'],
  [/_search$|_search\/template$/, 'search'],
  [/_count$|_validate|_explain|_by_query$/, 'query'],
  [/_update/, 'update'],
  [/_mappings?$/, 'mapping'],
  [/cluster\/settings$/, 'cluster'],
  [/_settings$/, 'settings'],
  [/^\/_aliases$/, 'aliases'],
  [/_alias/, 'alias'],
  [/_template|_simulate/, 'template'],
  [/_analyze$/, 'analyze'],
  [/\/_create|_doc|\{type\}/, 'document'],
  [/^\/\{index\}$/, 'index'],
]; // the first that fits

/** The family of an endpoint's bodies, where it reads one. */
export function bodyFor(method: string, path: string): string | undefined {
  if (method === 'HEAD' || (method === 'DELETE' && !/scroll|point_in_time|_pit/.test(path))) return undefined;
  const family = FAMILIES.find(([pattern]) => pattern.test(path))?.[1];
  if (method !== 'GET' || family === undefined) return family;
  return ['search', 'query', 'mget', 'msearch', 'scroll', 'analyze'].includes(family) ? family : undefined;
}
