// A script that computes the values of a document for an aggregation: from the document alone, or from each value of a field
// (`_value`).

import type { ScriptSpec } from '../../api.ts';
import { EngineError } from '../../errors.ts';
import { doubleKey, longKey, unsignedKey } from '../../mapping/types/sortable-key.ts';
import type { FieldKind, Key64, Mapping } from '../../mapping/types/type.ts';
import type { Leaf } from '../../segment/leaf.ts';
import { ScriptDate } from '../library/dates.ts';
import type { RunState } from '../run-state.ts';
import { findScript, type Script, type StepMeter } from '../script.ts';
import { sourceValue, valueOfJson } from '../values/json-values.ts';
import {
  asNumber,
  Double,
  type Key,
  ScriptObject,
  textOf,
  type Value,
  ValueMap,
  ValueSet,
} from '../values/value.ts';
import { DocumentFields } from './document-fields.ts';
import { fixed } from './document-script.ts';

/** The kinds of fields that computed values can have. */
export type ComputedKind = 'keyword' | 'double' | 'long' | 'unsigned_long' | 'date' | 'boolean';

/** The values of a document. Throws script_exception. */
type ValuesOfDocument<T> = (doc: number, score: number) => readonly T[];

/** A script with its parameters, compiled. */
export class ValueScript {
  readonly #script: Script;
  readonly #field: string | undefined;
  readonly #params: ValueMap;
  readonly #now: number;

  /** `field` names the field whose values are given as `_value`, if there is one. Throws script_exception. */
  constructor(spec: ScriptSpec, field: string | undefined, now: number) {
    const own = field === undefined ? [] : ['_value'];
    this.#script = findScript(spec, {
      name: `aggs${own.length}`,
      globals: ['params', 'doc', '_score', ...own],
    });
    this.#field = field;
    this.#params = fixed(valueOfJson(spec.params ?? {})) as ValueMap;
    this.#now = now;
  }

  /** Whether it reads the score, or the source of documents. */
  reads(what: '_score' | '_source'): boolean {
    return this.#script.source.includes(what);
  }

  /** Keys of numbers, dates or booleans. */
  keys(
    kind: Exclude<ComputedKind, 'keyword'>,
    mapping: Mapping,
    leaf: Leaf,
    meter: StepMeter,
    readSource: ((doc: number) => Uint8Array) | undefined,
  ): ValuesOfDocument<Key64> {
    return this.#values(mapping, leaf, meter, readSource, (value, run) => keyOf(kind, value, run));
  }

  /** Texts. */
  texts(
    mapping: Mapping,
    leaf: Leaf,
    meter: StepMeter,
    readSource: ((doc: number) => Uint8Array) | undefined,
  ): ValuesOfDocument<string> {
    return this.#values(mapping, leaf, meter, readSource, (value, run) => textOf(value, run));
  }

  #values<T>(
    mapping: Mapping,
    leaf: Leaf,
    meter: StepMeter,
    readSource: ((doc: number) => Uint8Array) | undefined,
    convert: (value: Value, run: RunState) => T,
  ): ValuesOfDocument<T> {
    const fields = new DocumentFields(mapping, leaf);
    const globals: Value[] = [this.#params, fields, null, null];
    const given =
      this.#field === undefined || mapping.field(this.#field) === undefined ? undefined : this.#field;
    const finish = (result: Value, run: RunState): T[] => {
      const items = itemsOf(result, run);
      run.allocate(items.length);
      return items.flatMap((item) => (item === null ? [] : [convert(item, run)]));
    };
    return (doc, score) => {
      fields.doc = doc;
      globals[2] = new Double(score);
      if (readSource !== undefined)
        globals[0] = new ValueMap(
          new Map<Key, Value>(this.#params.entries).set('_source', sourceValue(readSource(doc))),
          true,
        );
      if (this.#field === undefined) return this.#script.run(globals, this.#now, finish, meter);
      if (given === undefined) return [];
      return fields
        .member(given)
        .items()
        .flatMap((value) => {
          globals[3] = value instanceof ScriptDate ? BigInt(value.millis) : value;
          return this.#script.run(globals, this.#now, finish, meter);
        });
    };
  }
}

function itemsOf(result: Value, run: RunState): readonly Value[] {
  if (Array.isArray(result)) return result;
  if (result instanceof ValueSet) return [...result.items];
  return (result instanceof ScriptObject ? result.items(run) : undefined) ?? [result];
}

function keyOf(kind: FieldKind, value: Value, run: RunState): Key64 {
  const number = numberOf(value);
  if (number === undefined) {
    const reason = `Unsupported script value [${textOf(value, run)}], expected a number, date, or boolean`;
    throw new EngineError('aggregation_execution_exception', reason);
  }
  if (kind === 'double') return doubleKey(Number(number));
  const whole =
    typeof number === 'bigint' ? number : BigInt(Number.isFinite(number) ? Math.trunc(number) : 0);
  return kind === 'unsigned_long'
    ? unsignedKey(BigInt.asUintN(64, whole))
    : longKey(BigInt.asIntN(64, whole));
}

function numberOf(value: Value): number | bigint | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return value;
  if (value instanceof ScriptDate) return value.millis;
  return asNumber(value);
}
