// How are indices read by all pages of a scroll? As they were told of when it was opened. A scroll keeps a number for that: what it
// stands for may be whole mappings, so only the last few are remembered. A scroll that outlives them is read as things are.

import type { IndexInfo, Indices, SearchRequest } from '@octavo/engine';

/** See `SearchRequest.as`. */
type IndexInfos = NonNullable<SearchRequest['as']>;

/** So many that are not in force any more: a mapping of a thousand fields is half a megabyte. */
const MOST_OUTDATED = 32;
/** So many of all: one that is in force costs next to nothing. */
const MOST_OF_ALL = 1_024;

interface Remembered {
  readonly key: string;
  readonly infos: IndexInfos;
}

/** By number, the one used last at the end. */
const memo = new Map<number, Remembered>();
/** Numbers by what they stand for: the states of their indices, each by a number of its own. */
const numbers = new Map<string, number>();
const states = new WeakMap<IndexInfo, number>();
let newest = 0;
let newestState = 0;

/** What a request says to have indices read as they were told of. */
export function infosByName(infos: readonly IndexInfo[]): IndexInfos {
  return new Map(infos.map((info) => [info.name, info]));
}

/** A number for how indices are told of: the same one until something about them changes. `indices` tells what is in force. */
export function rememberInfos(infos: readonly IndexInfo[], indices: Pick<Indices, 'info'>): number {
  if (infos.length === 0) return 0;
  const key = infos.map(stateOf).join(',');
  const known = numbers.get(key);
  if (known !== undefined) {
    recallInfos(known);
    return known;
  }
  const number = ++newest;
  numbers.set(key, number);
  memo.set(number, { key, infos: infosByName(infos) });
  if (memo.size > MOST_OUTDATED) evict(indices);
  return number;
}

/** What a number stands for, where that is remembered. */
export function recallInfos(number: number): IndexInfos | undefined {
  const found = memo.get(number);
  if (found === undefined) return undefined;
  memo.delete(number);
  memo.set(number, found);
  return found.infos;
}

function stateOf(info: IndexInfo): number {
  let state = states.get(info);
  if (state === undefined) states.set(info, (state = ++newestState));
  return state;
}

/** Forgets those that were used longest ago, where there are too many. O(what is remembered). */
function evict(indices: Pick<Indices, 'info'>): void {
  const past = [...memo].filter(([, { infos }]) =>
    [...infos].some(([name, info]) => indices.info(name) !== info),
  );
  const tooMany = past.slice(0, Math.max(0, past.length - MOST_OUTDATED));
  if (memo.size - tooMany.length > MOST_OF_ALL) tooMany.push(memo.entries().next().value!);
  for (const [number, { key }] of tooMany) {
    memo.delete(number);
    numbers.delete(key);
  }
}
