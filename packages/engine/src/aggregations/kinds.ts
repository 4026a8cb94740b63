// The one table of kinds of aggregations.

import { COMPOSITE } from './bucket/composite/composite.ts';
import { ADJACENCY_MATRIX } from './bucket/filters/adjacency-matrix.ts';
import { FILTER, GLOBAL } from './bucket/filters/filter.ts';
import { FILTERS_KIND } from './bucket/filters/filters.ts';
import { MISSING } from './bucket/filters/missing.ts';
import { GEO_DISTANCE } from './bucket/geo/geo-distance.ts';
import { GEOHASH_GRID, GEOTILE_GRID } from './bucket/geo/geo-grid.ts';
import { AUTO_DATE_HISTOGRAM } from './bucket/histogram/auto-date-histogram.ts';
import { DATE_HISTOGRAM } from './bucket/histogram/date-histogram.ts';
import { HISTOGRAM } from './bucket/histogram/histogram.ts';
import { VARIABLE_WIDTH_HISTOGRAM } from './bucket/histogram/variable-width-histogram.ts';
import { NESTED } from './bucket/nested/nested.ts';
import { REVERSE_NESTED } from './bucket/nested/reverse-nested.ts';
import { IP_RANGE } from './bucket/ranges/ip-range.ts';
import { DATE_RANGE, RANGE } from './bucket/ranges/range.ts';
import { DIVERSIFIED_SAMPLER, SAMPLER } from './bucket/samples/sampler.ts';
import { SIGNIFICANT_TERMS } from './bucket/significant/significant-terms.ts';
import { SIGNIFICANT_TEXT } from './bucket/significant/significant-text.ts';
import { MULTI_TERMS } from './bucket/terms/multi-terms.ts';
import { RARE_TERMS } from './bucket/terms/rare-terms.ts';
import { TERMS } from './bucket/terms/terms.ts';
import type { AggregationKind, PipelineKind } from './kind.ts';
import { CARDINALITY } from './metric/cardinality.ts';
import { GEO_BOUNDS } from './metric/geo/geo-bounds.ts';
import { GEO_CENTROID } from './metric/geo/geo-centroid.ts';
import { MATRIX_STATS } from './metric/matrix/matrix-stats.ts';
import { MAX, MIN } from './metric/min-max.ts';
import { MEDIAN_ABSOLUTE_DEVIATION, PERCENTILE_RANKS, PERCENTILES } from './metric/percentiles.ts';
import { SCRIPTED_METRIC } from './metric/scripted-metric.ts';
import { AVG, EXTENDED_STATS, STATS } from './metric/stats.ts';
import { SUM } from './metric/sum.ts';
import { TOP_HITS } from './metric/top-hits.ts';
import { VALUE_COUNT } from './metric/value-count.ts';
import { WEIGHTED_AVG } from './metric/weighted-avg.ts';
import {
  AVG_BUCKET,
  EXTENDED_STATS_BUCKET,
  MAX_BUCKET,
  MIN_BUCKET,
  PERCENTILES_BUCKET,
  STATS_BUCKET,
  SUM_BUCKET,
} from './pipeline/bucket-metrics.ts';
import { BUCKET_SCRIPT, BUCKET_SELECTOR } from './pipeline/bucket-scripts.ts';
import { BUCKET_SORT } from './pipeline/bucket-sort.ts';
import { MOVING_FN } from './pipeline/moving-fn.ts';
import { CUMULATIVE_SUM, DERIVATIVE, SERIAL_DIFF } from './pipeline/sequence.ts';

const PIPELINES: readonly PipelineKind[] = [
  AVG_BUCKET,
  BUCKET_SCRIPT,
  BUCKET_SELECTOR,
  BUCKET_SORT,
  CUMULATIVE_SUM,
  DERIVATIVE,
  EXTENDED_STATS_BUCKET,
  MAX_BUCKET,
  MIN_BUCKET,
  MOVING_FN,
  PERCENTILES_BUCKET,
  SERIAL_DIFF,
  STATS_BUCKET,
  SUM_BUCKET,
];

const KINDS: readonly AggregationKind[] = [
  NESTED as AggregationKind,
  REVERSE_NESTED as AggregationKind,
  ADJACENCY_MATRIX,
  AUTO_DATE_HISTOGRAM,
  AVG,
  CARDINALITY,
  COMPOSITE,
  DATE_HISTOGRAM,
  DATE_RANGE,
  DIVERSIFIED_SAMPLER,
  EXTENDED_STATS,
  FILTER,
  FILTERS_KIND,
  GEOHASH_GRID,
  GEOTILE_GRID,
  GEO_BOUNDS,
  GEO_CENTROID,
  GEO_DISTANCE,
  GLOBAL,
  HISTOGRAM,
  IP_RANGE,
  MATRIX_STATS,
  MAX,
  MEDIAN_ABSOLUTE_DEVIATION,
  MIN,
  MISSING,
  MULTI_TERMS,
  PERCENTILES,
  PERCENTILE_RANKS,
  RANGE,
  RARE_TERMS,
  SAMPLER,
  SCRIPTED_METRIC,
  SIGNIFICANT_TERMS,
  SIGNIFICANT_TEXT,
  STATS,
  SUM,
  TERMS,
  TOP_HITS,
  VALUE_COUNT,
  VARIABLE_WIDTH_HISTOGRAM,
  WEIGHTED_AVG,
];

/** Kinds by their names in requests. */
export const AGGREGATION_KINDS: ReadonlyMap<string, AggregationKind | PipelineKind> = new Map(
  [...KINDS, ...PIPELINES].map((kind) => [kind.name, kind]),
);

const JOINS = 'documents have no parents and children; store the values in one document';

/** Kinds of the peer that are refused by name, and why. */
export const UNSUPPORTED_AGGREGATIONS: ReadonlyMap<string, string> = new Map([
  ['children', JOINS],
  ['parent', JOINS],
]);
