// Random queries of the kinds that few searches have: spans, intervals, likeness, points, scripts and nested objects.

import type { Body, Generator } from './generator.ts';
import { shapeOf } from './special-fields.ts';

type Maker = (g: Generator) => Body;

export const SPECIAL_QUERIES: readonly (readonly [string, Maker])[] = [
  ['span_near', (g) => spanNear(g)],
  ['span_first', (g) => ({ match: { span_term: spanTerm(g, textPath(g)) }, end: g.random.int(1, 5) })],
  ['intervals', intervals],
  ['more_like_this', moreLikeThis],
  [
    'terms_set',
    (g) => ({
      [g.field('keyword').path]: {
        terms: g.random.list(1, 4, () => String(g.value(g.field('keyword')))),
        ...(g.random.chance(0.5)
          ? { minimum_should_match_field: 'seq' }
          : {
              minimum_should_match_script: {
                source: g.random.pick(['1', 'params.num_terms', 'Math.min(params.num_terms, 2)']),
              },
            }),
      },
    }),
  ],
  [
    'geo_distance',
    (g) => ({ distance: g.random.pick(['500km', '3000km', '9000mi']), [place(g)]: pointOf(g) }),
  ],
  [
    'geo_bounding_box',
    (g) => ({
      [place(g)]: g.random.pick<unknown>([
        { top_left: { lat: 60, lon: -100 }, bottom_right: { lat: -20, lon: 80 } },
        { top: 40, left: 20, bottom: -40, right: 170 },
        { top_left: '50,-30', bottom_right: '-50,30' },
      ]),
    }),
  ],
  [
    'geo_shape',
    (g) => ({
      [place(g)]: {
        shape: shapeOf(g),
      },
    }),
  ],
  [
    'geo_polygon',
    (g) => ({
      [place(g)]: {
        points: g.random.pick<unknown>([
          ['0,-50', '-40,120', '70,90'],
          [
            [-100, 60],
            [80, 40],
            [10, -60],
          ],
        ]),
      },
    }),
  ],
  ['script_score', scriptScore],
  ['nested', nested],
  ['nested', nested],
];

function textPath(g: Generator): string {
  return g.field('text').path;
}

function place(g: Generator): string {
  return g.field('geo_point').path;
}

function pointOf(g: Generator): unknown {
  return g.random.pick<unknown>([{ lat: 10, lon: 20 }, '40,-70', [100, -30]]);
}

function spanTerm(g: Generator, path: string): Body {
  return { [path]: g.word().toLowerCase() };
}

function spanNear(g: Generator): Body {
  const path = textPath(g);
  return {
    clauses: g.random.list(1, 3, () => ({ span_term: spanTerm(g, path) })),
    slop: g.random.int(0, 5),
    in_order: g.random.chance(0.5),
  };
}

function intervals(g: Generator): Body {
  const { random } = g;
  const match = (): Body => ({
    match: {
      query: g.text(),
      ...random.members(0.3, { max_gaps: () => random.int(0, 4), ordered: () => random.chance(0.5) }),
    },
  });
  return {
    [textPath(g)]: random.weighted<Body>([
      [3, match],
      [1, () => ({ any_of: { intervals: [match(), match()] } })],
      [1, () => ({ all_of: { intervals: [match(), match()], ordered: random.chance(0.5) } })],
      [1, () => ({ prefix: { prefix: g.word().slice(0, 2).toLowerCase() } })],
    ]),
  };
}

function moreLikeThis(g: Generator): Body {
  const { random } = g;
  return {
    fields: random.list(1, 2, () => textPath(g)),
    like: random.pick<unknown>([g.text(), [{ _index: '$index', _id: g.id() }]]),
    min_term_freq: 1,
    min_doc_freq: random.int(1, 2),
    ...random.members(0.3, {
      minimum_should_match: () => random.pick(['1', '30%', '50%']),
      include: () => true,
    }),
  };
}

function scriptScore(g: Generator): Body {
  return {
    query: { match_all: {} },
    script: {
      source: g.random.pick([
        "doc['seq'].value + 1",
        '_score * params.f',
        "doc['seq'].size() == 0 ? 0 : Math.log(2 + doc['seq'].value)",
        "saturation(doc['seq'].value, 5)",
      ]),
      params: { f: 2 },
    },
  };
}

/** Queries on the objects of `kids`. */
function nested(g: Generator): Body {
  const { random } = g;
  const inner = (): Body =>
    random.pick<Body>([
      { term: { 'kids.name': random.pick(['red', 'blue', 'a b']) } },
      { range: { 'kids.n': { gte: random.int(0, 5) } } },
      { match: { 'kids.text': g.text() } },
      { exists: { field: 'kids.n' } },
    ]);
  return {
    path: 'kids',
    query: random.chance(0.7) ? inner() : { bool: { must: [inner()], should: [inner()] } },
    ...random.members(0.4, {
      score_mode: () => random.pick(['avg', 'sum', 'min', 'max', 'none']),
      inner_hits: () =>
        random.members(0.4, {
          size: () => random.int(1, 3),
          _source: () => false,
          sort: () => [{ 'kids.n': 'asc' }],
        }),
      ignore_unmapped: () => true,
    }),
  };
}
