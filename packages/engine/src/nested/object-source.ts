// Cuts nested objects out of sources.

import { ARRAY_END, ARRAY_START, KEY, OBJECT_START, Scanner } from '../json/scanner.ts';
import type { ObjectStep } from './nested-objects.ts';

const encoder = new TextEncoder();

/**
 * The source of a document with nothing but one object in it, so that its paths are those of the whole:
 * `{"a":{"b":…}}` for an object at `a.b`. Undefined where the source has no such object. O(bytes).
 */
export function isolateObject(source: Uint8Array, steps: readonly ObjectStep[]): Uint8Array | undefined {
  let at: ByteRange | undefined = { start: 0, end: source.length };
  let before = '';
  let after = '';
  for (const { field, offset } of steps) {
    const names = field.split('.');
    at = findObject(source, at, names, offset);
    if (at === undefined) return undefined;
    for (const name of names) {
      before += `{${JSON.stringify(name)}:`;
      after += '}';
    }
  }
  return Buffer.concat([encoder.encode(before), source.subarray(at.start, at.end), encoder.encode(after)]);
}

/** The bytes of the object that `isolateObject` has left in a source, or of what is left of it. O(bytes). */
export function isolatedObject(source: Uint8Array, steps: readonly ObjectStep[]): Uint8Array | undefined {
  let at: ByteRange | undefined = { start: 0, end: source.length };
  for (const { field } of steps) {
    at = findObject(source, at, field.split('.'), 0);
    if (at === undefined) return undefined;
  }
  return source.subarray(at.start, at.end);
}

/** Shared: one object is found before the next one is looked for. */
const scanner = new Scanner();
const NOTHING = new Uint8Array(0);

interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The n-th object at a path within another. */
function findObject(
  source: Uint8Array,
  { start, end }: ByteRange,
  path: readonly string[],
  n: number,
): ByteRange | undefined {
  scanner.reset(source, start, end);
  let left = n;
  const value = (names: readonly string[]): ByteRange | undefined => {
    if (scanner.token === ARRAY_START) {
      while (scanner.next() !== ARRAY_END) {
        const found = value(names);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    if (scanner.token !== OBJECT_START) return undefined;
    if (names.length > 0) return members(names);
    const from = scanner.position - 1;
    scanner.skip();
    return left-- === 0 ? { start: from, end: scanner.position } : undefined;
  };
  const members = (names: readonly string[]): ByteRange | undefined => {
    while (scanner.next() === KEY) {
      const key = scanner.keys.text(scanner.key).split('.');
      scanner.next();
      if (key.length <= names.length && key.every((name, i) => name === names[i])) {
        const found = value(names.slice(key.length));
        if (found !== undefined) return found;
      } else scanner.skip();
    }
    return undefined;
  };
  scanner.next();
  const found = members(path);
  // Lets go of the document.
  scanner.reset(NOTHING, 0, 0);
  return found;
}
