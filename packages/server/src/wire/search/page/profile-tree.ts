// Makes the `profile` member of a reply in the shape of the peer. Figures that are not measured are 0.

import type { AggregationProfile, Measured, ProfiledQuery, SearchProfile } from '@octavo/engine';
import type { ReplyObject } from '../../../json/reply-value.ts';
import type { Services } from '../../router/route.ts';

/** The profile by index: each is one shard. What was measured for all indices together is told of the first. */
export function profileTree({ nodeId }: Services, profile: SearchProfile): ReplyObject {
  const shards = profile.indices.map(({ index, query }, i) => ({
    id: `[${nodeId}][${index}][0]`,
    inbound_network_time_in_millis: 0,
    outbound_network_time_in_millis: 0,
    searches: [
      {
        query: [queryTree(query)],
        rewrite_time: i === 0 ? profile.planNanos : 0,
        collector: [
          { name: 'Page', reason: 'search_top_hits', time_in_nanos: i === 0 ? profile.pageNanos : 0 },
        ],
      },
    ],
    aggregations: i === 0 ? profile.aggregations.map(aggregationTree) : [],
  }));
  return { shards };
}

function queryTree({ type, description, children, ...own }: ProfiledQuery): ReplyObject {
  const { compileNanos, matchNanos, matches, scoreNanos, scored } = own;
  return {
    type,
    description,
    time_in_nanos: compileNanos + matchNanos + scoreNanos,
    breakdown: {
      ...{ create_weight: 0, create_weight_count: 1 },
      ...{ build_scorer: compileNanos, build_scorer_count: 1 },
      ...{ next_doc: matchNanos, next_doc_count: matches },
      ...{ score: scoreNanos, score_count: scored },
      ...{ advance: 0, advance_count: 0, match: 0, match_count: 0 },
      ...{ compute_max_score: 0, compute_max_score_count: 0 },
      ...{ set_min_competitive_score: 0, set_min_competitive_score_count: 0 },
      ...{ shallow_advance: 0, shallow_advance_count: 0 },
    },
    children: children.length === 0 ? undefined : children.map(queryTree),
  };
}

/** Names of the peer's aggregators that do not follow from the kind. */
const AGGREGATORS: Readonly<Record<string, string>> = {
  histogram: 'NumericHistogramAggregator',
  lterms: 'NumericTermsAggregator',
  dterms: 'NumericTermsAggregator',
  ulterms: 'NumericTermsAggregator',
  sterms: 'GlobalOrdinalsStringTermsAggregator',
};

/** How the peer calls the values of the buckets of `terms`. */
const STRATEGIES: Readonly<Record<string, string>> = {
  lterms: 'long_terms',
  dterms: 'double_terms',
  ulterms: 'unsigned_long_terms',
  sterms: 'terms',
};

function aggregationTree(profile: AggregationProfile): ReplyObject {
  const { kind, name, typeName, buckets, initialize, collect, build, postCollection, children } = profile;
  const own = AGGREGATORS[kind] ?? (typeName === undefined ? undefined : AGGREGATORS[typeName]);
  const pascal = kind.replace(/(^|_)(.)/g, (_, __, letter: string) => letter.toUpperCase());
  return {
    type: own ?? `${pascal}Aggregator`,
    description: name,
    time_in_nanos: initialize.nanos + collect.nanos + build.nanos + postCollection.nanos,
    breakdown: {
      ...figures('initialize', initialize),
      ...figures('collect', collect),
      ...figures('post_collection', postCollection),
      ...figures('build_aggregation', build),
      ...figures('build_leaf_collector', { nanos: 0, count: 0 }),
      ...figures('reduce', { nanos: 0, count: 0 }),
    },
    debug: {
      result_strategy: typeName === undefined ? undefined : STRATEGIES[typeName],
      total_buckets: buckets === 0 ? undefined : buckets,
    },
    children: children.length === 0 ? undefined : children.map(aggregationTree),
  };
}

function figures(name: string, { nanos, count }: Measured): ReplyObject {
  return { [name]: nanos, [`${name}_count`]: count };
}
