// Documents that come page by page: from the indices of this server, or from another server.

import type { Hit, JsonObject, JsonValue } from '@octavo/engine';

/** One document that was found. */
export type FoundDocument = Pick<Hit, 'index' | 'id' | 'type' | 'routing' | 'version' | 'seqNo' | 'source'>;

/** One page of them. */
export interface DocumentBatch {
  readonly total: number;
  readonly documents: readonly FoundDocument[];
  /** False after the last page. */
  readonly more: boolean;
}

/** Where pages come from. */
export interface FoundPages {
  /** The next page of at most `size` documents. The snapshot stays for at least `holdMs` after it. */
  next(size: number, holdMs: number): Promise<DocumentBatch>;
  close(): Promise<void>;
}

/** Another server, and what is read from it. */
export interface RemoteSource {
  /** Scheme, host, port, and the path before the endpoints. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly connectMs: number | undefined;
  readonly answerMs: number | undefined;
  readonly indices: readonly string[];
  /** `query`, `sort` and `_source` of the search. */
  readonly search: JsonObject & { readonly sort: JsonValue };
}

/** Access to other servers. */
export interface RemoteDocuments {
  /** Patterns of `host:port` that may be read from; none by default. */
  readonly allowed: readonly string[];
  open(source: RemoteSource, signal: AbortSignal): Promise<FoundPages>;
}

/** No access at all. */
export const NO_REMOTE: RemoteDocuments = {
  allowed: [],
  open: () => Promise.reject(new Error('no remote server may be read from')),
};
