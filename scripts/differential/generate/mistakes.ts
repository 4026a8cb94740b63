// Mistakes in bodies: values of a wrong type, unknown members, missing ones.

import type { Random } from '../random.ts';

const WRONG: readonly unknown[] = [null, true, 'text', '', -1, 3.5, 1e12, [], {}, [1, 'a'], { a: 1 }, [[]]];

/** The body with one mistake at a random place. */
export function withMistake(body: unknown, random: Random): unknown {
  const places = placesOf(body);
  if (places.length === 0) return random.pick(WRONG);
  const path = random.pick(places);
  const copy = structuredClone(body);
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], copy) as Record<string, unknown>;
  const key = path.at(-1)!;
  random.weighted<void>([
    [5, () => void (holder[key] = random.pick(WRONG))],
    [2, () => void delete holder[key]],
    [
      2,
      () => {
        if (Array.isArray(holder)) holder.push(random.pick(WRONG));
        else holder['unknown_member'] = random.pick(WRONG);
      },
    ],
    [
      1,
      () => {
        if (Array.isArray(holder)) return;
        holder[`${key}x`] = holder[key];
        delete holder[key];
      },
    ],
  ]);
  // A hole in a list is no JSON.
  return JSON.parse(JSON.stringify(copy)) as unknown;
}

function placesOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [
    [...path, key],
    ...placesOf(child, [...path, key]),
  ]);
}
