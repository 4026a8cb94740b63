// Reads and writes members of values: `x.name`, `x[i]`, and calls of methods.

import { getMember, position, putMember } from '../library/collections.ts';
import { callMethod } from '../library/library.ts';
import type { RunState } from '../run-state.ts';
import { illegal, ScriptFault } from '../script-fault.ts';
import { nullPointer } from '../values/arithmetic.ts';
import { classOf, type List, ScriptObject, type Value, ValueMap } from '../values/value.ts';

/** The result of a method. */
export function invoke(target: Value, name: string, args: readonly Value[], state: RunState): Value {
  if (target === null) throw nullPointer('callArgs[0]');
  const result = callMethod(target, name, args, state);
  if (result !== undefined) return result;
  throw illegal(`dynamic method [${classOf(target)}, ${name}/${args.length}] not found`);
}

/** A member that is read: its name, and those of its getters. */
interface MemberNames {
  readonly name: string;
  readonly getter: string;
  readonly flag: string;
}

/** The names that a member is looked for by, made once for each place in a script. */
export function memberNames(name: string): MemberNames {
  const suffix = name[0]!.toUpperCase() + name.slice(1);
  return { name, getter: `get${suffix}`, flag: `is${suffix}` };
}

/** `target.name`: a member of a map, an item of a list, or what the getter of this name returns. */
export function readMember(target: Value, { name, getter, flag }: MemberNames, state: RunState): Value {
  if (target === null) throw nullPointer('callArgs[0]');
  if (target instanceof ValueMap) return getMember(target, name, state);
  if (Array.isArray(target)) {
    if (name === 'length') return target.length;
    const index = /^\d{1,9}$/.test(name) ? Number(name) : -1;
    if (index >= 0) return target[position(target, index)]!;
  }
  const own = target instanceof ScriptObject ? target.member(name) : undefined;
  if (own !== undefined) return own;
  if (typeof target !== 'string') {
    const found = callMethod(target, getter, [], state) ?? callMethod(target, flag, [], state);
    if (found !== undefined) return found;
  } else if (name === 'empty') return target === '';
  throw illegal(`dynamic getter [${classOf(target)}, ${name}] not found`);
}

/** `target.name = value`. */
export function writeMember(target: Value, name: string, value: Value, state: RunState): void {
  if (target === null) throw nullPointer('callArgs[0]');
  if (target instanceof ValueMap) putMember(target, name, value, state);
  else if (Array.isArray(target) && /^\d{1,9}$/.test(name)) target[position(target, Number(name))] = value;
  else throw illegal(`dynamic setter [${classOf(target)}, ${name}] not found`);
}

/** `target[index]`. */
export function readItem(target: Value, index: Value, state: RunState): Value {
  if (target === null) throw nullPointer('callArgs[0]');
  if (target instanceof ValueMap) return getMember(target, index, state);
  if (Array.isArray(target)) return target[place(target, index)]!;
  const item = typeof target === 'object' ? callMethod(target, 'get', [index], state) : undefined;
  if (item !== undefined) return item;
  throw illegal(`Attempting to address a non-array-like type [${classOf(target)}] as an array.`);
}

/** `target[index] = value`. */
export function writeItem(target: Value, index: Value, value: Value, state: RunState): void {
  if (target === null) throw nullPointer('callArgs[0]');
  if (target instanceof ValueMap) putMember(target, index, value, state);
  else if (Array.isArray(target)) target[place(target, index)] = value;
  else throw illegal(`Attempting to address a non-array-like type [${classOf(target)}] as an array.`);
}

/** A negative index counts from the end. */
function place(list: List, index: Value): number {
  if (typeof index === 'number' && index < 0) return position(list, index + list.length);
  if (index !== null && typeof index !== 'number')
    throw new ScriptFault('class_cast_exception', `cannot implicitly cast def [${classOf(index)}] to int`);
  return position(list, index);
}
