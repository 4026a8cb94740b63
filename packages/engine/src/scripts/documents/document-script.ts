// A script that runs on the documents of a search, one at a time: what it computes from their doc values.

import type { ScriptSpec } from '../../api.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { Leaf } from '../../segment/leaf.ts';
import type { Functions } from '../compile/compile-expression.ts';
import type { TypeName } from '../language/types.ts';
import type { RunState } from '../run-state.ts';
import { findScript, type Script, type StepMeter } from '../script.ts';
import { printScript } from '../script-spec.ts';
import { sourceValue, valueOfJson } from '../values/json-values.ts';
import { Double, type Value, ValueMap } from '../values/value.ts';
import { DocumentFields } from './document-fields.ts';
import { MOST_SEARCH_STEPS } from './search-meter.ts';

/** Where a script is used, and what its result becomes. Throws ScriptFaults for results of a wrong type. */
export interface DocumentScriptContext<T> {
  readonly name: string;
  readonly functions?: Functions;
  readonly returns?: TypeName;
  /** Whether `_score` is the score of the document. */
  readonly hasScore?: true;
  readonly finish: (result: Value, state: RunState) => T;
}

/** Runs a script on a document of a leaf. Throws script_exception. */
export type RunOnDocument<T> = (doc: number, score: number) => T;

/** The cost of an error, about 50 µs. */
const ERROR_STEPS = 2_000;
/**
 * What a run that reaches a limit counts for. The errors of documents are kept until the documents are known to match, so
 * an endless script would otherwise run to its limit on a thousand documents.
 */
const EXHAUSTED_STEPS = MOST_SEARCH_STEPS / 2;

/** The work of a run in steps. A unit of memory takes about as long to fill and to free as a step. */
function workOf(state: RunState, isDone: boolean): number {
  if (state.isExhausted) return EXHAUSTED_STEPS;
  return state.spent + state.allocated + (isDone ? 0 : ERROR_STEPS);
}

/** A script of a search. */
export class DocumentScript<T> {
  /** Equal texts, equal results on the same leaf; undefined where results change with time. */
  readonly key: string | undefined;
  readonly #script: Script;
  readonly #context: DocumentScriptContext<T>;
  readonly #mapping: Mapping;
  readonly #params: ValueMap;
  readonly #now: number;

  /** `now` is called if the results depend on it. Throws script_exception for what does not compile. */
  constructor(spec: ScriptSpec, context: DocumentScriptContext<T>, mapping: Mapping, now: () => number) {
    const { name } = context;
    const globals = ['params', 'doc', ...(context.hasScore === true ? ['_score'] : [])];
    this.#script = findScript(spec, { ...context, globals });
    this.#context = context;
    this.#mapping = mapping;
    this.#params = fixed(valueOfJson(spec.params ?? {})) as ValueMap;
    const isVolatile = /currentTimeMillis|random/.test(spec.source);
    this.#now = isVolatile ? now() : 0;
    this.key = isVolatile ? undefined : `${name}${printScript(spec)}`;
  }

  /** `readSource` is for scripts that may read `params._source`. */
  forLeaf(leaf: Leaf, meter: StepMeter, readSource?: (doc: number) => Uint8Array): RunOnDocument<T> {
    const fields = new DocumentFields(this.#mapping, leaf);
    const globals: Value[] = [this.#params, fields, null];
    const { finish } = this.#context;
    const source = this.#script.source.includes('_source') ? readSource : undefined;
    return (doc, score) => {
      fields.doc = doc;
      globals[2] = new Double(score);
      if (source !== undefined)
        globals[0] = new ValueMap(
          new Map(this.#params.entries).set('_source', sourceValue(source(doc))),
          true,
        );
      return this.#script.run(globals, this.#now, finish, meter, workOf);
    };
  }
}

/** Makes a value that every run sees unchangeable. */
export function fixed(value: Value): Value {
  if (Array.isArray(value)) return Object.freeze(value.map(fixed)) as Value;
  if (!(value instanceof ValueMap)) return value;
  return new ValueMap(new Map([...value.entries].map(([key, each]) => [key, fixed(each)])), true);
}
