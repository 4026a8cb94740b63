// The aggregations of one search: makes the collector tree from the request, and the results from the tree.

import type { AggregationProfile, AggregationResults } from '../api.ts';
import type { JsonObject } from '../json/value.ts';
import type { Steps } from '../query/steps.ts';
import { misplacedGlobal } from './bucket/filters/filter.ts';
import type { Aggregator } from './collect/aggregator.ts';
import { AggregationContext, type AggregationInputs } from './collect/context.ts';
import { emptyProfile, ProfiledAggregator } from './collect/profile.ts';
import { type NamedAggregator, SubAggregators } from './collect/sub-aggregators.ts';
import { ComputedAggregator, ComputedFields } from './computed/computed-aggregator.ts';
import type { AggregationKind, AggregationPlace, AggregationSpec } from './kind.ts';
import { parseAggregations } from './parse.ts';
import { applyPipelines } from './pipeline/apply-pipelines.ts';

/** The collector tree of a search. */
export class AggregationTree {
  readonly #specs: readonly AggregationSpec[];
  readonly #context: AggregationContext;
  /** All aggregators, each behind those of the level below it. */
  readonly #aggregators: readonly Aggregator[];
  /** Over the matches of the query. */
  readonly matching: SubAggregators;
  /** Over all documents of the indices. */
  readonly global: SubAggregators;

  private constructor(
    specs: readonly AggregationSpec[],
    context: AggregationContext,
    aggregators: readonly Aggregator[],
    matching: SubAggregators,
    global: SubAggregators,
  ) {
    this.#specs = specs;
    this.#context = context;
    this.#aggregators = aggregators;
    this.matching = matching;
    this.global = global;
  }

  /** `profile` receives what the aggregations do. Throws the peer's errors for requests that do not fit the indices. */
  static *create(
    json: JsonObject,
    inputs: AggregationInputs,
    profile?: AggregationProfile[],
  ): Steps<AggregationTree> {
    const specs = parseAggregations(json);
    const context = new AggregationContext(inputs);
    const all: Aggregator[] = [];
    const isGlobal = ({ kind }: AggregationSpec): boolean => 'isGlobal' in kind;
    const matching = specs.filter((spec) => !isGlobal(spec));
    return new AggregationTree(
      specs,
      context,
      all,
      yield* createLevel(matching, [], context, all, profile),
      yield* createLevel(specs.filter(isGlobal), [], context, all, profile),
    );
  }

  /** The results, once everything is collected. */
  *results(): Steps<AggregationResults> {
    for (const aggregator of this.#aggregators.toReversed())
      if (aggregator.finish !== undefined) yield* aggregator.finish();
    const found = new Map([...(yield* this.matching.results(0)), ...(yield* this.global.results(0))]);
    const results: AggregationResults = new Map();
    for (const { name } of this.#specs) {
      const result = found.get(name);
      if (result !== undefined) results.set(name, result);
    }
    yield* applyPipelines(this.#specs, results, undefined, this.#context);
    return results;
  }
}

/** An aggregator whose values are computed by scripts. */
function overComputed(
  { computed, options }: AggregationSpec,
  kind: AggregationKind,
  place: AggregationPlace,
): Aggregator {
  const fields = new ComputedFields(computed, place.context);
  const { context } = fields;
  const inner = kind.create(options, { ...place, context, within: context, subs: fields.below(place.subs) });
  return new ComputedAggregator(fields, inner, place.context);
}

/** The aggregators of one level and of those below it, which are added to `all` first. */
function* createLevel(
  specs: readonly AggregationSpec[],
  parents: readonly AggregationSpec[],
  context: AggregationContext,
  all: Aggregator[],
  profile: AggregationProfile[] | undefined,
): Steps<SubAggregators> {
  const list: NamedAggregator[] = [];
  const parent = parents.at(-1);
  for (const spec of specs) {
    const { name, kind: anyKind, options, meta, subs: subSpecs, computed } = spec;
    if (anyKind.role !== 'bucket' && anyKind.role !== 'metric') continue;
    const kind = anyKind as AggregationKind;
    if ('isGlobal' in kind && parent !== undefined) throw misplacedGlobal(parent.name, name);
    if (kind.role === 'bucket') kind.checkParents?.(parents.map((each) => each.kind.name));
    const entered = kind.within?.(options, context, name) ?? context;
    const within = 'next' in entered ? yield* entered : entered;
    const children: AggregationProfile[] | undefined = profile && [];
    const subs = yield* createLevel(subSpecs, [...parents, spec], within, all, children);
    const place = { name, type: kind.name, meta, subs, subSpecs, context, within };
    let aggregator = computed.length === 0 ? kind.create(options, place) : overComputed(spec, kind, place);
    if (profile !== undefined) {
      const own = emptyProfile(kind.name, name, children!);
      profile.push(own);
      aggregator = new ProfiledAggregator(aggregator, own);
    }
    all.push(aggregator);
    list.push({ name, aggregator });
  }
  return new SubAggregators(list, context);
}
