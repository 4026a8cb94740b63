// Reads the arguments of methods by their types, and the tables that methods are in.

import { classCast, ScriptFault } from '../script-fault.ts';
import { assignable } from '../values/casts.ts';
import {
  asNumber,
  Char,
  classOf,
  type Key,
  Lambda,
  type List,
  type Run,
  ScriptObject,
  type Value,
  ValueMap,
  ValueSet,
} from '../values/value.ts';

/** A method or a static function. */
export type Method<T> = (self: T, args: readonly Value[], run: Run) => Value;

/** Methods by name and number of arguments: `substring/2`. */
export type MethodTable<T> = Readonly<Record<string, Method<T>>>;

export function textArgument(value: Value | undefined): string {
  if (typeof value === 'string') return value;
  if (value instanceof Char) return String.fromCharCode(value.code);
  throw wrongType(value, 'java.lang.String');
}

export function intArgument(value: Value | undefined): number {
  return assignable('int', value ?? null) as number;
}

export function longArgument(value: Value | undefined): bigint {
  return assignable('long', value ?? null) as bigint;
}

export function doubleArgument(value: Value | undefined): number {
  const number = value === undefined ? undefined : asNumber(value);
  if (number === undefined) throw wrongType(value, 'double');
  return number;
}

export function lambdaArgument(value: Value | undefined, arity: number): (...args: Value[]) => Value {
  if (!(value instanceof Lambda)) throw wrongType(value, 'lambda');
  if (value.arity !== arity)
    throw classCast(`a lambda with [${arity}] parameters is needed, not with [${value.arity}]`);
  return (...args) => value.invoke(args);
}

/** The items of a collection; a copy where the collection itself has another form. */
export function itemsArgument(value: Value | undefined, run: Run): List {
  if (Array.isArray(value)) return value;
  if (value instanceof ValueSet) {
    run.spend(value.items.size);
    return [...value.items];
  }
  const items = value instanceof ScriptObject ? value.items(run) : undefined;
  if (items === undefined) throw wrongType(value, 'java.util.Collection');
  return items;
}

export function mapArgument(value: Value | undefined): ValueMap {
  if (value instanceof ValueMap) return value;
  throw wrongType(value, 'java.util.Map');
}

/** A value as a key of a map or an item of a set. Pays for the characters that finding it compares. */
export function keyArgument(value: Value | undefined, run: Run): Key {
  if (typeof value === 'string') run.spend(value.length / 32);
  if (value === undefined || value === null || typeof value !== 'object') return value ?? null;
  if (value instanceof Char) return String.fromCharCode(value.code);
  throw classCast(`keys of type [${classOf(value)}] are not supported`);
}

export function truth(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  return assignable('boolean', value) as boolean;
}

function wrongType(value: Value | undefined, wanted: string): ScriptFault {
  if (value === null || value === undefined)
    return new ScriptFault('null_pointer_exception', `an argument of type [${wanted}] is null`);
  return classCast(`cannot implicitly cast def [${classOf(value)}] to ${wanted}`);
}
