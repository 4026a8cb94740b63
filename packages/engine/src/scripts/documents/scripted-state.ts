// Scripts that gather a state over many documents: `init`, `map` for each document, `combine` once, and `reduce` over what was
// combined (`scripted_metric`).

import type { ScriptSpec } from '../../api.ts';
import { illegalArgument } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Mapping } from '../../mapping/types/type.ts';
import type { Leaf } from '../../segment/leaf.ts';
import type { RunState } from '../run-state.ts';
import { findScript, type Script, type ScriptContext } from '../script.ts';
import { sourceValue, valueOfJson } from '../values/json-values.ts';
import { Double, type Key, type List, type Value, ValueMap } from '../values/value.ts';
import { DocumentFields } from './document-fields.ts';
import { SearchMeter } from './search-meter.ts';

/** The scripts of a request. */
export interface StateScripts {
  readonly init: ScriptSpec | undefined;
  readonly map: ScriptSpec;
  readonly combine: ScriptSpec;
  readonly reduce: ScriptSpec;
  /** What all of them get. */
  readonly params: JsonObject;
}

const CONTEXTS: Readonly<Record<'init' | 'map' | 'combine' | 'reduce', ScriptContext>> = {
  init: { name: 'aggs_init', globals: ['params', 'state'] },
  map: { name: 'aggs_map', globals: ['params', 'state', 'doc', '_score'] },
  combine: { name: 'aggs_combine', globals: ['params', 'state'] },
  reduce: { name: 'aggs_reduce', globals: ['params', 'states'] },
};

/** Memory that its scripts allocate, in units of about eight bytes: 256 MB. What becomes free is not given back. */
const MOST_MEMORY = 32_000_000;

/** Runs `map` on a document of a leaf. */
type MapDocument = (state: ValueMap, doc: number, score: number) => void;

/** The scripts of one aggregation, compiled. */
export class StateProgram {
  readonly meter: SearchMeter = new SearchMeter();
  #memory = 0;
  readonly #scripts: Readonly<Record<keyof typeof CONTEXTS, Script | undefined>>;
  readonly #params: Readonly<Record<keyof typeof CONTEXTS, ValueMap>>;
  readonly #now: number;

  /** Throws script_exception. */
  constructor(scripts: StateScripts, now: number) {
    const { init, map, combine, reduce, params } = scripts;
    const of = (spec: ScriptSpec | undefined): ValueMap => paramsOf(spec, params);
    this.#scripts = {
      init: init && findScript(init, CONTEXTS.init),
      map: findScript(map, CONTEXTS.map),
      combine: findScript(combine, CONTEXTS.combine),
      reduce: findScript(reduce, CONTEXTS.reduce),
    };
    this.#params = { init: of(init), map: of(map), combine: of(combine), reduce: of(reduce) };
    this.#now = now;
  }

  /** Whether `map` reads the score, or the source of documents. */
  reads(what: '_score' | '_source'): boolean {
    return this.#scripts.map!.source.includes(what);
  }

  /** A new state. */
  begin(): ValueMap {
    const state = new ValueMap();
    if (this.#scripts.init !== undefined) this.#run('init', [this.#params.init, state], () => undefined);
    return state;
  }

  forLeaf(mapping: Mapping, leaf: Leaf, readSource?: (doc: number) => Uint8Array): MapDocument {
    const fields = new DocumentFields(mapping, leaf);
    const params = this.#params.map;
    return (state, doc, score) => {
      fields.doc = doc;
      if (readSource !== undefined) params.entries.set('_source', sourceValue(readSource(doc)));
      this.#run('map', [params, state, fields, new Double(score)], () => undefined);
    };
  }

  combine(state: ValueMap): Value {
    return this.#run('combine', [this.#params.combine, state], (result) => result);
  }

  reduce<T>(states: List, finish: (result: Value, run: RunState) => T): T {
    return this.#run('reduce', [this.#params.reduce, states], finish);
  }

  #run<T>(
    name: keyof typeof CONTEXTS,
    globals: readonly Value[],
    finish: (result: Value, run: RunState) => T,
  ): T {
    const done = this.#scripts[name]!.run(
      globals,
      this.#now,
      (result, run) => {
        const finished = finish(result, run);
        this.#memory += run.allocated;
        return finished;
      },
      this.meter,
    );
    if (this.#memory > MOST_MEMORY)
      throw illegalArgument('the states of [scripted_metric] take more memory than the limit allows');
    return done;
  }
}

/** The parameters of a script, which those of the aggregation win over. */
function paramsOf(spec: ScriptSpec | undefined, shared: JsonObject): ValueMap {
  const own = (valueOfJson(spec?.params ?? {}) as ValueMap).entries;
  return new ValueMap(new Map<Key, Value>([...own, ...(valueOfJson(shared) as ValueMap).entries]));
}
