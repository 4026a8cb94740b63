// The values that a script computes with. The type of a number is part of its value, as in Java: an int is a JavaScript
// number, a long a bigint, so that no long goes through a double; all other numbers are objects.

import { javaDouble } from '../../json/java-double.ts';
import { shortestFloat } from '../../mapping/types/shortest-float.ts';

export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Double
  | Float
  | Char
  | List
  | ValueMap
  | ValueSet
  | ScriptObject
  | Lambda;

export type List = Value[];

/** A 64-bit floating point number. */
export class Double {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** A 32-bit floating point number. REQUIRES: value is a float. */
export class Float {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** A UTF-16 unit. */
export class Char {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

/** What a key of a map can be. */
export type Key = null | boolean | number | bigint | string;

/** A map in the order of its insertions. */
export class ValueMap {
  readonly entries: Map<Key, Value>;
  /** True for maps that refuse changes. */
  readonly isFixed: boolean;
  constructor(entries: Map<Key, Value> = new Map(), isFixed = false) {
    this.entries = entries;
    this.isFixed = isFixed;
  }
}

/** A set in the order of its insertions. */
export class ValueSet {
  readonly items: Set<Key>;
  constructor(items: Set<Key> = new Set()) {
    this.items = items;
  }
}

/** A value with methods of its own. */
export abstract class ScriptObject {
  abstract readonly className: string;
  /** The result of a method; undefined if there is none of this name with so many arguments. */
  abstract call(name: string, args: readonly Value[], run: Run): Value | undefined;
  abstract text(run: Run): string;
  /** What a document holds of it, as JSON text. */
  json(run: Run): string {
    return JSON.stringify(this.text(run));
  }
  /** A member by name, where names are not those of getters. */
  member(_name: string): Value | undefined {
    return undefined;
  }
  /** Whether it has items. */
  readonly isCollection: boolean = false;
  /** The items that a loop visits, which are paid for; undefined if it is no collection. */
  items(_run: Run): Value[] | undefined {
    return undefined;
  }
  /** Whether it equals another object. */
  equals(other: ScriptObject): boolean {
    return this === other;
  }
  /** Sorts before (below 0), with or behind another; undefined if there is no order. */
  compare(_other: ScriptObject): number | undefined {
    return undefined;
  }
}

/** A function that a script passes to a method. */
export class Lambda {
  readonly arity: number;
  readonly invoke: (args: readonly Value[]) => Value;
  constructor(arity: number, invoke: (args: readonly Value[]) => Value) {
    this.arity = arity;
    this.invoke = invoke;
  }
}

/** What a running script has left, and where it is. */
export interface Run {
  /** Pays for work in steps, each about as long as one operator. Throws when none are left. */
  spend(steps: number): void;
  /** Pays for memory in units of about eight bytes. Throws when none are left. */
  allocate(units: number): void;
  readonly now: number;
}

/** The Java class of a value, as messages name it. */
export function classOf(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'java.lang.Boolean';
  if (typeof value === 'number') return 'java.lang.Integer';
  if (typeof value === 'bigint') return isLong(value) ? 'java.lang.Long' : 'java.math.BigInteger';
  if (typeof value === 'string') return 'java.lang.String';
  if (value instanceof Double) return 'java.lang.Double';
  if (value instanceof Float) return 'java.lang.Float';
  if (value instanceof Char) return 'java.lang.Character';
  if (value instanceof ValueMap) return 'java.util.HashMap';
  if (value instanceof ValueSet) return 'java.util.HashSet';
  if (value instanceof ScriptObject) return value.className;
  return value instanceof Lambda ? 'lambda' : 'java.util.ArrayList';
}

const LEAST = -(2n ** 63n);
const GREATEST = 2n ** 63n - 1n;

/** Integers of documents may be larger than a long. */
export function isLong(value: bigint): boolean {
  return value >= LEAST && value <= GREATEST;
}

/** Steps of finding a short key in a map or a set. */
const KEY_STEPS = 4;
/** Collections inside each other in a text. */
const MAX_DEPTH = 50;

/** The text of a value, as Java prints it. */
export function textOf(value: Value, run: Run, depth = 0): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  run.spend(4);
  if (value instanceof Double || value instanceof Float) {
    run.spend(8);
    return value instanceof Double ? javaDouble(value.value) : javaFloat(value.value);
  }
  if (value instanceof Char) return String.fromCharCode(value.code);
  if (value instanceof ScriptObject) {
    run.spend(60);
    return value.text(run);
  }
  if (value instanceof Lambda) return 'lambda';
  if (depth >= MAX_DEPTH) return '…';
  const inner = (each: Value): string => {
    run.spend(4);
    const text = textOf(each, run, depth + 1);
    run.allocate(text.length);
    return text;
  };
  if (value instanceof ValueMap)
    return `{${[...value.entries].map(([key, each]) => `${inner(key)}=${inner(each)}`).join(', ')}}`;
  return `[${[...(value instanceof ValueSet ? value.items : value)].map(inner).join(', ')}]`;
}

/** The text of a float: the fewest digits that read back as the same float. */
export function javaFloat(value: number): string {
  return javaDouble(value, String(Math.abs(shortestFloat(value))));
}

/** The number of a value as a double; undefined for what is no number. */
export function asNumber(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Double || value instanceof Float) return value.value;
  return value instanceof Char ? value.code : undefined;
}

/** Whether two texts are equal. Pays for the characters that are compared, about 32 in one step. */
export function equalTexts(a: string, b: string, run: Run): boolean {
  if (a.length !== b.length) return false;
  run.spend(a.length / 32);
  return a === b;
}

/** Whether Java's `equals` holds: numbers of different types are different. Pays for every item and text that is compared. */
export function javaEquals(a: Value, b: Value, run: Run, depth = 0): boolean {
  if (typeof a === 'string' && typeof b === 'string') return equalTexts(a, b, run);
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  run.spend(1);
  if (a instanceof Double) return b instanceof Double && Object.is(a.value, b.value);
  if (a instanceof Float) return b instanceof Float && Object.is(a.value, b.value);
  if (a instanceof Char) return b instanceof Char && a.code === b.code;
  if (a instanceof ScriptObject) return b instanceof ScriptObject && a.equals(b);
  if (depth >= MAX_DEPTH) return false;
  if (a instanceof ValueMap) {
    if (!(b instanceof ValueMap) || a.entries.size !== b.entries.size) return false;
    for (const [key, value] of a.entries) {
      run.spend(KEY_STEPS);
      const other = b.entries.get(key);
      if (other === undefined || !javaEquals(value, other, run, depth + 1)) return false;
    }
    return true;
  }
  if (a instanceof ValueSet) {
    if (!(b instanceof ValueSet) || a.items.size !== b.items.size) return false;
    for (const item of a.items) {
      run.spend(KEY_STEPS);
      if (!b.items.has(item)) return false;
    }
    return true;
  }
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((item, i) => {
    run.spend(1);
    return javaEquals(item, b[i]!, run, depth + 1);
  });
}
