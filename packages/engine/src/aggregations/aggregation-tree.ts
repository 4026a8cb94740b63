// The aggregations of one search: makes the collector tree from the request, and the results from the tree.

import type { AggregationResults } from '../api.ts';
import type { JsonObject } from '../json/value.ts';
import type { Steps } from '../query/steps.ts';
import { misplacedGlobal } from './bucket/filters/filter.ts';
import type { Aggregator } from './collect/aggregator.ts';
import { AggregationContext, type AggregationInputs } from './collect/context.ts';
import { type NamedAggregator, SubAggregators } from './collect/sub-aggregators.ts';
import type { AggregationKind, AggregationSpec } from './kind.ts';
import { parseAggregations } from './parse.ts';
import { applyPipelines } from './pipeline/apply-pipelines.ts';

/** The collector tree of a search. */
export class AggregationTree {
  readonly #specs: readonly AggregationSpec[];
  readonly #context: AggregationContext;
  /** All aggregators, each behind those of the level below it. */
  readonly #aggregators: Aggregator[] = [];
  /** Over the matches of the query. */
  readonly matching: SubAggregators;
  /** Over all documents of the indices. */
  readonly global: SubAggregators;

  /** Throws the peer's errors for requests that do not fit the indices. */
  constructor(json: JsonObject, inputs: AggregationInputs) {
    this.#specs = parseAggregations(json);
    this.#context = new AggregationContext(inputs);
    const isGlobal = ({ kind }: AggregationSpec): boolean => 'isGlobal' in kind;
    this.matching = this.#create(
      this.#specs.filter((spec) => !isGlobal(spec)),
      undefined,
    );
    this.global = this.#create(this.#specs.filter(isGlobal), undefined);
  }

  #create(specs: readonly AggregationSpec[], parent: AggregationSpec | undefined): SubAggregators {
    const list: NamedAggregator[] = [];
    for (const spec of specs) {
      const { name, kind, options, meta, subs } = spec;
      if (kind.role !== 'bucket' && kind.role !== 'metric') continue;
      if ('isGlobal' in kind && parent !== undefined) throw misplacedGlobal(parent.name, name);
      if (kind.role === 'bucket') kind.checkParent?.(parent?.kind.name);
      const place = {
        name,
        type: kind.name,
        meta,
        subs: this.#create(subs, spec),
        subSpecs: subs,
        context: this.#context,
      };
      const aggregator = (kind as AggregationKind).create(options, place);
      this.#aggregators.push(aggregator);
      list.push({ name, aggregator });
    }
    return new SubAggregators(list, this.#context);
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
