// Which keys are valid now? All of them in memory, in the thread that serves: a look-up by id and one hash a request.
// What this server changes counts at once; what another process changes on the same store, after a short while.

import { type ApiKey, keysChangedSince, listKeys, type Records } from '@octavo/records';
import type { Principal } from '../callers/principal.ts';
import { knownScopes } from './grants.ts';
import { type Credentials, equalHashes, hashSecret } from './secrets.ts';

const POLL_MS = 2_000;
/** Changes are read again for so long, for the sake of clocks that differ. */
const OVERLAP_MS = 10_000;
const PAGE = 1_000;

/** Why credentials were refused, or whose they are. */
export type KeyVerdict = { readonly principal: Principal } | { readonly refused: string };

interface Entry {
  readonly key: ApiKey;
  readonly principal: Principal;
}

/** The keys of one store. */
export class KeyRing {
  readonly #records: Records;
  readonly #entries = new Map<string, Entry>();
  readonly #watchers: (() => void)[] = [];
  #newest = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  private constructor(records: Records) {
    this.#records = records;
  }

  /** Reads all keys and keeps up with changes until it is closed. */
  static async open(records: Records, pollMs: number = POLL_MS): Promise<KeyRing> {
    const ring = new KeyRing(records);
    for (let after: string | undefined; ; ) {
      const page: readonly ApiKey[] = await records.read(listKeys, { after, limit: PAGE });
      for (const key of page) ring.put(key);
      if (page.length < PAGE) break;
      after = page.at(-1)!.id;
    }
    ring.#timer = setInterval(() => void ring.#poll(), pollMs);
    ring.#timer.unref();
    return ring;
  }

  /** True while no key was ever made. Revoked and expired ones count: ending the last one opens nothing. */
  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Takes a key as it is now. */
  put(key: ApiKey): void {
    const before = this.#entries.get(key.id);
    if (before !== undefined && before.key.updatedAt > key.updatedAt) return;
    this.#newest = Math.max(this.#newest, key.updatedAt);
    this.#entries.set(key.id, { key, principal: principalOf(key) });
    for (const watcher of this.#watchers) watcher();
  }

  /** Calls the watcher whenever a key has changed, before anybody is told. */
  watch(watcher: () => void): void {
    this.#watchers.push(watcher);
  }

  /** Whose these credentials are. `now` in ms since 1970. O(1). */
  verify({ id, secret }: Credentials, now: number): KeyVerdict {
    const entry = this.#entries.get(id);
    // The same work for an unknown id: time tells nothing about which ids there are.
    const hash = hashSecret(secret);
    const { key } = entry ?? {};
    if (entry === undefined || key === undefined) return { refused: 'there is no such key' };
    const current = equalHashes(hash, key.hash);
    const previous =
      key.previousHash !== undefined && (key.previousUntil ?? 0) > now && equalHashes(hash, key.previousHash);
    if (!current && !previous) return { refused: 'there is no such key' };
    const ended = endReason(key, now);
    return ended === undefined ? { principal: entry.principal } : { refused: ended };
  }

  /** The principal of a key as it is now; undefined when it has ended. */
  principal(principalId: string, now: number): Principal | undefined {
    const entry = principalId.startsWith('key:') ? this.#entries.get(principalId.slice(4)) : undefined;
    return entry === undefined || endReason(entry.key, now) !== undefined ? undefined : entry.principal;
  }

  /** One key, ended or not. */
  get(id: string): ApiKey | undefined {
    return this.#entries.get(id)?.key;
  }

  /** All keys by id, ended ones with them. */
  all(): readonly ApiKey[] {
    return [...this.#entries.values()]
      .map(({ key }) => key)
      .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #poll(): Promise<void> {
    try {
      const time = Math.max(0, this.#newest - OVERLAP_MS);
      for (const key of await this.#records.read(keysChangedSince, { time })) {
        const known = this.#entries.get(key.id);
        if (known === undefined || known.key.updatedAt < key.updatedAt) this.put(key);
      }
    } catch {
      // The store is closing or away: the keys that are known go on being valid.
    }
  }
}

function endReason(key: ApiKey, now: number): string | undefined {
  if (key.revokedAt !== undefined) return 'the key is revoked';
  if (key.expiresAt !== undefined && key.expiresAt <= now) return 'the key has expired';
  return undefined;
}

/** What a key may do, as a caller. */
export function principalOf(key: ApiKey): Principal {
  return {
    id: `key:${key.id}`,
    name: key.name,
    scopes: knownScopes(key.scopes),
    indexPatterns: key.indexPatterns,
    documentFilter: key.documentFilter as Principal['documentFilter'],
    rate: key.rate,
    expiresAt: key.expiresAt,
  };
}
