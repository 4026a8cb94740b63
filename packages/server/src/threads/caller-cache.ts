// The callers of a reading thread, by their credentials. Only the writing thread can authenticate; its answer
// is cached for a second, and dropped by all threads as soon as any key changes. Requests of callers that are
// not cached are relayed to the writing thread.

import QuickLRU from 'quick-lru';
import { ANONYMOUS, type Principal } from '../access/callers/principal.ts';
import type { HostMessage, ThreadMessage } from './messages.ts';

/** An entry is refreshed after so long, ... */
const FRESH_MS = 500;
/** ... and expires after so long. */
const EXPIRY_MS = 1_000;
/** At least so many entries are kept, at most twice as many (quick-lru). */
const MOST = 500;

interface Entry {
  readonly principal: Principal | undefined;
  readonly change: number;
  readonly since: number;
  isRequested: boolean;
}

/** The callers of one thread, by their Authorization header. */
export class CallerCache {
  readonly #changes: Int32Array;
  readonly #send: (message: ThreadMessage) => void;
  readonly #entries = new QuickLRU<string, Entry>({ maxSize: MOST });
  readonly #now: () => number;

  /** `changes` is shared between threads: it counts changes of keys. */
  constructor(
    changes: SharedArrayBuffer,
    send: (message: ThreadMessage) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#changes = new Int32Array(changes);
    this.#send = send;
    this.#now = now;
  }

  /** The caller, if it is cached. Otherwise the writing thread is asked for it. */
  get(authorization: string | undefined): Principal | undefined {
    const key = authorization ?? '';
    const entry = this.#entries.get(key);
    const age = entry === undefined ? Number.POSITIVE_INFINITY : this.#now() - entry.since;
    if (entry === undefined || entry.change !== Atomics.load(this.#changes, 0) || age > EXPIRY_MS) {
      this.#request(key, authorization);
      return undefined;
    }
    if (age > FRESH_MS && !entry.isRequested) {
      entry.isRequested = true;
      this.#send({ kind: 'identify', authorization });
    }
    const { principal } = entry;
    return principal !== undefined && (principal.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now()
      ? principal
      : undefined;
  }

  /** Takes an answer of the writing thread. A caller that has not changed stays the same object. */
  put({ authorization, principal, change }: HostMessage & { kind: 'caller' }): void {
    const key = authorization ?? '';
    const before = this.#entries.get(key)?.principal;
    const isSame = before !== undefined && JSON.stringify(before) === JSON.stringify(principal);
    const own = principal?.id === ANONYMOUS.id ? ANONYMOUS : isSame ? before : principal;
    this.#entries.set(key, { principal: own, change, since: this.#now(), isRequested: false });
  }

  /** Asks the writing thread, once until it answers or the entry expires. */
  #request(key: string, authorization: string | undefined): void {
    const entry = this.#entries.get(key);
    const change = Atomics.load(this.#changes, 0);
    const isUnderWay = entry?.isRequested === true && entry.change === change;
    if (isUnderWay && this.#now() - entry.since < 2 * EXPIRY_MS) return;
    // A placeholder without a caller.
    this.#entries.set(key, { principal: undefined, change, since: this.#now(), isRequested: true });
    this.#send({ kind: 'identify', authorization });
  }
}

/** Expires all entries of all threads: a key has changed. */
export function noteCallerChange(changes: SharedArrayBuffer): void {
  Atomics.add(new Int32Array(changes), 0, 1);
}
