// Converts between JSON and the values of scripts. Integers keep their type and every digit; a number that is written
// with a point is a double.

import { EngineError } from '../../errors.ts';
import { javaDouble } from '../../json/java-double.ts';
import { isWrittenAsDouble, numberValue, stringValue } from '../../json/parse.ts';
import {
  ARRAY_END,
  ARRAY_START,
  FALSE,
  NULL,
  NUMBER,
  OBJECT_END,
  OBJECT_START,
  Scanner,
  STRING,
  TRUE,
} from '../../json/scanner.ts';
import type { JsonValue } from '../../json/value.ts';
import { illegal } from '../script-fault.ts';
import {
  Char,
  Double,
  Float,
  javaFloat,
  type Key,
  Lambda,
  type List,
  type Run,
  ScriptObject,
  textOf,
  type Value,
  ValueMap,
  ValueSet,
} from './value.ts';

/** Objects and lists inside each other in a document. */
const MAX_DEPTH = 100;

let spare: Scanner | undefined;

/** The object of a document as a map. REQUIRES: the bytes were accepted as a document. O(bytes). */
export function sourceValue(bytes: Uint8Array): ValueMap {
  const scanner = (spare ??= new Scanner());
  scanner.reset(bytes, 0, bytes.length);
  scanner.next();
  return readScanned(scanner) as ValueMap;
}

function readScanned(scanner: Scanner): Value {
  switch (scanner.token) {
    case OBJECT_START: {
      const entries = new Map<Key, Value>();
      for (let token = scanner.next(); token !== OBJECT_END; token = scanner.next()) {
        const key = scanner.keys.text(scanner.key);
        scanner.next();
        entries.set(key, readScanned(scanner));
      }
      return new ValueMap(entries);
    }
    case ARRAY_START: {
      const list: List = [];
      while (scanner.next() !== ARRAY_END) list.push(readScanned(scanner));
      return list;
    }
    case STRING:
      return stringValue(scanner);
    case NUMBER: {
      const { integer } = scanner;
      return numberOfJson(numberValue(scanner), !integer);
    }
    case TRUE:
    case FALSE:
      return scanner.token === TRUE;
    case NULL:
      return null;
    default:
      throw new EngineError('json_parse_exception', 'no value here');
  }
}

function numberOfJson(value: number | bigint, isDouble: boolean): Value {
  if (typeof value === 'bigint') return value;
  if (isDouble || !Number.isInteger(value)) return new Double(value);
  return value === (value | 0) ? value : BigInt(value);
}

/** A value of a request, such as a parameter. */
export function valueOfJson(json: JsonValue, holder?: object, key = ''): Value {
  if (typeof json === 'number' || typeof json === 'bigint')
    return numberOfJson(json, holder !== undefined && isWrittenAsDouble(holder, key));
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map((item, i) => valueOfJson(item, json, String(i)));
  const entries = new Map<Key, Value>();
  for (const name of Object.keys(json)) entries.set(name, valueOfJson(json[name]!, json, name));
  return new ValueMap(entries);
}

/** The JSON text of a value. Throws a ScriptFault for what a document cannot hold. */
export function jsonOfValue(value: Value, run: Run, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Double)
    return Number.isFinite(value.value) ? javaDouble(value.value) : `"${javaDouble(value.value)}"`;
  if (value instanceof Float) {
    const text = javaFloat(value.value);
    return Number.isFinite(value.value) ? text : `"${text}"`;
  }
  if (value instanceof Char) return JSON.stringify(textOf(value, run));
  if (depth >= MAX_DEPTH)
    throw illegal(`a value has more than ${MAX_DEPTH} levels; a list or map may contain itself`);
  const items = value instanceof ScriptObject ? value.items(run) : undefined;
  if (value instanceof Lambda) throw illegal('a lambda cannot be stored');
  if (value instanceof ScriptObject && items === undefined) return value.json(run);
  const inner = (each: Value): string => {
    run.spend(2);
    const text = jsonOfValue(each, run, depth + 1);
    run.allocate(text.length / 8);
    return text;
  };
  if (value instanceof ValueMap) {
    const members: string[] = [];
    for (const [key, each] of value.entries) {
      if (key === null) throw illegal('a map with a null key cannot be stored');
      members.push(`${JSON.stringify(String(key))}:${inner(each)}`);
    }
    return `{${members.join(',')}}`;
  }
  const list = items ?? (value instanceof ValueSet ? [...value.items] : (value as List));
  return `[${list.map(inner).join(',')}]`;
}
