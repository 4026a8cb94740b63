// What does one search ask, and what comes back? The engine's side of `_search`, free of HTTP.

import type { IndexInfo } from '../../api.ts';
import type { JsonWriter } from '../../json/json-writer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';

/** A search over one or more indices. Everything is optional but `indices`; bodies are parsed by `parseSearch`. */
export interface SearchRequest {
  /** Index names, resolved: no wildcards, no aliases. Alias filters travel in `filters`. */
  readonly indices: readonly string[];
  /** Extra filter per index (from filtered aliases, types and keys), as query JSON. */
  readonly filters?: ReadonlyMap<string, JsonObject>;
  readonly query?: JsonObject;
  readonly postFilter?: JsonObject;
  readonly from?: number;
  readonly size?: number;
  /** As in the body: array of field names and single-field objects, or one of them. */
  readonly sort?: JsonValue;
  readonly searchAfter?: readonly JsonValue[];
  /** Octavo's own: the id that breaks ties after searchAfter, from a token. */
  readonly searchAfterId?: string;
  /** Octavo's own: the index of that id, where several are searched. */
  readonly searchAfterIndex?: string;
  /** Walk towards the start: hits come back in list order. Used by prev tokens. */
  readonly backwards?: boolean;
  /** Scrolls and other walks over a snapshot: `index.max_result_window` does not bind them. */
  readonly ignoreWindow?: boolean;
  readonly trackScores?: boolean;
  readonly minScore?: number;
  readonly terminateAfter?: number;
  readonly timeoutMs?: number;
  /** True (exact), false (none) or a cap: the reply says `gte` above it. Default true: counting is cheap here. */
  readonly trackTotalHits?: boolean | number;
  readonly explain?: boolean;
  /** Also the scores of named queries: `Hit.matchedScores`. */
  readonly namedScores?: boolean;
  readonly collapse?: JsonObject;
  /** One of `max` parts, by a hash of `_id` or of a number; `walk` says whose setting limits `max`. */
  readonly slice?: {
    readonly id: number;
    readonly max: number;
    readonly field?: string;
    readonly walk: 'scroll' | 'pit';
  };
  /** The snapshot to search; the newest refreshed one by default. */
  readonly snapshot?: number;
  /** What `now` means, in milliseconds since 1970; the time of the search by default. All pages of a walk by rank share one. */
  readonly now?: number;
  /**
   * How indices are read, by name, as `indices.info` has told before: their mappings, settings and aliases. As they are now by
   * default. All pages of a walk by rank share one.
   */
  readonly as?: ReadonlyMap<string, IndexInfo>;
  /** Ends the search early when aborted. */
  readonly signal?: AbortSignal;
  /** Octavo's own, cheaper than a signal: looked at between slices, the search ends when it is gone. */
  readonly caller?: { readonly isGone: boolean };
  /**
   * Octavo's own: requests with the same object differ in nothing but `from`, `size`, `searchAfter`, `searchAfterId`,
   * `searchAfterIndex`, `backwards`, `snapshot`, `now`, `as`, `timeoutMs`, `signal` and `caller`. What can be known of them is kept.
   */
  readonly shape?: object;
}

/** A value in a hit's `sort`. Longs that a double cannot hold are bigints. */
export type SortValue = null | boolean | number | bigint | string;

/** One hit. `source` is the stored bytes, spliced into replies as they are. */
export interface Hit {
  readonly index: string;
  readonly id: string;
  readonly type: string;
  readonly routing: string | undefined;
  /** NaN where scores were not asked for. */
  readonly score: number;
  readonly sort: readonly SortValue[] | undefined;
  /** The same without formats, for tokens: a formatted date may have lost its time. Present where it differs. */
  readonly cursor?: readonly SortValue[];
  readonly seqNo: number;
  readonly version: number;
  readonly source: Uint8Array;
  /** Names of `_name`d queries that match, where any were given. */
  readonly matchedQueries: readonly string[] | undefined;
  /** Their scores, in the same order, where the request asked for them: each query on its own, with its own boost. */
  readonly matchedScores?: readonly number[];
  /** Paths of values that were left out of the index (`_ignored`), ascending; absent when there are none. */
  readonly ignored?: readonly string[];
  /**
   * Doc values by path, for docvalue_fields and fields; formats applied by the caller. Only in the turn of the event loop in
   * which the hit was found: what they lie in may go.
   */
  docValues(path: string, format?: string): SortValue[];
}

export interface SearchResult {
  readonly timedOut: boolean;
  readonly terminatedEarly: boolean | undefined;
  /** Undefined when the request asked for none. */
  readonly total: { readonly value: number; readonly relation: 'eq' | 'gte' } | undefined;
  readonly maxScore: number | undefined;
  readonly hits: readonly Hit[];
  /** True when there is at least one more hit after the last one, in list order. */
  readonly more: boolean;
  /** True when there is at least one hit before the first one, in list order. */
  readonly moreBefore: boolean;
  /** The commit number that was searched. */
  readonly snapshot: number;
}

/**
 * A page, read where it lies: the ids, sort keys and sources of its hits are not copied before they are written. Valid only while
 * the reader that `Engine.searchPage` hands it to runs, as the memory behind it may be used again afterwards. Hits are named by
 * their place on the page, from 0.
 */
export interface SearchPage extends Omit<SearchResult, 'hits'> {
  readonly count: number;
  /** False where a hit has more to it than index, id, score, sort and source. O(hits). */
  readonly isPlain: boolean;
  /** True where hits have sort values. */
  readonly isSorted: boolean;
  /** Touches what hits [from, to) are made of, so that their cache misses overlap. They are to be written next, in their order. */
  prefetch(from: number, to: number, printer: SortPrinter): void;
  index(hit: number): string;
  /** NaN where scores were not asked for. */
  score(hit: number): number;
  /** Writes the source as it was stored. */
  putSource(hit: number, out: JsonWriter): void;
  /** Writes the id as a JSON string. */
  putId(hit: number, out: JsonWriter): void;
  /** Writes the values of its sort. REQUIRES: isSorted. */
  putSort(hit: number, printer: SortPrinter, out: JsonWriter): void;
  /** The position of a hit in the list, as tokens hold it. */
  position(hit: number): HitPosition;
  /** The page as objects that own what they hold, except for doc values (see `Hit.docValues`). O(bytes of the hits). */
  result(): SearchResult;
}

/** Prints the sort values of documents. What it prints may be kept, and shown again for it or another with the same key. */
export interface SortPrinter {
  /** Printers with equal keys print equal values of equal sorts alike. */
  readonly key: string;
  put(values: SortValues, out: JsonWriter): void;
}

/** The sort values of a document, which are another's after `SortPrinter.put`. */
export interface SortValues {
  readonly length: number;
  /** Writes a value as a JSON string, where it is one that lies there as bytes; false where nothing was written. */
  putText(entry: number, out: JsonWriter): boolean;
  value(entry: number): SortValue;
}

/** The position of a hit in its list; `sort` without formats. */
export type HitPosition = Pick<Hit, 'id' | 'index' | 'score' | 'sort'>;
