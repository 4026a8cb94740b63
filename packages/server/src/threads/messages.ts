// What do the writing thread and one that reads tell each other? Documents go another way (the engine's loan); here are callers,
// figures, and the end.

import type { MessagePort } from 'node:worker_threads';
import type { Loan } from '@octavo/engine';
import type { Principal } from '../access/callers/principal.ts';
import type { Sender, SenderOptions } from '../access/callers/senders.ts';
import type { LimitName } from '../limits.ts';
import type { ServerOptions } from '../wire/router/route.ts';

/** What a reading thread is started with. */
export interface ThreadData {
  readonly port: MessagePort;
  readonly loan: Loan;
  /** How often what is known of callers has changed: one number that all threads see. */
  readonly callers: SharedArrayBuffer;
  /** Where the writing thread takes requests, and the word by which it knows who brings them. */
  readonly inlet: { readonly path: string; readonly secret: string };
  readonly place: { readonly host: string; readonly port: number };
  readonly options: ServerOptions;
  readonly limits: Readonly<Record<LimitName, number>>;
  readonly nodeId: string;
  /** Proxies as they were named, to be read again. */
  readonly trust: readonly string[];
  readonly senders: Omit<SenderOptions, 'trust'>;
  readonly unsafePublic: boolean;
  /** True where each answer is written down. */
  readonly logs: boolean;
  readonly memoryBytes: number | undefined;
}

/** A request that was answered here, for figures and logs. */
export interface ThreadAnswer {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Where it is written down. */
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
  | { readonly kind: 'answered'; readonly requests: readonly ThreadAnswer[]; readonly open: number }
  | { readonly kind: 'defect'; readonly error: string }
  | { readonly kind: 'who'; readonly authorization: string | undefined };

/** To a reading thread. */
export type HostMessage =
  | {
      readonly kind: 'caller';
      readonly authorization: string | undefined;
      /** Undefined for whom the writing thread has to say something to. */
      readonly principal: Principal | undefined;
      /** When it was looked up. */
      readonly change: number;
    }
  | { readonly kind: 'close' };
