// `scripted_metric`: a value that scripts gather over the documents of each bucket. What they run on is noted while documents
// are collected; the scripts run behind each leaf, in steps, because a script may take milliseconds for a document.

import type { AggregationResult, AggregationValue, ScriptSpec } from '../../api.ts';
import { illegalArgument } from '../../errors.ts';
import { shortestFloat } from '../../mapping/types/shortest-float.ts';
import type { Steps } from '../../query/steps.ts';
import { StateProgram, type StateScripts } from '../../scripts/documents/scripted-state.ts';
import type { RunState } from '../../scripts/run-state.ts';
import { illegal } from '../../scripts/script-fault.ts';
import { readScript } from '../../scripts/script-spec.ts';
import {
  Char,
  Double,
  Float,
  Lambda,
  type List,
  ScriptObject,
  textOf,
  type Value,
  ValueMap,
  ValueSet,
} from '../../scripts/values/value.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../collect/aggregator.ts';
import type { AggregationKind, AggregationPlace } from '../kind.ts';
import { Members } from '../request/members.ts';

/** The scripts of the request; the peer misses two of them only when it collects. */
type MetricScripts = Omit<StateScripts, 'combine' | 'reduce'> & {
  readonly combine: ScriptSpec | undefined;
  readonly reduce: ScriptSpec | undefined;
};

/** Documents of a leaf that wait for the script. */
interface WaitingDocuments {
  readonly leaf: AggregationLeaf;
  readonly docs: number[];
  readonly buckets: number[];
  readonly scores: number[];
}

class ScriptedMetric implements Aggregator {
  readonly needsScores: boolean;
  readonly #program: StateProgram;
  readonly #place: AggregationPlace;
  /** The states by index and bucket. */
  readonly #states: (ValueMap | undefined)[][];
  #waiting: WaitingDocuments | undefined;

  constructor({ combine, reduce, ...scripts }: MetricScripts, place: AggregationPlace) {
    for (const [name, script] of Object.entries({ combineScript: combine, reduceScript: reduce }))
      if (script === undefined) throw illegalArgument(`[${name}] must not be null: [${place.name}]`);
    this.#program = new StateProgram({ ...scripts, combine: combine!, reduce: reduce! }, place.context.now);
    this.#place = place;
    this.#states = place.context.views.map(() => []);
    this.needsScores = this.#program.reads('_score');
  }

  *enter(leaf: AggregationLeaf): Steps<void> {
    yield* this.#runWaiting();
    this.#waiting = { leaf, docs: [], buckets: [], scores: [] };
  }

  collect({ docs, buckets, count }: AggregationBatch): void {
    const waiting = this.#waiting!;
    const { scores } = waiting.leaf;
    this.#place.context.claimBytes(count * 24);
    for (let i = 0; i < count; i++) {
      waiting.docs.push(docs[i]!);
      waiting.buckets.push(buckets[i]!);
      if (this.needsScores) waiting.scores.push(Math.fround(scores?.[docs[i]! & 0xffff] ?? 0));
    }
  }

  *finish(): Steps<void> {
    yield* this.#runWaiting();
  }

  *#runWaiting(): Steps<void> {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    this.#waiting = undefined;
    const { leaf, docs, buckets, scores } = waiting;
    const { hits } = this.#place.context;
    const { meter } = this.#program;
    const readSource = this.#program.reads('_source') ? (doc: number) => hits.source(leaf, doc) : undefined;
    const map = this.#program.forLeaf(leaf.index.mapping, leaf.leaf, readSource);
    const states = this.#states[leaf.indexPlace]!;
    for (const [i, doc] of docs.entries()) {
      map((states[buckets[i]!] ??= this.#program.begin()), doc, scores[i] ?? 0);
      if (meter.isDue()) yield;
    }
  }

  *result(bucket: number): Steps<AggregationResult> {
    const found = this.#states.flatMap((states) => states[bucket] ?? []);
    // Without documents the peer still begins a state for each index.
    const states = found.length > 0 ? found : this.#states.map(() => this.#program.begin());
    const { meter } = this.#program;
    const combined: List = [];
    for (const state of states) {
      combined.push(this.#program.combine(state));
      meter.check();
      yield;
    }
    const value = this.#program.reduce(combined, shownValue);
    yield;
    const number = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
    return {
      shape: 'metric',
      typeName: 'scripted_metric',
      meta: this.#place.meta,
      members: { value },
      numbers: new Map(number === undefined ? [] : [['value', number]]),
    };
  }
}

/** Collections inside each other in a result. */
const MAX_DEPTH = 100;

/** A value as results show it: doubles are numbers, integers are bigints. */
function shownValue(value: Value, run: RunState, depth = 0): AggregationValue {
  run.spend(1);
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return BigInt(value);
  if (value instanceof Double) return value.value;
  if (value instanceof Float) return shortestFloat(value.value);
  if (value instanceof Char) return textOf(value, run);
  if (value instanceof Lambda) throw illegal('a lambda cannot be shown');
  if (depth >= MAX_DEPTH) throw illegal(`a value has more than ${MAX_DEPTH} levels; it may contain itself`);
  const inner = (each: Value): AggregationValue => {
    run.allocate(2);
    return shownValue(each, run, depth + 1);
  };
  if (value instanceof ValueMap) {
    const members = [...value.entries].map(([key, each]) => [textOf(key, run), inner(each)] as const);
    return Object.fromEntries(members);
  }
  if (value instanceof ValueSet) return [...value.items].map(inner);
  if (!(value instanceof ScriptObject)) return value.map(inner);
  const items = value.items(run);
  return items === undefined ? (JSON.parse(value.json(run)) as AggregationValue) : items.map(inner);
}

export const SCRIPTED_METRIC: AggregationKind<MetricScripts> = {
  role: 'metric',
  name: 'scripted_metric',
  parse: (body) => {
    const members = new Members('scripted_metric', body);
    const script = (name: string): ScriptSpec | undefined =>
      members.any(name) === undefined ? undefined : readScript(body, name, 'scripted_metric');
    const [init, map] = [script('init_script'), script('map_script')];
    const [combine, reduce] = [script('combine_script'), script('reduce_script')];
    const params = members.object('params') ?? {};
    members.end();
    if (map === undefined) throw illegalArgument('Required [map_script]');
    return { init, map, combine, reduce, params };
  },
  create: (scripts, place) => new ScriptedMetric(scripts, place),
};
