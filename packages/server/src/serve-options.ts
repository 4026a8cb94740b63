// The options of a server, for the command line and for programs that embed it.

import type { Records } from '@octavo/records';
import type { Authenticate } from './access/admission.ts';
import type { SenderOptions } from './access/callers/sender-resolver.ts';
import type { JwtOptions } from './access/jwt/jwt-verifier.ts';
import type { Rate } from './access/limits/rate-limiter.ts';
import type { Resource } from './api/resource.ts';
import type { LimitName } from './limits.ts';
import type { LogLevel, LogStream } from './observe/request-log.ts';
import type { PeerCluster } from './proxy/client/peer-cluster.ts';
import type { RecordsNotes } from './records-notes.ts';
import type { ServerOptions } from './wire/router/route.ts';

/** What can be set on a server. Everything has a default. */
export interface ServeOptions extends SenderOptions {
  readonly compat?: ServerOptions['compat'];
  readonly clusterName?: string;
  readonly nodeName?: string;
  /** Web origins that may call, such as `http://localhost:5173`. @default none */
  readonly corsOrigins?: readonly string[];
  /**
   * True answers on hosts other than loopback while there are no keys: then everybody who reaches the server
   * may do everything.
   */
  readonly unsafePublic?: boolean;
  /** False refuses page tokens that callers built themselves. @default true */
  readonly openTokens?: boolean;
  /** Patterns of `host:port` that `_reindex` may read documents from, such as `10.0.0.5:9200`. @default none */
  readonly reindexFrom?: readonly string[];
  /** Limits in place of the defaults. Those that the engine has too (`engine-limits.ts`) are set there as well. */
  readonly limits?: Partial<Record<LimitName, number>>;
  /**
   * Where the documents are, if not in the engine; the engine is `documentsElsewhere()` then. Closing the
   * server closes the cluster.
   */
  readonly cluster?: PeerCluster | undefined;
  /** Feeds, chats, accounts, keys, events. Without records `/api` has only the resources of the server itself. */
  readonly records?: Records | undefined;
  /** Notes in the catalog how far the records have come. */
  readonly notes?: RecordsNotes | undefined;
  /** The resources of `/api` that are over records. @default RESOURCES of api/resources.ts */
  readonly resources?: readonly Resource[];
  /** Authenticates a request. By default the keys of the records do; callers are anonymous while there are none. */
  readonly authenticate?: Authenticate;
  /**
   * While this gives a sentence, what it says is still being loaded: requests get 503 with Retry-After, except for
   * those that need no key. @default the server has started
   */
  readonly starting?: () => string | undefined;
  /** Issuers whose JWTs are accepted beside keys. */
  readonly jwt?: JwtOptions | undefined;
  /** True while there are no keys: then only this machine may send requests. By default the records are asked. */
  readonly keyless?: () => boolean;
  /** True refuses requests that move money without an Idempotency-Key. @default false */
  readonly requireIdempotencyKeys?: boolean;
  /** True lets webhooks reach this machine and private networks. @default false */
  readonly webhookAllowPrivate?: boolean;
  /** Milliseconds before a webhook is called again; growing waits by default. */
  readonly webhookDelay?: (failures: number) => number;
  /** The rate of callers that have none of their own. @default no limit */
  readonly rate?: Rate | undefined;
  /** Certificate and key as PEM: then the server speaks HTTPS only. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** @default 'error' */
  readonly logLevel?: LogLevel;
  /** @default stderr */
  readonly logStream?: LogStream;
}
