// A script that computes from parameters alone: over the buckets of an aggregation.

import type { ScriptSpec } from '../api.ts';
import type { TypeName } from './language/types.ts';
import type { RunState } from './run-state.ts';
import { findScript, type Script, type StepMeter } from './script.ts';
import { valueOfJson } from './values/json-values.ts';
import { type Key, type Value, ValueMap } from './values/value.ts';

/** Where a script is used, and what its result becomes. */
export interface ParamsContext<T> {
  readonly name: string;
  readonly returns: TypeName;
  /** Names of values beside `params`. */
  readonly globals?: readonly string[];
  readonly finish: (result: Value, state: RunState) => T;
}

/** A script with the parameters of its request. */
export class ParamsScript<T> {
  readonly #script: Script;
  readonly #context: ParamsContext<T>;
  readonly #params: ReadonlyMap<Key, Value>;
  readonly #now: number;

  /** Throws script_exception for what does not compile. */
  constructor(spec: ScriptSpec, context: ParamsContext<T>, now: number) {
    const { globals = [] } = context;
    this.#script = findScript(spec, { ...context, globals: ['params', ...globals] });
    this.#context = context;
    this.#params = (valueOfJson(spec.params ?? {}) as ValueMap).entries;
    this.#now = now;
  }

  /** Runs it with more parameters, and the values of `globals`. Throws script_exception. */
  run(more: Iterable<readonly [string, Value]>, globals: readonly Value[], meter: StepMeter): T {
    const params = new ValueMap(new Map<Key, Value>([...this.#params, ...more]));
    return this.#script.run([params, ...globals], this.#now, this.#context.finish, meter);
  }
}
