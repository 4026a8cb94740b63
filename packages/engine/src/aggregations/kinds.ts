// The one table of kinds of aggregations.

import { FILTER, GLOBAL } from './bucket/filters/filter.ts';
import { FILTERS_KIND } from './bucket/filters/filters.ts';
import { MISSING } from './bucket/filters/missing.ts';
import { AUTO_DATE_HISTOGRAM } from './bucket/histogram/auto-date-histogram.ts';
import { DATE_HISTOGRAM } from './bucket/histogram/date-histogram.ts';
import { HISTOGRAM } from './bucket/histogram/histogram.ts';
import { VARIABLE_WIDTH_HISTOGRAM } from './bucket/histogram/variable-width-histogram.ts';
import { DATE_RANGE, RANGE } from './bucket/ranges/range.ts';
import { DIVERSIFIED_SAMPLER, SAMPLER } from './bucket/samples/sampler.ts';
import { SIGNIFICANT_TERMS } from './bucket/significant/significant-terms.ts';
import { SIGNIFICANT_TEXT } from './bucket/significant/significant-text.ts';
import { TERMS } from './bucket/terms/terms.ts';
import type { AggregationKind, PipelineKind } from './kind.ts';
import { CARDINALITY } from './metric/cardinality.ts';
import { MATRIX_STATS } from './metric/matrix/matrix-stats.ts';
import { MAX, MIN } from './metric/min-max.ts';
import { AVG, EXTENDED_STATS, STATS } from './metric/stats.ts';
import { SUM } from './metric/sum.ts';
import { TOP_HITS } from './metric/top-hits.ts';
import { VALUE_COUNT } from './metric/value-count.ts';

const KINDS: readonly (AggregationKind | PipelineKind)[] = [
  AUTO_DATE_HISTOGRAM,
  AVG,
  CARDINALITY,
  DATE_HISTOGRAM,
  DATE_RANGE,
  DIVERSIFIED_SAMPLER,
  EXTENDED_STATS,
  FILTER,
  FILTERS_KIND,
  GLOBAL,
  HISTOGRAM,
  MATRIX_STATS,
  MAX,
  MIN,
  MISSING,
  RANGE,
  SAMPLER,
  SIGNIFICANT_TERMS,
  SIGNIFICANT_TEXT,
  STATS,
  SUM,
  TERMS,
  TOP_HITS,
  VALUE_COUNT,
  VARIABLE_WIDTH_HISTOGRAM,
];

/** Kinds by their names in requests. */
export const AGGREGATION_KINDS: ReadonlyMap<string, AggregationKind | PipelineKind> = new Map(
  KINDS.map((kind) => [kind.name, kind]),
);

const SCRIPTS = 'it needs scripts';
const JOINS = 'documents have no parents and children; store the values in one document';

/** Kinds of the peer that are refused by name, and why. */
export const UNSUPPORTED_AGGREGATIONS: ReadonlyMap<string, string> = new Map([
  ['scripted_metric', SCRIPTS],
  ['bucket_script', SCRIPTS],
  ['bucket_selector', SCRIPTS],
  ['moving_fn', SCRIPTS],
  ['children', JOINS],
  ['parent', JOINS],
]);
