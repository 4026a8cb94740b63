// Who sends a request to a reading thread? The writing thread knows; what it said is remembered for a second, and forgotten
// by all threads as soon as any key changes. Whoever is not known at once is the writing thread's to answer.

import QuickLRU from 'quick-lru';
import { ANONYMOUS, type Principal } from '../access/callers/principal.ts';
import type { HostMessage, ThreadMessage } from './messages.ts';

/** So long after it was said, it is asked again, ... */
const FRESH_MS = 500;
/** ... and so long it is believed. */
const BELIEVED_MS = 1_000;
/** At least so many are kept, at most twice as many. */
const MOST = 500;

interface Known {
  readonly principal: Principal | undefined;
  readonly change: number;
  readonly since: number;
  isAsked: boolean;
}

/** The callers of a thread, by what they show. */
export class CallerCache {
  readonly #changes: Int32Array;
  readonly #tell: (message: ThreadMessage) => void;
  readonly #known = new QuickLRU<string, Known>({ maxSize: MOST });
  readonly #now: () => number;

  /** `changes` is shared: it counts changes of keys. */
  constructor(
    changes: SharedArrayBuffer,
    tell: (message: ThreadMessage) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#changes = new Int32Array(changes);
    this.#tell = tell;
    this.#now = now;
  }

  /** The caller, where it is known at once. */
  get(authorization: string | undefined): Principal | undefined {
    const key = authorization ?? '';
    const known = this.#known.get(key);
    const age = known === undefined ? Number.POSITIVE_INFINITY : this.#now() - known.since;
    if (known === undefined || known.change !== Atomics.load(this.#changes, 0) || age > BELIEVED_MS) {
      this.#ask(key, authorization);
      return undefined;
    }
    if (age > FRESH_MS && !known.isAsked) {
      known.isAsked = true;
      this.#tell({ kind: 'who', authorization });
    }
    const { principal } = known;
    return principal !== undefined && (principal.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now()
      ? principal
      : undefined;
  }

  /** Takes what the writing thread says. What it knew of a caller that has not changed stays the same object. */
  put({ authorization, principal, change }: HostMessage & { kind: 'caller' }): void {
    const key = authorization ?? '';
    const before = this.#known.get(key)?.principal;
    const isSame = before !== undefined && JSON.stringify(before) === JSON.stringify(principal);
    const own = principal?.id === ANONYMOUS.id ? ANONYMOUS : isSame ? before : principal;
    this.#known.set(key, { principal: own, change, since: this.#now(), isAsked: false });
  }

  /** Once for a time: nothing is known of it until there is an answer. */
  #ask(key: string, authorization: string | undefined): void {
    const known = this.#known.get(key);
    const change = Atomics.load(this.#changes, 0);
    const isUnderWay = known?.isAsked === true && known.change === change;
    if (isUnderWay && this.#now() - known.since < 2 * BELIEVED_MS) return;
    // Stands for nobody.
    this.#known.set(key, { principal: undefined, change, since: this.#now(), isAsked: true });
    this.#tell({ kind: 'who', authorization });
  }
}

/** Says that a key has changed; nothing that was said of callers before counts from here on. */
export function noteCallerChange(changes: SharedArrayBuffer): void {
  Atomics.add(new Int32Array(changes), 0, 1);
}
