// Random requests to the other endpoints that read.

import type { Step } from '../case.ts';
import type { Body, Generator } from './generator.ts';
import { makeQuery } from './queries.ts';
import { queryString } from './query-strings.ts';
import { searchBody } from './searches.ts';
import { completions } from './special-fields.ts';

type Maker = (g: Generator) => Step;

const ENDPOINTS: readonly (readonly [string, Maker])[] = [
  ['_count', (g) => ({ method: 'POST', path: '/$index/_count', body: { query: makeQuery(g) } })],
  ['_count', (g) => ({ method: 'GET', path: `/$index/_count?q=${encodeURIComponent(queryString(g))}` })],
  [
    '_explain',
    (g) => ({
      method: 'POST',
      path: `/$index/_explain/${encodeURIComponent(g.id())}`,
      body: { query: makeQuery(g, 0) },
    }),
  ],
  [
    '_validate',
    (g) => ({
      method: 'POST',
      path: `/$index/_validate/query${g.random.pick(['', '?explain=true', '?rewrite=true'])}`,
      body: { query: makeQuery(g, 1) },
    }),
  ],
  ['_mget', (g) => ({ method: 'POST', path: '/$index/_mget', body: mget(g) })],
  [
    '_doc',
    (g) => ({
      method: 'GET',
      path: `/$index/_doc/${encodeURIComponent(g.id())}${g.random.pick(['', '?_source=false', '?_source=title,n', '?_source_excludes=t*', '?stored_fields=title', '?realtime=false'])}`,
    }),
  ],
  ['_source', (g) => ({ method: 'GET', path: `/$index/_source/${encodeURIComponent(g.id())}` })],
  [
    '_field_caps',
    (g) => ({
      method: 'GET',
      path: `/$index/_field_caps?fields=${g.random.pick(['*', g.field().path, 't*,n', 'obj.*', 'absent'])}`,
    }),
  ],
  ['_analyze', (g) => ({ method: 'POST', path: '/$index/_analyze', body: analyze(g) })],
  ['_analyze', (g) => ({ method: 'POST', path: '/$index/_analyze', body: analyze(g) })],
  ['_msearch', msearch],
  [
    '_termvectors',
    (g) => ({
      method: 'POST',
      path: `/$index/_termvectors/${encodeURIComponent(g.id())}`,
      body: {
        fields: [g.field('text').path, g.field('text').path],
        ...g.random.members(0.3, {
          term_statistics: () => true,
          field_statistics: () => false,
          positions: () => false,
          offsets: () => false,
        }),
      },
    }),
  ],
  ['suggest', (g) => ({ method: 'POST', path: '/$index/_search', body: { size: 0, suggest: suggest(g) } })],
  [
    '_search/template',
    (g) => ({
      method: 'POST',
      path: `/$index/_search/template`,
      body: {
        source: '{"query":{"match":{"{{field}}":"{{text}}"}},"size":{{size}}{{^size}}10{{/size}}}',
        params: { field: g.field('text').path, text: g.word(), size: g.random.int(1, 5) },
      },
    }),
  ],
  [
    '_rank_eval',
    (g) => ({
      method: 'POST',
      path: '/$index/_rank_eval',
      body: {
        requests: [
          {
            id: 'one',
            request: { query: makeQuery(g, 0), sort: ['seq'] },
            ratings: g.random
              .list(1, 4, () => ({ _index: '$index', _id: g.id(), rating: g.random.int(0, 3) }))
              .filter((each, n, all) => all.findIndex((other) => other._id === each._id) === n),
          },
        ],
        metric: g.random.pick<unknown>([
          { precision: { k: 5, relevant_rating_threshold: 1 } },
          { recall: { k: 5 } },
          { mean_reciprocal_rank: {} },
          { dcg: { k: 5, normalize: true } },
        ]),
      },
    }),
  ],
  [
    '_mapping',
    (g) => ({
      method: 'GET',
      path: `/$index/_mapping${g.random.pick(['', '/field/*', '/field/title', '/field/obj.*?include_defaults=true'])}`,
    }),
  ],
];

/** One request to an endpoint other than `_search`. */
export function endpointSteps(g: Generator): Step[] {
  const [name, make] = g.random.pick(ENDPOINTS);
  g.features.add(name);
  return [make(g)];
}

function mget(g: Generator): Body {
  const { random } = g;
  if (random.chance(0.4)) return { ids: random.list(0, 4, () => g.id()) };
  return {
    docs: random.list(1, 3, () => ({
      _id: g.id(),
      ...random.members(0.2, {
        _source: () => random.pick<unknown>([false, ['title'], { includes: ['t*'], excludes: ['tag'] }]),
        _index: () => '$index',
        stored_fields: () => ['title'],
        routing: () => 'r',
      }),
    })),
  };
}

function analyze(g: Generator): Body {
  const { random } = g;
  const text = random.chance(0.8) ? g.text() : [g.text(), g.text()];
  if (random.chance(0.3)) return { text, field: g.field('text', 'keyword').path };
  if (random.chance(0.5))
    return {
      text,
      analyzer: random.pick([
        'standard',
        'simple',
        'whitespace',
        'english',
        'french',
        'german',
        'stop',
        'mine',
        'keyword',
        'spanish',
        'portuguese',
      ]),
    };
  return {
    text,
    tokenizer: random.pick<unknown>([
      'standard',
      'whitespace',
      'letter',
      'keyword',
      'lowercase',
      'uax_url_email',
      'path_hierarchy',
      { type: 'ngram', min_gram: 2, max_gram: 3 },
      { type: 'edge_ngram', max_gram: 4 },
    ]),
    ...random.members(0.6, {
      filter: () =>
        random.some<unknown>(
          [
            'lowercase',
            'asciifolding',
            'stop',
            'porter_stem',
            'unique',
            'reverse',
            'trim',
            'uppercase',
            { type: 'stop', stopwords: ['red'] },
            { type: 'length', min: 2, max: 5 },
            { type: 'truncate', length: 3 },
            { type: 'shingle' },
          ],
          3,
        ),
    }),
    ...random.members(0.1, { char_filter: () => ['html_strip'], explain: () => true }),
  };
}

/** A suggestion of words, of phrases, or of completions. */
function suggest(g: Generator): Body {
  const { random } = g;
  if (g.dataset.special.includes('done') && random.chance(0.6))
    return g.uses('suggest completion', completions(g));
  const word = g.word();
  const text = `${word.slice(0, -1)}${random.pick(['x', '', word.slice(-1)])} ${g.word()}`;
  const field = g.field('text').path;
  return random.chance(0.7)
    ? {
        s: {
          text,
          term: {
            field,
            ...random.members(0.3, {
              size: () => random.int(1, 4),
              sort: () => random.pick(['score', 'frequency']),
              suggest_mode: () => random.pick(['missing', 'popular', 'always']),
              min_word_length: () => 2,
              max_edits: () => random.int(1, 2),
            }),
          },
        },
      }
    : { s: { text, phrase: { field, size: random.int(1, 3), gram_size: 1 } } };
}

function msearch(g: Generator): Step {
  const lines = g.random.list(1, 3, () => [{ index: '$index' }, searchBody(g)]).flat();
  return { method: 'POST', path: '/_msearch', lines };
}
