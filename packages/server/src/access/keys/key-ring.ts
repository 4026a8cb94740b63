// All keys in memory, in the serving thread: a request costs one lookup and one hash. Changes made by this
// server apply immediately, those of other processes on the same store after a poll.

import { type ApiKey, type KeysetPage, keysChangedSince, listKeys, type Records } from '@octavo/records';
import type { Principal } from '../callers/principal.ts';
import { knownScopes } from './grants.ts';
import { type Credentials, equalHashes, hashSecret } from './secrets.ts';

const POLL_MS = 2_000;
/** Changes are re-read for this long, since clocks differ. */
const OVERLAP_MS = 10_000;
const PAGE = 1_000;

/** The principal of credentials, or why they are refused. */
type KeyVerdict = { readonly principal: Principal } | { readonly refused: string };

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

  /** Reads all keys and polls for changes until it is closed. */
  static async open(records: Records, pollMs: number = POLL_MS): Promise<KeyRing> {
    const ring = new KeyRing(records);
    for (let after: string | undefined; ; ) {
      const page: KeysetPage<ApiKey> = await records.read(listKeys, { after, limit: PAGE });
      for (const key of page.rows) ring.put(key);
      if (!page.hasNext) break;
      after = page.rows.at(-1)!.id;
    }
    ring.#timer = setInterval(() => void ring.#poll(), pollMs);
    ring.#timer.unref();
    return ring;
  }

  /**
   * True if there never was a key. Revoked and expired keys count: revoking the last one does not open the
   * server.
   */
  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Stores the present state of a key. */
  put(key: ApiKey): void {
    const before = this.#entries.get(key.id);
    if (before !== undefined && before.key.updatedAt > key.updatedAt) return;
    this.#newest = Math.max(this.#newest, key.updatedAt);
    this.#entries.set(key.id, { key, principal: principalOf(key) });
    for (const watcher of this.#watchers) watcher();
  }

  /** Calls the watcher after every change of a key, before the change is answered. */
  watch(watcher: () => void): void {
    this.#watchers.push(watcher);
  }

  /** Verifies credentials. `now` in ms since 1970. O(1). */
  verify({ id, secret }: Credentials, now: number): KeyVerdict {
    const entry = this.#entries.get(id);
    // Hash for unknown ids as well, so that the time reveals nothing about which ids exist.
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

  /** The principal of a key with its present rights; undefined once the key has ended. */
  principal(principalId: string, now: number): Principal | undefined {
    const entry = principalId.startsWith('key:') ? this.#entries.get(principalId.slice(4)) : undefined;
    return entry === undefined || endReason(entry.key, now) !== undefined ? undefined : entry.principal;
  }

  /** A key, ended or not. */
  get(id: string): ApiKey | undefined {
    return this.#entries.get(id)?.key;
  }

  /** All keys by id, including ended ones. */
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
      // The store is closing or unreachable: known keys stay valid.
    }
  }
}

function endReason(key: ApiKey, now: number): string | undefined {
  if (key.revokedAt !== undefined) return 'the key is revoked';
  if (key.expiresAt !== undefined && key.expiresAt <= now) return 'the key has expired';
  return undefined;
}

/** The principal of a key. */
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
