// Random queries, aggregations and suggestions over the special fields of an index.

import { synonymText } from '../special-fields.ts';
import type { Body, Generator } from './generator.ts';

type Maker = (g: Generator) => Body;

/** The kinds that the special fields of the index allow. */
export function fieldQueries(g: Generator): (readonly [string, Maker])[] {
  const { special } = g.dataset;
  return QUERIES.flatMap(([path, ...query]) => (special.includes(path) ? [query] : []));
}

const QUERIES: readonly (readonly [string, string, Maker])[] = [
  ['rank', 'rank_feature', (g) => rankFeature(g, 'rank')],
  ['ranks', 'rank_feature', (g) => rankFeature(g, g.random.pick(['ranks.a', 'ranks.b', 'ranks.none']))],
  ['span', 'range', (g) => ({ span: rangeOf(g, () => g.random.int(-25, 110)) })],
  ['period', 'range', (g) => ({ period: rangeOf(g, () => dayOf(g)) })],
  ['span', 'term', (g) => ({ span: g.random.int(-20, 100) })],
  ['period', 'term', (g) => ({ period: dayOf(g) })],
  ['syn', 'match', (g) => ({ syn: matchOf(g) })],
  ['syn', 'match_phrase', (g) => ({ syn: { query: synonymText(g.random), ...slopOf(g) } })],
  [
    'syn',
    'query_string',
    (g) => ({ query: `${synonymText(g.random)} "${synonymText(g.random)}"`, default_field: 'syn' }),
  ],
  ['alike', 'match', (g) => ({ alike: matchOf(g) })],
  ['alike', 'match_phrase', (g) => ({ alike: { query: synonymText(g.random), ...slopOf(g) } })],
];

function rankFeature(g: Generator, field: string): Body {
  const { random } = g;
  return {
    field,
    ...random.weighted<Body>([
      [2, () => ({})],
      [2, () => ({ saturation: { pivot: random.int(1, 40) } })],
      [1, () => ({ saturation: {} })],
      [1, () => ({ log: { scaling_factor: random.int(1, 4) } })],
      [1, () => ({ sigmoid: { pivot: random.int(1, 40), exponent: 0.6 } })],
      [1, () => ({ linear: {} })],
    ]),
    ...random.members(0.1, { boost: () => 2 }),
  };
}

function rangeOf(g: Generator, bound: () => unknown): Body {
  const { random } = g;
  return {
    ...random.members(0.8, {
      [random.pick(['gte', 'gt'])]: bound,
      [random.pick(['lte', 'lt'])]: bound,
    }),
    ...random.members(0.6, { relation: () => random.pick(['intersects', 'within', 'contains']) }),
  };
}

function dayOf({ random }: Generator): string {
  return new Date(Date.UTC(2020, random.int(0, 30), random.int(1, 28))).toISOString().slice(0, 10);
}

function matchOf(g: Generator): Body {
  return {
    query: synonymText(g.random),
    ...g.random.members(0.2, {
      operator: () => 'and',
      minimum_should_match: () => '50%',
      auto_generate_synonyms_phrase_query: () => false,
    }),
  };
}

function slopOf({ random }: Generator): Body {
  return random.members(0.3, { slop: () => random.int(1, 3) });
}

/** Aggregations over ranges. */
export function fieldAggregations(g: Generator): (readonly [string, Maker])[] {
  const { special } = g.dataset;
  return [
    ...(special.includes('span')
      ? [
          [
            'histogram',
            () => ({
              field: 'span',
              interval: g.random.pick([5, 20]),
              min_doc_count: 1,
              // Without them an open range has buckets without end.
              hard_bounds: { min: -50, max: 150 },
            }),
          ] as const,
          ['value_count', () => ({ field: 'span' })] as const,
          ['missing', () => ({ field: 'span' })] as const,
        ]
      : []),
    ...(special.includes('period')
      ? [
          [
            'date_histogram',
            () => ({
              field: 'period',
              calendar_interval: 'month',
              min_doc_count: 1,
              hard_bounds: { min: '2019-06-01', max: '2023-01-01' },
            }),
          ] as const,
        ]
      : []),
  ];
}

/** A suggestion of completions. */
export function completions(g: Generator): Body {
  const { random } = g;
  const prefix = random.pick(['f', 'fa', 'qui', 'new', 'big a', 'x', 're', 'fux', 'nwe']);
  return {
    s: {
      prefix,
      completion: {
        field: 'done',
        ...random.members(0.3, {
          size: () => random.int(1, 20),
          skip_duplicates: () => true,
          fuzzy: () => random.pick<unknown>([true, { fuzziness: 2 }, { min_length: 2, prefix_length: 1 }]),
        }),
      },
    },
  };
}

/** Shapes for a query over points. */
export function shapeOf({ random }: Generator): Body {
  return random.weighted<Body>([
    [
      2,
      () => ({
        type: 'envelope',
        coordinates: [
          [-100, 60],
          [80, -20],
        ],
      }),
    ],
    [
      1,
      () => ({
        type: 'envelope',
        coordinates: [
          [20, 40],
          [170, -40],
        ],
      }),
    ],
    [
      2,
      () => ({
        type: 'polygon',
        coordinates: [
          [
            [0, -50],
            [120, -40],
            [90, 70],
            [-30, 45],
            [0, -50],
          ],
        ],
      }),
    ],
    [
      1,
      () => ({
        type: 'multipolygon',
        coordinates: [
          [
            [
              [0, 0],
              [60, 0],
              [60, 60],
              [0, 0],
            ],
          ],
          [
            [
              [-90, -50],
              [-10, -50],
              [-50, 0],
              [-90, -50],
            ],
          ],
        ],
      }),
    ],
  ]);
}
