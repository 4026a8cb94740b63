// Remembers the states of indices for scrolls, whose pages all read the indices as they were at the first
// page. A scroll keeps a number, because the state may be a whole mapping; only the last states are
// remembered. A scroll that outlives its state reads the indices as they are.

import type { IndexInfo, Indices, SearchRequest } from '@octavo/engine';

/** The states of indices by name (see `SearchRequest.as`). */
type IndexInfos = NonNullable<SearchRequest['as']>;

/** So many outdated states are kept: a mapping of a thousand fields takes half a megabyte. */
const MOST_OUTDATED = 32;
/** So many states are kept in all: the current ones are in memory anyway. */
const MOST_OF_ALL = 1_024;

interface Remembered {
  readonly key: string;
  readonly infos: IndexInfos;
}

/** Sets of states by number, the last used at the end. */
const memo = new Map<number, Remembered>();
/** The number of each set, by the numbers of its states. */
const numbers = new Map<string, number>();
const states = new WeakMap<IndexInfo, number>();
let newest = 0;
let newestState = 0;

/** The states of indices, for a request. */
export function infosByName(infos: readonly IndexInfo[]): IndexInfos {
  return new Map(infos.map((info) => [info.name, info]));
}

/** A number for the states of some indices, the same until one of them changes. `indices` has the current states. */
export function rememberInfos(infos: readonly IndexInfo[], indices: Pick<Indices, 'info'>): number {
  if (infos.length === 0) return 0;
  const key = infos.map(stateOf).join(',');
  const existing = numbers.get(key);
  if (existing !== undefined) {
    recallInfos(existing);
    return existing;
  }
  const number = ++newest;
  numbers.set(key, number);
  memo.set(number, { key, infos: infosByName(infos) });
  if (memo.size > MOST_OUTDATED) evict(indices);
  return number;
}

/** The states behind a number; undefined if they are forgotten. */
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

/** Drops the sets that were used longest ago, if there are too many. O(all sets). */
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
