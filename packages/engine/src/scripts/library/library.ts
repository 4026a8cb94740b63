// Finds the methods of a value, and the functions, constants and constructors of a class. What is in no table here does
// not exist for scripts.

import type { ErrorType } from '../../errors.ts';
import { isPrimitiveNumber, type TypeName } from '../language/types.ts';
import { ScriptFault } from '../script-fault.ts';
import {
  javaEquals,
  type Run,
  ScriptObject,
  textOf,
  type Value,
  ValueMap,
  ValueSet,
} from '../values/value.ts';
import { itemsArgument, keyArgument, type MethodTable, mapArgument, textArgument } from './arguments.ts';
import { COLLECTIONS_STATICS, LIST_METHODS, MAP_METHODS, SET_METHODS } from './collections.ts';
import { DATE_CONSTANTS, FORMATTER_STATICS, INSTANT_STATICS, ZONE_STATICS, ZONED_STATICS } from './dates.ts';
import { MOVING_STATICS } from './moving-functions.ts';
import {
  BOOLEAN_METHODS,
  BOOLEAN_STATICS,
  CHARACTER_STATICS,
  DOUBLE_STATICS,
  FLOAT_STATICS,
  INTEGER_STATICS,
  LONG_STATICS,
  MATH_STATICS,
  NUMBER_CONSTANTS,
  NUMBER_METHODS,
  type NumberValue,
} from './numbers.ts';
import { STRING_METHODS, StringBuilder } from './strings.ts';

/** Calls a method; undefined if the value has none of this name with so many arguments. */
export function callMethod(target: Value, name: string, args: readonly Value[], run: Run): Value | undefined {
  if (target instanceof ScriptObject) return target.call(name, args, run);
  const key = `${name}/${args.length}`;
  if (typeof target === 'string') return own(STRING_METHODS, key)?.(target, args, run);
  if (Array.isArray(target)) return own(LIST_METHODS, key)?.(target, args, run);
  if (target instanceof ValueMap) return own(MAP_METHODS, key)?.(target, args, run);
  if (target instanceof ValueSet) return own(SET_METHODS, key)?.(target, args, run);
  if (typeof target === 'boolean') return own(BOOLEAN_METHODS, key)?.(target, args, run);
  return own(NUMBER_METHODS, key)?.(target as NumberValue, args, run);
}

function own<T>(table: MethodTable<T>, key: string): MethodTable<T>[string] | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

const TEXT_TYPES: ReadonlySet<TypeName> = new Set(['String', 'CharSequence']);
const LIST_TYPES: ReadonlySet<TypeName> = new Set(['List', 'ArrayList']);
const MAP_TYPES: ReadonlySet<TypeName> = new Set(['Map', 'HashMap', 'LinkedHashMap']);

/** Whether it is known before a run that values of a type have no such method. */
export function lacksMethod(type: TypeName, name: string, arity: number): boolean {
  const key = `${name}/${arity}`;
  if (TEXT_TYPES.has(type)) return !Object.hasOwn(STRING_METHODS, key);
  if (LIST_TYPES.has(type)) return !Object.hasOwn(LIST_METHODS, key);
  if (MAP_TYPES.has(type)) return !Object.hasOwn(MAP_METHODS, key);
  return isPrimitiveNumber(type) && !Object.hasOwn(NUMBER_METHODS, key);
}

const OBJECTS_STATICS: MethodTable<undefined> = {
  'equals/2': (_, [a, b], run) => javaEquals(a!, b!, run),
  'isNull/1': (_, [value]) => value === null,
  'nonNull/1': (_, [value]) => value !== null,
  'toString/1': (_, [value], run) => textOf(value!, run),
  'requireNonNullElse/2': (_, [value, otherwise]) => value ?? otherwise!,
};

const STRING_STATICS: MethodTable<undefined> = {
  'valueOf/1': (_, [value], run) => textOf(value!, run),
  'join/2': (_, [separator, items], run) => {
    const list = itemsArgument(items, run);
    run.spend(2 * list.length);
    const text = list.map((item) => textOf(item, run)).join(textArgument(separator));
    run.allocate(text.length / 4);
    return text;
  },
};

const STATICS: Readonly<Record<string, MethodTable<undefined>>> = {
  Boolean: BOOLEAN_STATICS,
  Character: CHARACTER_STATICS,
  Collections: COLLECTIONS_STATICS,
  DateTimeFormatter: FORMATTER_STATICS,
  Double: DOUBLE_STATICS,
  Float: FLOAT_STATICS,
  Instant: INSTANT_STATICS,
  Integer: INTEGER_STATICS,
  Long: LONG_STATICS,
  Math: MATH_STATICS,
  MovingFunctions: MOVING_STATICS,
  Objects: OBJECTS_STATICS,
  String: STRING_STATICS,
  System: { 'currentTimeMillis/0': (_, __, run) => BigInt(run.now) },
  ZoneId: ZONE_STATICS,
  ZonedDateTime: ZONED_STATICS,
};

/** The function of a class; undefined if there is none. */
export function staticFunction(
  type: string,
  name: string,
  arity: number,
): MethodTable<undefined>[string] | undefined {
  // `Arrays.asList` takes any number of arguments.
  if (type === 'Arrays' && name === 'asList') return (_, args) => [...args];
  const table = Object.hasOwn(STATICS, type) ? STATICS[type] : undefined;
  return table && own(table, `${name}/${arity}`);
}

/** A constant of a class; undefined if there is none. */
export function staticConstant(type: string, name: string): Value | undefined {
  const key = `${type}.${name}`;
  if (Object.hasOwn(NUMBER_CONSTANTS, key)) return NUMBER_CONSTANTS[key];
  return Object.hasOwn(DATE_CONSTANTS, key) ? DATE_CONSTANTS[key] : undefined;
}

/** Whether a name is that of a class with functions or constants. */
export function isClassName(name: string): boolean {
  return (
    Object.hasOwn(STATICS, name) ||
    ['Arrays', 'ChronoUnit', 'DayOfWeek', 'Month', 'ZoneOffset'].includes(name)
  );
}

/** What `throw` takes. */
export class Exception extends ScriptObject {
  readonly className: string;
  readonly type: ErrorType;
  readonly message: string;

  constructor(className: string, type: ErrorType, message: string) {
    super();
    this.className = className;
    this.type = type;
    this.message = message;
  }

  override call(name: string, args: readonly Value[]): Value | undefined {
    return name === 'getMessage' && args.length === 0 ? this.message : undefined;
  }

  override text(): string {
    return `${this.className}: ${this.message}`;
  }
}

const EXCEPTIONS: Readonly<Record<string, ErrorType>> = {
  Exception: 'exception',
  RuntimeException: 'exception',
  IllegalArgumentException: 'illegal_argument_exception',
  IllegalStateException: 'illegal_state_exception',
  UnsupportedOperationException: 'unsupported_operation_exception',
};

type Constructor = (args: readonly Value[], run: Run) => Value;

const newList: Constructor = ([items], run) => {
  if (items === undefined || typeof items === 'number') return [];
  const list = [...itemsArgument(items, run)];
  run.allocate(list.length);
  return list;
};

const newMap: Constructor = ([other], run) => {
  if (other === undefined || typeof other === 'number') return new ValueMap();
  const { entries } = mapArgument(other);
  run.allocate(4 * entries.size);
  return new ValueMap(new Map(entries));
};

const newSet: Constructor = ([items], run) => {
  if (items === undefined || typeof items === 'number') return new ValueSet();
  const list = itemsArgument(items, run);
  run.allocate(2 * list.length);
  return new ValueSet(new Set(list.map((item) => keyArgument(item, run))));
};

const CONSTRUCTORS: Readonly<Record<string, Constructor>> = {
  ArrayList: newList,
  HashMap: newMap,
  HashSet: newSet,
  LinkedHashMap: newMap,
  LinkedHashSet: newSet,
  StringBuilder: ([text], run) => new StringBuilder(text === undefined ? '' : textOf(text, run)),
  ...Object.fromEntries(
    Object.entries(EXCEPTIONS).map(([name, type]): [string, Constructor] => [
      name,
      ([message], run) =>
        new Exception(`java.lang.${name}`, type, message === undefined ? 'null' : textOf(message, run)),
    ]),
  ),
};

/** The constructor of a class with so many arguments; undefined if there is none. */
export function constructorOf(type: string, arity: number): Constructor | undefined {
  return arity <= 1 && Object.hasOwn(CONSTRUCTORS, type) ? CONSTRUCTORS[type] : undefined;
}

/** Throws what a script throws. */
export function thrown(value: Value): ScriptFault {
  if (value instanceof Exception) return new ScriptFault(value.type, value.message);
  return new ScriptFault('class_cast_exception', 'only exceptions can be thrown');
}
