// Random pipeline aggregations over what lies beside them.

import type { Body, Generator } from './generator.ts';

const NUMBERS = new Set([
  'min',
  'max',
  'sum',
  'avg',
  'value_count',
  'cardinality',
  'weighted_avg',
  'median_absolute_deviation',
]);
const HISTOGRAMS = new Set(['histogram', 'date_histogram', 'auto_date_histogram']);
const BUCKET_KINDS = new Set([
  ...HISTOGRAMS,
  'terms',
  'range',
  'date_range',
  'rare_terms',
  'filters',
  'multi_terms',
]);

/** Pipelines over the buckets of one of these aggregations. */
export function pipelinesBeside(g: Generator, aggregations: Readonly<Body>): Body {
  const made: Body = {};
  for (const [name, aggregation] of Object.entries(aggregations)) {
    const kind = kindOf(aggregation);
    if (!BUCKET_KINDS.has(kind)) continue;
    const values = valueIn((aggregation as Body)['aggs'] ?? (aggregation as Body)['aggregations']);
    const pipeline = g.random.pick([
      'avg_bucket',
      'sum_bucket',
      'min_bucket',
      'max_bucket',
      'stats_bucket',
      'extended_stats_bucket',
      'percentiles_bucket',
    ]);
    g.features.add(`pipeline ${pipeline}`);
    made[`over_${name}`] = {
      [pipeline]: {
        buckets_path: `${name}>${values ?? '_count'}`,
        ...gapPolicy(g),
        ...g.random.members(0.1, { format: () => '0.0' }),
        ...(pipeline === 'percentiles_bucket' ? g.random.members(0.4, { percents: () => [25, 50, 75] }) : {}),
      },
    };
  }
  return made;
}

/** Pipelines inside the buckets of an aggregation of this kind. */
export function pipelinesBelow(g: Generator, parent: string, sub: Readonly<Body>): Body {
  const made: Body = {};
  if (!g.random.chance(0.3)) return made;
  const path = valueIn(sub) ?? '_count';
  if (HISTOGRAMS.has(parent) || g.random.chance(0.02)) {
    const kind = g.random.pick(['derivative', 'cumulative_sum', 'serial_diff']);
    g.features.add(`pipeline ${kind}`);
    made[kind] = {
      [kind]: {
        buckets_path: path,
        ...(kind === 'cumulative_sum' ? {} : gapPolicy(g)),
        ...(kind === 'serial_diff' ? { lag: g.random.int(1, 3) } : {}),
        ...(kind === 'derivative' && parent === 'date_histogram'
          ? g.random.members(0.2, { unit: () => 'day' })
          : {}),
        ...g.random.members(0.1, { format: () => '0.0' }),
      },
    };
  }
  if (g.random.chance(0.4)) {
    g.features.add('pipeline bucket_sort');
    made['sorted'] = {
      bucket_sort: g.random.members(0.6, {
        sort: () => [{ [path]: { order: g.random.pick(['asc', 'desc']) } }, { _key: { order: 'asc' } }],
        size: () => g.random.int(1, 4),
        from: () => g.random.int(0, 2),
        gap_policy: () => g.random.pick(['skip', 'insert_zeros']),
      }),
    };
  }
  return made;
}

function gapPolicy(g: Generator): Body {
  return g.random.members(0.25, { gap_policy: () => g.random.pick(['skip', 'insert_zeros']) });
}

function kindOf(aggregation: unknown): string {
  return Object.keys(aggregation as Body)[0] ?? '';
}

/** The path of a number in each bucket, if there is one. */
function valueIn(sub: unknown): string | undefined {
  for (const [name, aggregation] of Object.entries((sub ?? {}) as Body)) {
    const kind = kindOf(aggregation);
    if (NUMBERS.has(kind)) return name;
    if (kind === 'stats' || kind === 'extended_stats') return `${name}.avg`;
  }
  return undefined;
}
