// What stands in every page of an index, whoever asks? Its shards, and what lies between the parts of hits: printed once for as
// long as the index is as it is.

import { type IndexInfo, type JsonObject, Piece } from '@octavo/engine';
import { printReply } from '../reply.ts';
import { searchShards } from '../shards.ts';

/** What ends a hit and begins the next one, by whether the first has a sort. */
export interface Next {
  readonly sorted: Piece;
  readonly plain: Piece;
}

/** The words of some indices. */
export interface TargetWords {
  readonly shards: string;
  readonly mappings: ReadonlyMap<string, JsonObject>;
  /** The beginning of a hit, by index. */
  readonly heads: ReadonlyMap<string, string>;
  readonly nexts: ReadonlyMap<string, Next>;
  /** True where sources are kept as they came. */
  readonly keepsWhole: boolean;
}

/** Of single indices; what is changed has another object. */
const known = new WeakMap<IndexInfo, TargetWords>();

/** REQUIRES: at least one index. */
export function wordsOf(infos: readonly IndexInfo[]): TargetWords {
  const [first] = infos;
  if (infos.length > 1) return wordsAnew(infos);
  let words = known.get(first!);
  if (words === undefined) known.set(first!, (words = wordsAnew(infos)));
  return words;
}

function wordsAnew(infos: readonly IndexInfo[]): TargetWords {
  const heads = new Map(infos.map(({ name }) => [name, `{"_index":${JSON.stringify(name)},"_id":`]));
  const next = (head: string): Next => ({ sorted: new Piece(`]},${head}`), plain: new Piece(`},${head}`) });
  return {
    shards: `,"_shards":${printReply(searchShards(infos)).toString()},"hits":{`,
    mappings: new Map(infos.map((info) => [info.name, info.mappings])),
    heads,
    nexts: new Map([...heads].map(([name, head]) => [name, next(head)])),
    keepsWhole: infos.every(({ mappings }) => mappings['_source'] === undefined),
  };
}
