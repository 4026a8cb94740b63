// The types of the language by their short names, and what a declared type accepts.

/** The types that a script may name, with their Java names. */
export const TYPES = {
  def: 'def',
  boolean: 'boolean',
  byte: 'byte',
  short: 'short',
  char: 'char',
  int: 'int',
  long: 'long',
  float: 'float',
  double: 'double',
  Boolean: 'java.lang.Boolean',
  Byte: 'java.lang.Byte',
  Short: 'java.lang.Short',
  Character: 'java.lang.Character',
  Integer: 'java.lang.Integer',
  Long: 'java.lang.Long',
  Float: 'java.lang.Float',
  Double: 'java.lang.Double',
  Number: 'java.lang.Number',
  Object: 'java.lang.Object',
  String: 'java.lang.String',
  CharSequence: 'java.lang.CharSequence',
  StringBuilder: 'java.lang.StringBuilder',
  List: 'java.util.List',
  ArrayList: 'java.util.ArrayList',
  Collection: 'java.util.Collection',
  Iterable: 'java.lang.Iterable',
  Set: 'java.util.Set',
  HashSet: 'java.util.HashSet',
  LinkedHashSet: 'java.util.LinkedHashSet',
  Map: 'java.util.Map',
  HashMap: 'java.util.HashMap',
  LinkedHashMap: 'java.util.LinkedHashMap',
  Entry: 'java.util.Map$Entry',
  ZonedDateTime: 'java.time.ZonedDateTime',
  Instant: 'java.time.Instant',
  DayOfWeek: 'java.time.DayOfWeek',
  Month: 'java.time.Month',
  ChronoUnit: 'java.time.temporal.ChronoUnit',
  Math: 'java.lang.Math',
  Objects: 'java.util.Objects',
  Collections: 'java.util.Collections',
  Arrays: 'java.util.Arrays',
  System: 'java.lang.System',
  Exception: 'java.lang.Exception',
  RuntimeException: 'java.lang.RuntimeException',
  IllegalArgumentException: 'java.lang.IllegalArgumentException',
  IllegalStateException: 'java.lang.IllegalStateException',
  UnsupportedOperationException: 'java.lang.UnsupportedOperationException',
} as const;

export type TypeName = keyof typeof TYPES;

export function isTypeName(name: string): name is TypeName {
  return Object.hasOwn(TYPES, name);
}

/** Primitive numbers in the order in which they widen. */
const NUMERIC: readonly TypeName[] = ['byte', 'short', 'char', 'int', 'long', 'float', 'double'];

export function isPrimitiveNumber(type: TypeName): boolean {
  return NUMERIC.includes(type);
}

export function isPrimitive(type: TypeName): boolean {
  return type === 'boolean' || isPrimitiveNumber(type);
}

/** The type that arithmetic on two primitive numbers is done in. */
export function promoted(a: TypeName, b: TypeName): TypeName {
  for (const type of ['double', 'float', 'long'] as const) if (a === type || b === type) return type;
  return 'int';
}

/** Whether a primitive of one type may be assigned to a variable of another without a cast. */
export function widens(from: TypeName, to: TypeName): boolean {
  if (from === to) return true;
  if (!isPrimitiveNumber(from) || !isPrimitiveNumber(to) || to === 'char') return false;
  if (from === 'char') return NUMERIC.indexOf(to) > NUMERIC.indexOf('char');
  return NUMERIC.indexOf(from) < NUMERIC.indexOf(to);
}
