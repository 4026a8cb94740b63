// What can a program do with the engine? The public face: indices, documents, searches, snapshots.

import type { EngineError } from './errors.ts';
import type { JsonWriter } from './json/json-writer.ts';
import type { JsonObject, JsonValue } from './json/value.ts';

/** One write. `source` is the document as bytes (UTF-8 JSON); it is copied before the call returns. */
export interface WriteOp {
  readonly kind: 'index' | 'create' | 'update' | 'delete';
  /** An index or an alias with one write index; created on first use unless `requireAlias`. */
  readonly index: string;
  /** Given by the engine (20 URL-safe characters) where missing. */
  readonly id?: string;
  /** `_type` of a typed path; '_doc' by default. */
  readonly type?: string;
  readonly routing?: string;
  readonly source?: Uint8Array;
  readonly update?: UpdateSpec;
  readonly ifSeqNo?: number;
  readonly ifPrimaryTerm?: number;
  readonly version?: number;
  readonly versionType?: 'internal' | 'external' | 'external_gte';
  readonly requireAlias?: boolean;
}

/** A partial update. */
export interface UpdateSpec {
  readonly doc?: Uint8Array;
  readonly upsert?: Uint8Array;
  readonly docAsUpsert?: boolean;
  /** Default true: an update that changes nothing writes nothing. */
  readonly detectNoop?: boolean;
  readonly retryOnConflict?: number;
  /** False: nobody will look at `source` of the result. @default true */
  readonly wantsSource?: boolean;
}

/** What became of a write. Failed items carry an error and have changed nothing. */
export interface WriteResult {
  /** The concrete index. */
  readonly index: string;
  readonly id: string;
  readonly type: string;
  readonly result: 'created' | 'updated' | 'deleted' | 'noop' | 'not_found' | 'error';
  readonly version: number;
  readonly seqNo: number;
  readonly error: EngineError | undefined;
  /** The new source after an update, unless it is not wanted (for `_source` on `_update`). */
  readonly source: Uint8Array | undefined;
}

/** A stored document. */
export interface StoredDoc {
  readonly index: string;
  readonly id: string;
  readonly type: string;
  readonly routing: string | undefined;
  readonly version: number;
  readonly seqNo: number;
  readonly source: Uint8Array;
  /** Paths of values that were left out of the index (`_ignored`), ascending; absent when there are none. */
  readonly ignored?: readonly string[];
}

/** An alias of an index. */
export interface AliasSpec {
  readonly filter?: JsonObject;
  readonly indexRouting?: string;
  readonly searchRouting?: string;
  readonly isWriteIndex?: boolean;
  readonly isHidden?: boolean;
}

/**
 * What the catalog holds of an index. Settings are flat, without nesting: `index.number_of_shards` → '1'; a list is
 * the compact JSON text of its strings: `index.analysis.analyzer.a.filter` → '["lowercase","stop"]'.
 */
export interface IndexInfo {
  readonly name: string;
  readonly uuid: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly state: 'open' | 'close';
  readonly settings: Readonly<Record<string, string>>;
  /** The whole mapping as the wire shows it: `{dynamic?, properties?, _meta?, …}`. */
  readonly mappings: JsonObject;
  readonly aliases: Readonly<Record<string, AliasSpec>>;
}

/** Figures of an index. */
export interface IndexStats {
  readonly docCount: number;
  readonly deletedCount: number;
  readonly segments: number;
  readonly sourceBytes: number;
  readonly diskBytes: number;
  readonly memoryBytes: number;
  /** Leases that were opened for this index, by kind; one that has just run out may be counted for a second. */
  readonly leases: Readonly<Record<string, number>>;
}

/** A pinned snapshot: versions that it sees are kept until it is released or runs out. */
export interface Lease {
  readonly id: string;
  readonly snapshot: number;
  readonly expiresAt: number;
  /** What the owner keeps with it: query, position. Counted against the 1 KB budget. */
  state: JsonValue;
}

/** How a lease is opened. */
export interface LeaseOptions {
  readonly kind: string;
  readonly keepAliveMs: number;
  readonly snapshot?: number;
  readonly state?: JsonValue;
  readonly indices?: readonly string[];
}

/** Indices, by concrete name. The wire resolves wildcards and aliases with `names` and `info`. */
export interface Indices {
  names(): string[];
  /** Frozen, and the same object until something about the index changes. */
  info(name: string): IndexInfo | undefined;
  stats(name: string): IndexStats;
  create(
    name: string,
    body: { settings?: Record<string, string>; mappings?: JsonObject; aliases?: Record<string, AliasSpec> },
  ): Promise<IndexInfo>;
  delete(names: readonly string[]): Promise<void>;
  /** Adds to the mappings of indices: of all of them, or of none where one refuses it. */
  putMapping(names: readonly string[], mappings: JsonObject): Promise<void>;
  /** A null value removes a setting. */
  putSettings(name: string, settings: Record<string, string | null>): Promise<void>;
  /** All or nothing. */
  updateAliases(
    actions: readonly (
      | { add: { index: string; alias: string; spec: AliasSpec } }
      | { remove: { index: string; alias: string } }
      | { removeIndex: { index: string } }
    )[],
  ): Promise<void>;
  setState(name: string, state: 'open' | 'close'): Promise<void>;
  /** Moves the searched snapshot of an index to the newest commit (a no-op unless refresh_interval is -1). */
  refresh(names: readonly string[]): Promise<void>;
  /** Seals the tail: everything is in segments afterwards. */
  flush(names: readonly string[]): Promise<void>;
  forceMerge(names: readonly string[], maxSegments: number): Promise<void>;
  /** Runs an analyzer: by name, by field, or custom as `_analyze` bodies have it. */
  analyze(index: string | undefined, body: JsonObject): JsonObject;
}

/** Small named JSON documents kept in the catalog: templates, cluster settings, and what else the wire must remember. */
export interface Settings {
  get(kind: string, name: string): JsonValue | undefined;
  list(kind: string): ReadonlyMap<string, JsonValue>;
  put(kind: string, name: string, value: JsonValue): Promise<void>;
  remove(kind: string, name: string): Promise<boolean>;
}

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

/**
 * A place in the feed of changes. Commits follow each other by number; within one, changes lie by `item`. Without `item`
 * it is the end of the commit. `{commit: 0}` is the beginning.
 */
export interface ChangePosition {
  readonly commit: number;
  readonly item?: number;
}

/** What one commit did to one document. */
export interface Change {
  readonly commit: number;
  /** Place in the commit: the sequence number. Changes of several indices may share one; a batch never parts them. */
  readonly item: number;
  /** The concrete index. `index` and `seqNo` together name a change for ever. */
  readonly index: string;
  readonly id: string;
  /** `_type` of a typed path; else '_doc'. */
  readonly type: string;
  readonly kind: 'index' | 'delete';
  readonly seqNo: number;
  readonly version: number;
}

/** Changes in the order of their commits. */
export interface ChangeBatch {
  readonly changes: readonly Change[];
  /** Where to go on: `after` of the next call. It moves on even where there was nothing to tell. */
  readonly next: ChangePosition;
  /** Is there more already? An empty batch may have more behind it (changes of indices that are gone). */
  readonly more: boolean;
  /**
   * From this commit on nothing is missing (looked for no further back than `after`). Of older commits the log keeps the
   * newest change of every document that is alive, and forgets what was replaced or deleted since: a follower for whom
   * `after.commit + 1 < completeFrom` has missed deletions, and must compare what it has with what there is.
   */
  readonly completeFrom: number;
}

/** A file of a copy. */
export interface CopiedFile {
  /** Relative to the data directory, with `/` between folders. */
  readonly name: string;
  readonly bytes: number;
  /** From its beginning, in pieces of at most 1 MiB. Ends early only by throwing. */
  read(): Iterable<Uint8Array>;
}

/** All documents, mappings and settings as they were at one commit. Writes go on meanwhile; its bytes stay as they are. */
export interface DataCopy {
  readonly commit: number;
  readonly files: readonly CopiedFile[];
  close(): Promise<void>;
}

/** The engine. All methods throw `EngineError` for what a caller did wrong. */
export interface Engine {
  readonly indices: Indices;
  readonly settings: Settings;
  /** Durable and searchable when it resolves. Results are in the order of the ops; an op that fails, fails alone. */
  write(ops: readonly WriteOp[]): Promise<WriteResult[]>;
  /** Realtime by default: sees every acknowledged write, refreshed or not. */
  get(index: string, id: string, options?: { realtime?: boolean }): StoredDoc | undefined;
  /** The page of a search as objects. */
  search(request: SearchRequest): Promise<SearchResult>;
  /**
   * Finds the page of a search and hands it to `read` while what it lies in stays. Answers in the same call where the search is over
   * within one time slice (2 ms), and with a promise where it goes on in later ones; throws or rejects as `search` does.
   */
  searchPage<R>(request: SearchRequest, read: (page: SearchPage) => R | Promise<R>): R | Promise<R>;
  count(request: SearchRequest): Promise<number>;
  /** The newest searchable commit. */
  snapshot(): number;
  /**
   * What was committed after a position (a number is the end of that commit): all of a commit, or as far as `limit`
   * goes (1 to 10,000, 1,000 by default; changes that share an item are not parted). Costs what is read, wherever the
   * position is; what was written a short while ago comes from memory. Throws `illegal_argument_exception`.
   */
  changes(after: number | ChangePosition, options?: { limit?: number }): Promise<ChangeBatch>;
  /** Calls the listener after each commit, or group of commits, that is durable and visible, with the newest number. Returns how to stop. */
  onCommit(listener: (commit: number) => void): () => void;
  /** Pins a snapshot (the newest by default). `indices` count it among their figures. */
  openLease(options: LeaseOptions): Lease;
  /** Undefined when it is closed or has run out. Extends its life where `keepAliveMs` is given. */
  lease(id: string, keepAliveMs?: number): Lease | undefined;
  closeLease(id: string): boolean;
  leases(kind?: string): Lease[];
  /** Checks every frame, segment and table; one line per finding, empty when all is well. */
  verify(onProgress?: (done: number, total: number) => void): Promise<string[]>;
  /**
   * Opens a copy of everything at the newest commit: files that make up a data directory once they are written under
   * their names. O(files) to open; holds a file descriptor for each until it is closed.
   */
  copy(): Promise<DataCopy>;
  /** Finishes what is being written, closes files, releases the data directory. */
  close(): Promise<void>;
}
