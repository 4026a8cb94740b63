// What is an endpoint? A row: methods, path, the parameters it understands and a function from a call to a reply.
// One folder file per endpoint family exports its rows; `routes.ts` lists the families; `dispatch.ts` does the rest
// (parameters, bodies, filter_path, pretty, error bodies, media types).

import type { Engine, JsonObject, JsonValue } from '@octavo/engine';
import type { SyncSealer } from '@octavo/paging';
import type { Principal } from '../../access/callers/principal.ts';
import type { KeyStore } from '../../access/keys/key-store.ts';
import type { Connections } from '../../http/connections.ts';
import type { ReplyValue } from '../../json/reply-value.ts';
import type { Limits } from '../../limits.ts';
import type { MaybePromise } from '../../sync-first.ts';

/** What handlers are given beside the call. */
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
  readonly connections: Connections;
  /** Who asks; the engine is as they may have it. */
  readonly principal: Principal;
  /** The keys of the store, where there is one. */
  readonly keys: KeyStore | undefined;
}

/** Holds snapshots of the engine for pages that are asked for later (`search/walks/walk-snapshots.ts`). */
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

/** Query-string parameters of one call. Getters throw `illegal_argument_exception` in the peer's words. */
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

/** One request, its path matched. */
export interface Call {
  readonly method: string;
  /** The path as it came, undecoded, without the query string. */
  readonly uri: string;
  /** The query string as it came, without `?`. */
  readonly queryString: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Decoded path variables: `{index}` → path['index']. */
  readonly path: Readonly<Record<string, string>>;
  readonly params: Params;
  /** The raw body (or the `source` parameter's); empty when there is none. */
  readonly body: Uint8Array;
  readonly hasBody: boolean;
  /** The body as strict JSON (longs exact, duplicate keys refused); an empty body is undefined. */
  json(): JsonValue | undefined;
  /** The body as a JSON object, `{}` when empty; anything else is a parsing error. */
  object(): JsonObject;
  /** Aborted when the client goes away or the time is up. */
  readonly signal: AbortSignal;
  /** True once the client has gone away. For what is over before a signal would be made. */
  readonly isGone: boolean;
}

/** What goes back. A string body is plain text (`_cat`); everything else is JSON. */
export interface Reply {
  readonly status?: number;
  readonly body?: ReplyValue;
  /** JSON that is printed already. `pretty` and `filter_path` work on its text. */
  readonly bytes?: Buffer;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One endpoint. */
export interface Route {
  readonly methods: readonly ('GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'QUERY')[];
  /** `/{index}/_search`; literal segments win over variables. */
  readonly path: string;
  /** Parameters it understands beside the general ones (pretty, human, error_trace, filter_path, format, source, source_content_type). Others are 400. */
  readonly params: readonly string[];
  /** True where threads look at long bodies: they lie in shared memory then. */
  readonly sharesBody?: boolean;
  readonly handle: (call: Call, services: Services) => MaybePromise<Reply>;
}
