// The contract of one kind of aggregation. Each kind reads its own JSON and makes its aggregator, or changes
// finished results (pipelines). Kinds never import each other through the table (kinds.ts), which sits on top.

import type { AggregationResult, AggregationResults, BucketsResult } from '../api.ts';
import type { JsonObject } from '../json/value.ts';
import type { Steps } from '../query/steps.ts';
import type { Aggregator } from './collect/aggregator.ts';
import type { AggregationContext } from './collect/context.ts';
import type { SubAggregators } from './collect/sub-aggregators.ts';
import type { ComputedField } from './computed/computed-fields.ts';

/** An aggregation as it is read. */
export interface AggregationSpec {
  readonly name: string;
  readonly kind: AggregationKind | PipelineKind;
  /** What the kind has read. */
  readonly options: unknown;
  readonly meta: JsonObject | undefined;
  readonly subs: readonly AggregationSpec[];
  /** The fields that scripts of its body compute. */
  readonly computed: readonly ComputedField[];
}

/** Where an aggregation stands. */
export interface AggregationPlace {
  readonly name: string;
  /** The name of the kind, as the request has it. */
  readonly type: string;
  readonly meta: JsonObject | undefined;
  readonly subs: SubAggregators;
  /** Specs of the sub-aggregations, pipelines among them. */
  readonly subSpecs: readonly AggregationSpec[];
  readonly context: AggregationContext;
  /** The context of the level below. */
  readonly within: AggregationContext;
}

/** A kind that collects documents. */
export interface AggregationKind<O = unknown> {
  readonly role: 'bucket' | 'metric';
  readonly name: string;
  /** Whether it collects all documents of the indices, whatever the query. */
  readonly isGlobal?: boolean;
  /** Whether it reads postings of texts, which unsealed documents have only on demand. `body` may be invalid. */
  readsTexts?(body: JsonObject): boolean;
  /** Reads the body. */
  parse(body: JsonObject, name: string): O;
  /** Throws where it cannot stand below aggregations of these kinds, the outermost first. */
  checkParents?(parents: readonly string[]): void;
  /** The context of the level below it, where that has other documents. */
  within?(
    options: O,
    context: AggregationContext,
    name: string,
  ): Steps<AggregationContext> | AggregationContext;
  create(options: O, place: AggregationPlace): Aggregator;
}

/** A kind that works on finished results. */
export interface PipelineKind<O = unknown> {
  readonly role: 'parent pipeline' | 'sibling pipeline';
  readonly name: string;
  parse(body: JsonObject, name: string): O;
  /** The paths it reads, for the order in which pipelines run. */
  paths(options: O): readonly string[];
  /** What is wrong with the place of a pipeline; `parent` is undefined on the highest level. */
  check?(
    options: O,
    name: string,
    parent: AggregationSpec | undefined,
    siblings: readonly AggregationSpec[],
  ): string | undefined;
  /** Of a parent pipeline: changes the buckets of the aggregation around it. */
  change?(options: O, result: BucketsResult, own: PipelinePlace): Steps<void> | void;
  /** Of a sibling pipeline: the result over its neighbours. */
  compute?(options: O, neighbours: AggregationResults, own: PipelinePlace): AggregationResult;
}

/** What a pipeline knows of itself. */
export interface PipelinePlace {
  readonly name: string;
  readonly meta: JsonObject | undefined;
  /** The spec of the aggregation around it. */
  readonly parent: AggregationSpec | undefined;
  readonly neighbours: readonly AggregationSpec[];
  readonly context: AggregationContext;
}
