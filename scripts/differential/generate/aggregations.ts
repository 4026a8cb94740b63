// Random aggregations of every kind, with sub-aggregations and pipelines below them.

import type { DataField } from '../dataset.ts';
import type { Body, Generator } from './generator.ts';
import { highlight } from './highlights.ts';
import { pipelinesBelow, pipelinesBeside } from './pipelines.ts';
import { makeQuery } from './queries.ts';
import { makeSort } from './sorts.ts';
import { fieldAggregations } from './special-fields.ts';

/** Aggregations by name, nested at most `depth` deep. */
export function makeAggregations(g: Generator, depth = 2): Body {
  const aggregations: Body = {};
  for (const name of g.random.some(['a', 'b', 'c'], depth === 2 ? 2 : 1))
    aggregations[name] = aggregation(g, depth);
  if (g.random.chance(0.2)) Object.assign(aggregations, pipelinesBeside(g, aggregations));
  return aggregations;
}

function aggregation(g: Generator, depth: number): Body {
  const isBucket = depth > 0 && g.random.chance(0.6);
  const special = g.random.chance(0.03) ? fieldAggregations(g) : [];
  const [name, make] = g.random.pick(special.length > 0 ? special : isBucket ? bucketsOf(g) : METRICS);
  g.features.add(`aggregation ${name}`);
  const sub =
    isBucket && special.length === 0 && name !== 'rare_terms' && g.random.chance(0.5)
      ? withoutNestedTwice(name, makeAggregations(g, depth - 1))
      : undefined;
  const body = make(g, sub);
  const whole: Body = { [name]: body };
  if (sub !== undefined) {
    if (name !== 'filters' || g.random.chance(0.9)) Object.assign(sub, pipelinesBelow(g, name, sub));
    whole[g.random.pick(['aggs', 'aggregations'])] = sub;
  }
  if (g.random.chance(0.05)) whole['meta'] = { note: 'x', n: 1 };
  return whole;
}

type Maker = (g: Generator, sub: Body | undefined) => Body;

/** The peer does not find the objects within nested objects of the same path, but some of those beside them. */
function withoutNestedTwice(name: string, sub: Body): Body | undefined {
  return name === 'nested' && JSON.stringify(sub).includes('"nested":{') ? undefined : sub;
}

/** The peer counts nested objects among the documents to which significant terms are compared. */
function bucketsOf(g: Generator): typeof BUCKETS {
  const { properties } = g.dataset.mappings as { readonly properties: object };
  return 'kids' in properties ? BUCKETS.filter(([name]) => name !== 'significant_terms') : BUCKETS;
}

function missingOf(g: Generator, field: DataField): unknown {
  switch (field.kind) {
    case 'date':
      return '2020-02-02';
    case 'ip':
      return '10.0.0.9';
    case 'boolean':
      return g.random.pick<unknown>([true, 'false']);
    case 'keyword':
      return 'absent';
    default:
      return g.random.pick([-1, 3, 2.5]);
  }
}

/** `field`, and sometimes a value for documents without it. */
function valuesOf(g: Generator, field: DataField, missing = 0.12): Body {
  return { field: field.path, ...g.random.members(missing, { missing: () => missingOf(g, field) }) };
}

function formatOf(g: Generator, field: DataField): Body {
  return g.random.members(0.12, {
    format: () =>
      field.kind === 'date'
        ? g.random.pick(['yyyy-MM', 'epoch_millis', "yyyy-MM-dd'T'HH"])
        : g.random.pick(['0.00', '#,##0.#', '000']),
  });
}

function orderOf(g: Generator, sub: Body | undefined): unknown {
  const direction = (): string => g.random.pick(['asc', 'desc']);
  const metric = Object.keys(sub ?? {}).find((name) =>
    Object.keys(sub![name] as Body).some((kind) =>
      ['min', 'max', 'avg', 'sum', 'value_count', 'stats'].includes(kind),
    ),
  );
  const one = (): Body =>
    g.random.weighted<Body>([
      [2, () => ({ _count: direction() })],
      [2, () => ({ _key: direction() })],
      [
        metric === undefined ? 0 : 3,
        () => ({
          [(sub![metric!] as Body)['stats'] === undefined ? metric! : `${metric!}.max`]: direction(),
        }),
      ],
      [0.05, () => ({ nothing: 'asc' })],
    ]);
  return g.random.chance(0.7) ? one() : [one(), { _key: direction() }];
}

function terms(g: Generator, sub: Body | undefined): Body {
  const { random } = g;
  const field = g.column('keyword', 'integer', 'long', 'decimal', 'date', 'boolean', 'ip');
  return {
    ...valuesOf(g, field),
    ...formatOf(g, field),
    ...random.members(0.15, {
      size: () => random.pick([1, 2, 5, 100]),
      shard_size: () => 200,
      order: () => orderOf(g, sub),
      min_doc_count: () => random.pick([0, 2, 3]),
      show_term_doc_count_error: () => random.chance(0.5),
      execution_hint: () => random.pick(['map', 'global_ordinals']),
      collect_mode: () => random.pick(['breadth_first', 'depth_first']),
    }),
    ...(field.kind === 'keyword'
      ? random.members(0.08, {
          include: () => includeOf(g, field),
          exclude: () => random.pick<unknown>(['r.*', ['red', 'blue']]),
        })
      : {}),
    ...(field.kind === 'integer'
      ? random.members(0.06, { include: () => [1, 2, 3], exclude: () => [3, 7] })
      : {}),
  };
}

function includeOf(g: Generator, field: DataField): unknown {
  return g.random.pick<unknown>([
    '.*e.*',
    ['red', String(g.value(field))],
    { partition: 0, num_partitions: 3 },
    '[a-f]+',
  ]);
}

/** Ranges of numbers by their bounds. The peer sorts those of distances not at all, and looks them up as if they were sorted. */
function ascending(ranges: readonly Body[]): Body[] {
  const fromOf = ({ from }: Body): number => Number(from ?? 0);
  const toOf = ({ to }: Body): number => Number(to ?? Number.POSITIVE_INFINITY);
  return [...ranges].sort((a, b) => fromOf(a) - fromOf(b) || toOf(a) - toOf(b) || 0);
}

function rangesOf(g: Generator, bounds: readonly unknown[]): Body[] {
  const { random } = g;
  return random.list(1, 3, () => {
    const [from, to] = [random.int(0, bounds.length - 1), random.int(0, bounds.length - 1)].sort(
      (a, b) => a - b,
    );
    return {
      ...random.members(0.75, { from: () => bounds[from!], to: () => bounds[to!] }),
      ...random.members(0.15, { key: () => random.pick(['low', 'high']) }),
    };
  });
}

function intervalOf(g: Generator): Body {
  const { random } = g;
  return random.chance(0.6)
    ? { calendar_interval: random.pick(['month', 'year', '1q', 'week', 'quarter', '1M', '1y']) }
    : { fixed_interval: random.pick(['30d', '7d', '1000d', '2160h']) };
}

function dateHistogram(g: Generator, sub: Body | undefined): Body {
  const { random } = g;
  const field = g.column('date');
  return {
    ...valuesOf(g, field),
    ...intervalOf(g),
    ...formatOf(g, field),
    ...random.members(0.12, {
      time_zone: () => random.pick(['+01:00', 'America/New_York', 'Asia/Kolkata']),
      offset: () => random.pick(['+6h', '-1d', '+15d']),
      keyed: () => random.chance(0.7),
      min_doc_count: () => random.int(0, 2),
      order: () => orderOf(g, sub),
    }),
    ...random.members(0.05, {
      extended_bounds: () => ({ min: '2018-01-01', max: '2019-06-01' }),
      hard_bounds: () => ({ min: '2020-01-01', max: '2023-06-01' }),
    }),
  };
}

function histogram(g: Generator, sub: Body | undefined): Body {
  const { random } = g;
  const field = g.column('integer', 'decimal');
  return {
    ...valuesOf(g, field),
    interval: random.pick([50, 100, 20, 12.5]),
    ...formatOf(g, field),
    ...random.members(0.12, {
      offset: () => random.pick([0, 3, 0.5]),
      keyed: () => random.chance(0.7),
      min_doc_count: () => random.int(0, 2),
      order: () => orderOf(g, sub),
    }),
    ...random.members(0.05, {
      extended_bounds: () => ({ min: -100, max: 300 }),
      hard_bounds: () => ({ min: 0, max: 200 }),
    }),
  };
}

function composite(g: Generator): Body {
  const { random } = g;
  const names = random.some(['x', 'y', 'z'], 2);
  const sources = names.map((name) => {
    const common = random.members(0.2, {
      order: () => random.pick(['asc', 'desc']),
      missing_bucket: () => random.chance(0.7),
    });
    const source = random.weighted<Body>([
      [
        4,
        () => ({
          terms: {
            field: g.column('keyword', 'integer', 'boolean', 'ip', 'date', 'decimal').path,
            ...common,
          },
        }),
      ],
      [1, () => ({ histogram: { field: g.numeric().path, interval: random.pick([5, 20]), ...common } })],
      [
        2,
        () => ({
          date_histogram: {
            field: g.singleColumn('date').path,
            ...intervalOf(g),
            ...common,
            ...random.members(0.2, { format: () => 'yyyy-MM-dd', time_zone: () => '+01:00' }),
          },
        }),
      ],
      [0.5, () => ({ geotile_grid: { field: g.field('geo_point').path, precision: 4, ...common } })],
    ]);
    return { [name]: source };
  });
  return { sources, ...random.members(0.5, { size: () => random.int(1, 20) }) };
}

const INSTANTS = [
  '2019-06-01',
  '2020-01-01',
  '2020-06-01||+1M/M',
  '2021-01-01T12:00:00Z',
  '2022-02-02',
  '2024-01-01',
];

const BUCKETS: readonly (readonly [string, Maker])[] = [
  ['terms', terms],
  ['terms', terms],
  ['terms', terms],
  [
    'rare_terms',
    (g) => {
      const field = g.column('keyword', 'integer', 'long');
      return {
        ...valuesOf(g, field, 0.05),
        ...g.random.members(0.4, { max_doc_count: () => g.random.int(1, 4) }),
      };
    },
  ],
  [
    'multi_terms',
    (g, sub) => ({
      terms: g.random
        .some(
          g.dataset.fields.filter(({ hasColumn, kind }) => hasColumn && kind !== 'geo_point'),
          3,
        )
        .map((field) => valuesOf(g, field, 0.2)),
      ...g.random.members(0.2, {
        size: () => g.random.pick([2, 50]),
        order: () => orderOf(g, sub),
        min_doc_count: () => g.random.int(1, 2),
      }),
    }),
  ],
  ['histogram', histogram],
  ['histogram', histogram],
  ['date_histogram', dateHistogram],
  ['date_histogram', dateHistogram],
  [
    'auto_date_histogram',
    (g) => {
      const field = g.singleColumn('date');
      return {
        ...valuesOf(g, field, 0.05),
        ...formatOf(g, field),
        ...g.random.members(0.5, { buckets: () => g.random.int(1, 30) }),
        ...g.random.members(0.1, { minimum_interval: () => 'month', time_zone: () => '+01:00' }),
      };
    },
  ],
  [
    'range',
    (g) => {
      const field = g.numeric();
      return {
        ...valuesOf(g, field),
        ...formatOf(g, field),
        // Without a query the peer cuts the fractions of bounds on whole numbers, and counts more.
        ranges: rangesOf(g, [-5, 0, 3, field.kind === 'decimal' ? 7.5 : 7, 20, 100]),
        ...g.random.members(0.15, { keyed: () => true }),
      };
    },
  ],
  [
    'date_range',
    (g) => {
      const field = g.column('date');
      return {
        ...valuesOf(g, field),
        ...formatOf(g, field),
        ranges: rangesOf(g, INSTANTS),
        ...g.random.members(0.15, { keyed: () => true, time_zone: () => '+01:00' }),
      };
    },
  ],
  [
    'ip_range',
    (g) => ({
      field: g.column('ip').path,
      ranges: g.random.chance(0.5)
        ? [{ mask: '10.0.0.0/24' }, { mask: '2001:db8::/64' }]
        : rangesOf(g, ['0.0.0.0', '10.0.0.0', '10.0.0.128', '::ffff']),
      ...g.random.members(0.15, { keyed: () => true }),
    }),
  ],
  ['filter', (g) => makeQuery(g, 1)],
  [
    'filters',
    (g) => ({
      filters: g.random.chance(0.6)
        ? { one: makeQuery(g, 0), two: makeQuery(g, 0) }
        : g.random.list(1, 3, () => makeQuery(g, 0)),
      ...g.random.members(0.2, { other_bucket: () => true, other_bucket_key: () => 'rest' }),
    }),
  ],
  [
    'adjacency_matrix',
    (g) => ({
      filters: { one: makeQuery(g, 0), two: makeQuery(g, 0), three: makeQuery(g, 0) },
      ...g.random.members(0.2, { separator: () => '|' }),
    }),
  ],
  ['missing', (g) => valuesOf(g, g.column(), 0.05)],
  ['global', () => ({})],
  ['sampler', (g) => g.random.members(0.7, { shard_size: () => g.random.int(1, 20) })],
  [
    'diversified_sampler',
    (g) => ({
      field: g.column('keyword', 'integer').path,
      ...g.random.members(0.5, {
        shard_size: () => g.random.int(1, 20),
        max_docs_per_value: () => g.random.int(1, 3),
      }),
    }),
  ],
  ['composite', composite],
  ['composite', composite],
  ['nested', () => ({ path: 'kids' })],
  [
    'significant_terms',
    (g) => ({
      field: g.column('keyword').path,
      ...g.random.members(0.3, {
        min_doc_count: () => g.random.int(1, 3),
        size: () => 5,
        [g.random.pick(['jlh', 'chi_square', 'gnd', 'mutual_information'])]: () => ({}),
      }),
    }),
  ],
  [
    'geo_distance',
    (g) => ({
      field: g.field('geo_point').path,
      origin: g.random.pick<unknown>(['10,20', { lat: 3, lon: 4 }, [5, 6]]),
      ranges: ascending(rangesOf(g, [0, 1000, 5000, 9000])),
      ...g.random.members(0.4, {
        unit: () => g.random.pick(['km', 'mi']),
        keyed: () => true,
        distance_type: () => g.random.pick(['arc', 'plane']),
      }),
    }),
  ],
  [
    'geohash_grid',
    (g) => ({
      field: g.field('geo_point').path,
      ...g.random.members(0.5, { precision: () => g.random.int(1, 5), size: () => g.random.int(1, 20) }),
    }),
  ],
  [
    'geotile_grid',
    (g) => ({
      field: g.field('geo_point').path,
      ...g.random.members(0.5, { precision: () => g.random.int(0, 8), size: () => g.random.int(1, 20) }),
    }),
  ],
];

function numericMetric(g: Generator): Body {
  const field = g.random.chance(0.85) ? g.numeric() : g.column('date', 'boolean');
  return { ...valuesOf(g, field), ...formatOf(g, field) };
}

/** Estimated by the peer where there are many values. */
function estimated(g: Generator, extra: () => Body): Body {
  const field = g.random.chance(0.9) ? g.numeric() : g.column('date');
  return {
    ...valuesOf(g, field),
    ...formatOf(g, field),
    ...extra(),
    ...g.random.members(0.12, { keyed: () => false, tdigest: () => ({ compression: 200 }) }),
  };
}

const METRICS: readonly (readonly [string, Maker])[] = [
  ['min', numericMetric],
  ['max', numericMetric],
  ['sum', numericMetric],
  ['avg', numericMetric],
  ['stats', numericMetric],
  [
    'extended_stats',
    (g) => ({ ...numericMetric(g), ...g.random.members(0.15, { sigma: () => g.random.pick([1, 3, 0]) }) }),
  ],
  ['value_count', (g) => valuesOf(g, g.column())],
  ['cardinality', (g) => valuesOf(g, g.column())],
  [
    'percentiles',
    (g) =>
      estimated(g, () =>
        g.random.members(0.4, { percents: () => g.random.pick([[50], [1, 50, 99], [0, 100]]) }),
      ),
  ],
  ['percentile_ranks', (g) => estimated(g, () => ({ values: g.random.pick([[5], [0, 10, 50]]) }))],
  ['median_absolute_deviation', (g) => valuesOf(g, g.numeric())],
  [
    'weighted_avg',
    (g) => ({ value: valuesOf(g, g.numeric()), weight: valuesOf(g, g.column('integer', 'decimal')) }),
  ],
  ['top_hits', topHits],
  ['top_hits', topHits],
  [
    'matrix_stats',
    (g) => ({
      fields: g.random.some(
        g.dataset.fields
          .filter(({ kind, hasColumn }) => hasColumn && ['integer', 'long', 'decimal'].includes(kind))
          .map(({ path }) => path),
        3,
      ),
    }),
  ],
  [
    'geo_bounds',
    (g) => ({ field: g.field('geo_point').path, ...g.random.members(0.2, { wrap_longitude: () => false }) }),
  ],
  ['geo_centroid', (g) => ({ field: g.field('geo_point').path })],
];

function topHits(g: Generator): Body {
  const { random } = g;
  return {
    ...random.members(0.5, {
      size: () => random.int(1, 4),
      sort: () => makeSort(g, true),
      _source: () => random.pick<unknown>([false, ['title'], { includes: ['t*'] }]),
    }),
    ...random.members(0.1, {
      from: () => 1,
      highlight: () => g.uses('highlight in top_hits', highlight(g)),
      docvalue_fields: () => ['seq'],
      version: () => true,
      track_scores: () => true,
      seq_no_primary_term: () => true,
      explain: () => false,
    }),
  };
}
