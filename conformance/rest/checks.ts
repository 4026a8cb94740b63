// The checks of the tests, one function per kind. Each throws with the expected and the actual value.

import { Failed } from './failed.ts';
import { patternIn, toRegExp } from './pattern.ts';
import type { Stash } from './stash.ts';
import {
  asDouble,
  compareNumbers,
  equal,
  isNumber,
  type NumberText,
  textOf,
  type Value,
  type ValueMap,
  writeJson,
} from './values.ts';

export type Check = (argument: Value, stash: Stash) => void;

export const CHECKS: Readonly<Record<string, Check>> = {
  match: (argument, stash) => match(...singleEntry(argument), stash),
  length,
  is_true: (argument, stash) => expect(isSet(stash.at(textOf(argument))), argument, 'something', stash),
  is_false: (argument, stash) => expect(!isSet(stash.at(textOf(argument))), argument, 'nothing', stash),
  exists: (argument, stash) =>
    expect((stash.at(textOf(argument)) ?? null) !== null, argument, 'something', stash),
  gt: compare((order) => order > 0, '>'),
  gte: compare((order) => order >= 0, '>='),
  lt: compare((order) => order < 0, '<'),
  lte: compare((order) => order <= 0, '<='),
  contains,
  close_to: closeTo,
};

/** At most 80 characters of a value. */
export function shortText(value: Value | undefined): string {
  const text = value === undefined ? 'nothing' : writeJson(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function expect(ok: boolean, path: Value, wanted: string, stash: Stash): void {
  if (!ok) throw new Failed(`${textOf(path)}: expected ${wanted}, got ${shortText(stash.at(textOf(path)))}`);
}

function isSet(value: Value | undefined): boolean {
  return !['', 'false', '0', 'null'].includes(textOf(value ?? null).toLowerCase());
}

export function singleEntry(value: Value | undefined): [string, Value] {
  const entries = value instanceof Map ? [...value] : [];
  if (entries.length !== 1) throw new Failed(`one entry is wanted, not ${shortText(value)}`);
  return entries[0] as [string, Value];
}

function match(path: string, wanted: Value, stash: Stash): void {
  const actual = stash.at(path) ?? null;
  const expected = stash.fill(wanted);
  const pattern = typeof expected === 'string' ? patternIn(expected) : undefined;
  if (pattern !== undefined && actual !== null) {
    const wholeAnswer = path.startsWith('$body') && typeof actual !== 'string';
    const text = wholeAnswer ? (stash.answer?.text ?? '') : textOf(actual);
    if (!toRegExp(pattern, true).test(text)) {
      throw new Failed(
        `${path}: expected /${pattern.replace(/\s+/g, ' ').slice(0, 80)}/, got ${shortText(text)}`,
      );
    }
  } else if (!equal(expected, actual)) throw new Failed(`${path}: ${difference(expected, actual, '')}`);
}

/** The first difference of two values, so that a failure names only that. */
function difference(expected: Value, actual: Value, at: string): string {
  if (expected instanceof Map && actual instanceof Map) {
    for (const key of new Set([...expected.keys(), ...actual.keys()])) {
      const [a, b] = [expected.get(key), actual.get(key)];
      if (a === undefined) return `expected no ${at}${key}, got ${shortText(b)}`;
      if (b === undefined) return `expected ${at}${key} ${shortText(a)}, got nothing`;
      if (!equal(a, b)) return difference(a, b, `${at}${key}.`);
    }
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    const i = expected.findIndex((item, k) => !equal(item, actual[k] as Value));
    return difference(expected[i] as Value, actual[i] as Value, `${at}${i}.`);
  }
  return `expected ${at && `${at.slice(0, -1)} `}${shortText(expected)}, got ${shortText(actual)}`;
}

function length(argument: Value, stash: Stash): void {
  const [path, wanted] = singleEntry(argument);
  const value = stash.at(path) ?? null;
  const size =
    value instanceof Map
      ? value.size
      : typeof value === 'string' || Array.isArray(value)
        ? value.length
        : undefined;
  const expected = stash.fill(wanted);
  if (size === undefined || !isNumber(expected) || compareNumbers(size, expected) !== 0) {
    throw new Failed(
      `${path}: expected a length of ${shortText(expected)}, got ${size ?? 'none'} in ${shortText(value)}`,
    );
  }
}

function compare(holds: (order: number) => boolean, sign: string): Check {
  return (argument, stash) => {
    const [path, wanted] = singleEntry(argument);
    const value = stash.at(path);
    const expected = stash.fill(wanted);
    let ok = false;
    if (isNumber(value) && isNumber(expected)) ok = holds(compareNumbers(value, expected));
    else if (typeof value === 'string' && typeof expected === 'string') {
      ok = holds(value < expected ? -1 : value > expected ? 1 : 0);
    }
    if (!ok) throw new Failed(`${path}: expected ${sign} ${shortText(expected)}, got ${shortText(value)}`);
  };
}

/** True if a list has an equal item (or one with all members of a map), a text a substring, a map a key or members. */
function contains(argument: Value, stash: Stash): void {
  const [path, wanted] = singleEntry(argument);
  const value = stash.at(path);
  const expected = stash.fill(wanted);
  let ok = false;
  if (Array.isArray(value)) ok = value.some((item) => holdsAll(item, expected));
  else if (typeof value === 'string') ok = value.includes(textOf(expected));
  else if (value instanceof Map)
    ok = typeof expected === 'string' ? value.has(expected) : holdsAll(value, expected);
  if (!ok) throw new Failed(`${path}: expected to hold ${shortText(expected)}, got ${shortText(value)}`);
}

function holdsAll(item: Value, wanted: Value): boolean {
  if (!(wanted instanceof Map) || !(item instanceof Map)) return equal(wanted, item);
  return [...wanted].every(([key, part]) => item.has(key) && equal(part, item.get(key) as Value));
}

function closeTo(argument: Value, stash: Stash): void {
  const [path, limits] = singleEntry(argument);
  const { value, error } = Object.fromEntries(limits as ValueMap) as Record<
    'value' | 'error',
    number | bigint | NumberText
  >;
  const actual = stash.at(path);
  if (!isNumber(actual) || !(Math.abs(asDouble(actual) - asDouble(value)) <= asDouble(error))) {
    throw new Failed(`${path}: expected ${shortText(value)} ± ${shortText(error)}, got ${shortText(actual)}`);
  }
}
