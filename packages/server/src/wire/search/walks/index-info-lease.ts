// How are indices read by all pages of a scroll? As they were told of when it was opened. A scroll keeps a number for that: what it
// stands for may be whole mappings, so only the last few are remembered. A scroll that outlives them is read as things are.

import type { IndexInfo, Indices, SearchRequest } from '@octavo/engine';

/** See `SearchRequest.as`. */
type AsTold = NonNullable<SearchRequest['as']>;

/** So many that are not in force any more: a mapping of a thousand fields is half a megabyte. */
const MOST = 32;
/** So many of all: one that is in force costs next to nothing. */
const MOST_OF_ALL = 1_024;

interface Told {
  readonly key: string;
  readonly as: AsTold;
}

/** By number, the one used last at the end. */
const kept = new Map<number, Told>();
/** Numbers by what they stand for: the states of their indices, each by a number of its own. */
const numbers = new Map<string, number>();
const states = new WeakMap<IndexInfo, number>();
let newest = 0;
let newestState = 0;

/** What a request says to have indices read as they were told of. */
export function asTold(infos: readonly IndexInfo[]): AsTold {
  return new Map(infos.map((info) => [info.name, info]));
}

/** A number for how indices are told of: the same one until something about them changes. `indices` tells what is in force. */
export function keepTold(infos: readonly IndexInfo[], indices: Pick<Indices, 'info'>): number {
  if (infos.length === 0) return 0;
  const key = infos.map(stateOf).join(',');
  const known = numbers.get(key);
  if (known !== undefined) {
    keptAs(known);
    return known;
  }
  const number = ++newest;
  numbers.set(key, number);
  kept.set(number, { key, as: asTold(infos) });
  if (kept.size > MOST) forget(indices);
  return number;
}

/** What a number stands for, where that is remembered. */
export function keptAs(number: number): AsTold | undefined {
  const found = kept.get(number);
  if (found === undefined) return undefined;
  kept.delete(number);
  kept.set(number, found);
  return found.as;
}

function stateOf(info: IndexInfo): number {
  let state = states.get(info);
  if (state === undefined) states.set(info, (state = ++newestState));
  return state;
}

/** Forgets those that were used longest ago, where there are too many. O(what is remembered). */
function forget(indices: Pick<Indices, 'info'>): void {
  const past = [...kept].filter(([, { as }]) => [...as].some(([name, info]) => indices.info(name) !== info));
  const tooMany = past.slice(0, Math.max(0, past.length - MOST));
  if (kept.size - tooMany.length > MOST_OF_ALL) tooMany.push(kept.entries().next().value!);
  for (const [number, { key }] of tooMany) {
    kept.delete(number);
    numbers.delete(key);
  }
}
