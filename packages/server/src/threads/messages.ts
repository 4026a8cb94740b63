// The messages between the writing thread and a reading thread: callers, answers for logs and metrics, and
// the end. Documents reach the reading thread by the engine's replica.

import type { MessagePort } from 'node:worker_threads';
import type { ReplicaLink } from '@octavo/engine';
import type { Principal } from '../access/callers/principal.ts';
import type { Sender, SenderOptions } from '../access/callers/sender-resolver.ts';
import type { LimitName } from '../limits.ts';
import type { ServerOptions } from '../wire/router/route.ts';

/** What a reading thread is started with. */
export interface ReadingThreadData {
  readonly port: MessagePort;
  readonly loan: ReplicaLink;
  /** The number of changes of keys, shared by all threads. */
  readonly callers: SharedArrayBuffer;
  /** The inlet of the writing thread, and the secret that it asks for. */
  readonly inlet: { readonly path: string; readonly secret: string };
  readonly place: { readonly host: string; readonly port: number };
  readonly options: ServerOptions;
  readonly limits: Readonly<Record<LimitName, number>>;
  readonly nodeId: string;
  /** The bytes of answers in flight, which all threads count together. */
  readonly answerBytes: SharedArrayBuffer;
  /** The trusted proxies as they were configured. */
  readonly trust: readonly string[];
  readonly senders: Omit<SenderOptions, 'trust'>;
  readonly unsafePublic: boolean;
  /** True where each answer is logged. */
  readonly logs: boolean;
  readonly memoryBytes: number | undefined;
}

/** A request that a reading thread has answered, for metrics and logs. */
export interface ReadingThreadAnswer {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Undefined where answers are not logged. */
  readonly line:
    | {
        readonly id: string;
        readonly url: string;
        readonly caller: string | undefined;
        readonly sender: Sender;
      }
    | undefined;
}

/** From a reading thread. */
export type ThreadMessage =
  | { readonly kind: 'listens' }
  | {
      readonly kind: 'failed';
      readonly error: { readonly message: string; readonly code: string | undefined };
    }
  | { readonly kind: 'answered'; readonly requests: readonly ReadingThreadAnswer[]; readonly open: number }
  | { readonly kind: 'defect'; readonly error: string }
  | { readonly kind: 'identify'; readonly authorization: string | undefined };

/** To a reading thread. */
export type HostMessage =
  | {
      readonly kind: 'caller';
      readonly authorization: string | undefined;
      /** Undefined if the writing thread has to answer the caller's requests: unknown keys, rates, web origins. */
      readonly principal: Principal | undefined;
      /** The number of changes of keys when the caller was looked up. */
      readonly change: number;
    }
  | { readonly kind: 'close' };
