// How are indices read by all pages of a scroll? As they were told of when it was opened. A scroll keeps a number for that: what it
// stands for may be whole mappings, so only the last few are remembered. A scroll that outlives them is read as things are.

import type { IndexInfo, SearchRequest } from '@octavo/engine';

/** See `SearchRequest.as`. */
type AsTold = NonNullable<SearchRequest['as']>;

/** A mapping of a thousand fields is half a megabyte; one that is still in force costs nothing. */
const MOST = 32;

/** By number, the one used last at the end. */
const kept = new Map<number, AsTold>();
/** The last number, by the first of its indices. */
const last = new WeakMap<IndexInfo, number>();
let newest = 0;

/** What a request says to have indices read as they were told of. */
export function asTold(infos: readonly IndexInfo[]): AsTold {
  return new Map(infos.map((info) => [info.name, info]));
}

/** A number for how indices are told of: the same one until something about them changes. */
export function keepTold(infos: readonly IndexInfo[]): number {
  const [first] = infos;
  if (first === undefined) return 0;
  const known = last.get(first);
  const before = known === undefined ? undefined : keptAs(known);
  if (before?.size === infos.length && infos.every((info) => before.get(info.name) === info)) return known!;
  const number = ++newest;
  last.set(first, number);
  kept.set(number, asTold(infos));
  if (kept.size > MOST) kept.delete(kept.keys().next().value!);
  return number;
}

/** What a number stands for, where that is remembered. */
export function keptAs(number: number): AsTold | undefined {
  const found = kept.get(number);
  if (found === undefined) return undefined;
  kept.delete(number);
  kept.set(number, found);
  return found;
}
