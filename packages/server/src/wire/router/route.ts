// An endpoint of the search wire is a route: methods, path, the parameters it understands, and a function
// from a call to a reply. Each family of endpoints exports its routes; `routes.ts` lists them; `wire.ts` does
// what all share.

import { type Engine, type JsonObject, type JsonValue, startSliced } from '@octavo/engine';
import type { SyncSealer } from '@octavo/paging';
import type { Principal } from '../../access/callers/principal.ts';
import type { KeyStore } from '../../access/keys/key-store.ts';
import type { AnswerBytes } from '../../access/limits/answer-bytes.ts';
import type { Connections } from '../../http/connections.ts';
import type { ReplyValue } from '../../json/reply-value.ts';
import type { Limits } from '../../limits.ts';
import type { MaybePromise } from '../../sync-first.ts';
import type { RemoteDocuments } from './document-pages.ts';
import type { StreamedList } from './streamed-list.ts';
import type { TaskLog } from './task-log.ts';

/** What endpoints use besides their calls. */
export interface Services {
  readonly engine: Engine;
  readonly options: ServerOptions;
  readonly limits: Limits;
  /** 22 URL-safe characters, as the peer's node ids; shown in shard failures and `_cat`. */
  readonly nodeId: string;
  /** Seals and opens page tokens. */
  readonly sealer: SyncSealer;
  /** Snapshots that pages in score order stand on. */
  readonly snapshots: SnapshotHolder;
  /** Other servers that `_reindex` may read from. */
  readonly remote: RemoteDocuments;
  /** Long operations that run. */
  readonly tasks: TaskLog;
  readonly connections: Connections;
  readonly answerBytes: AnswerBytes;
  /** The caller. The engine shows and does only what the caller may. */
  readonly principal: Principal;
  /** The keys of the records; undefined without records. */
  readonly keys: KeyStore | undefined;
}

/** Holds snapshots of the engine for later pages (`search/leases/snapshot-leases.ts`). */
export interface SnapshotHolder {
  /** Holds a snapshot while `work` runs. `keep` holds it on for the next page. */
  during<T>(snapshot: number, work: (keep: () => void) => MaybePromise<T>): MaybePromise<T>;
  /** Throws where a snapshot can no longer be searched. */
  require(snapshot: number): void;
}

/** How the server presents itself and what it allows. */
export interface ServerOptions {
  readonly compat: 'opensearch' | 'elasticsearch';
  readonly clusterName: string;
  readonly nodeName: string;
  /** Whether page tokens that callers build themselves are accepted. */
  readonly openTokens?: boolean;
}

/** The query string of one call. Getters throw `illegal_argument_exception` with the peer's message. */
export interface Params {
  has(name: string): boolean;
  string(name: string): string | undefined;
  /** Comma-separated. */
  list(name: string): string[] | undefined;
  /** `true`, `false` or empty (true). */
  boolean(name: string): boolean | undefined;
  integer(name: string): number | undefined;
  number(name: string): number | undefined;
  /** Durations such as `1m`, `500ms`, in milliseconds. */
  millis(name: string): number | undefined;
}

/** One request whose route has been found. */
export interface Call {
  readonly method: string;
  /** The path as it came, undecoded, without the query string. */
  readonly uri: string;
  /** The query string as it came, without `?`. */
  readonly queryString: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Path variables, decoded: `{index}` → path['index']. */
  readonly path: Readonly<Record<string, string>>;
  readonly params: Params;
  /** The body, or the value of the `source` parameter; empty if there is none. */
  readonly body: Uint8Array;
  readonly hasBody: boolean;
  /** The body as strict JSON (longs exact, duplicate keys refused); an empty body is undefined. */
  json(): JsonValue | undefined;
  /** The body as a JSON object, `{}` when empty; anything else is a parsing error. */
  object(): JsonObject;
  /** Aborted when the client closes the connection. */
  readonly signal: AbortSignal;
  /** True once the client has gone, or has ended its side of the connection. Cheaper than `signal` for work that ends soon. */
  readonly hasHungUp: boolean;
}

/**
 * A reply: plain text (`_cat`), JSON that is printed already, a tree that is printed as JSON, or a list that is made part
 * by part while the client reads.
 */
export interface Reply {
  readonly status?: number;
  readonly body?: ReplyValue;
  /** JSON that is printed already. `pretty` and `filter_path` work on its text. */
  readonly bytes?: Buffer;
  readonly text?: string;
  readonly list?: StreamedList;
  readonly headers?: Readonly<Record<string, string>>;
  /** True for the body of an error, which `filter_path` leaves whole. */
  readonly isError?: boolean;
  /** The indices that are not part of the reply because they failed. */
  readonly failedIndices?: ReadonlySet<string>;
}

/** Makes a reply in steps of a few hundred microseconds. */
export type ReplySteps = Generator<void, Reply, undefined>;

/** One endpoint. */
export interface Route {
  readonly methods: readonly ('GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'QUERY')[];
  /** `/{index}/_search`; literal segments win over variables. */
  readonly path: string;
  /** Parameters beside the general ones (`GENERAL_PARAMS`). Others are refused with 400. */
  readonly params: readonly string[];
  /** Throws for mistakes in the body. The peer tells them before unknown parameters. */
  readonly checkBody?: (call: Call) => void;
  /** Steps are run in slices, between which the event loop turns. */
  readonly handle: (call: Call, services: Services) => MaybePromise<Reply> | ReplySteps;
}

/** Calls an endpoint. */
export function callEndpoint(handle: Route['handle'], call: Call, services: Services): MaybePromise<Reply> {
  const reply = handle(call, services);
  return 'next' in reply ? startSliced(reply) : reply;
}
