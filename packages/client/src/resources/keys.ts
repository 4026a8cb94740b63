// Who may call? API keys: made, changed, given another secret, ended.

import { type Listing, listingOf } from '../listing.ts';
import { type CallOptions, path, type Query, type Transport } from '../transport.ts';

/** An API key, without its secret. */
export interface Key {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly index_patterns?: readonly string[];
  readonly document_filter?: Readonly<Record<string, unknown>>;
  readonly rate?: KeyRate;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly expires_at?: string;
  readonly revoked_at?: string;
  readonly previous_secret_until?: string;
}

/** So much cost in so many seconds. */
export interface KeyRate {
  readonly quota: number;
  readonly window_seconds: number;
}

/** What a new key may do. */
export interface KeyGrant {
  readonly name: string;
  /** `search:read`, `feed:*`, `*`. */
  readonly scopes: readonly string[];
  readonly index_patterns?: readonly string[];
  readonly document_filter?: Readonly<Record<string, unknown>>;
  readonly rate?: KeyRate;
  /** ISO 8601. */
  readonly expires_at?: string;
}

/** What changes; null takes a limit away. */
export type KeyChange = {
  readonly [K in keyof KeyGrant]?: K extends 'name' | 'scopes' ? KeyGrant[K] : KeyGrant[K] | null;
};

/** A key with its secret, which is shown this once. */
export interface NewKey {
  readonly key: Key;
  /** For `Authorization: Bearer`. */
  readonly token: string;
  /** For `Authorization: ApiKey`, and for `apiKey` of this client. */
  readonly encoded: string;
}

interface KeysReply {
  readonly keys: readonly Key[];
  readonly next_after?: string;
}

/**
 * The keys of a server. Needs `keys:read` or `keys:write`.
 *
 *     const { encoded } = await client.keys.create({ name: 'shop', scopes: ['search:read'] });
 *     const shop = new OctavoClient({ url, apiKey: encoded });
 */
export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All of them by id, ended ones too. */
  list({ limit, signal }: CallOptions & { readonly limit?: number } = {}): Listing<Key, KeysReply> {
    return listingOf<Key, KeysReply, Query>({
      fetch: async (position) => {
        const query = { limit, ...position };
        return await this.#transport.call({ method: 'GET', path: '/api/keys', query, signal, safe: true });
      },
      items: ({ keys }) => keys,
      next: ({ next_after: after }) => (after === undefined ? undefined : { after }),
      prev: () => undefined,
    });
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<Key> {
    return await this.#transport.call({ method: 'GET', path: at(id), signal, safe: true });
  }

  /** The secret is in the answer, this once: so it is never sent twice. */
  async create(grant: KeyGrant, { signal }: CallOptions = {}): Promise<NewKey> {
    const call = { method: 'POST', path: '/api/keys', body: grant } as const;
    return await this.#transport.call({ ...call, signal, safe: false });
  }

  async edit(id: string, change: KeyChange, { signal }: CallOptions = {}): Promise<Key> {
    return await this.#transport.call({ method: 'PATCH', path: at(id), body: change, signal, safe: true });
  }

  /** Another secret; the one before works for `graceSeconds` (an hour by default). */
  async rotate(
    id: string,
    { graceSeconds, signal }: CallOptions & { readonly graceSeconds?: number } = {},
  ): Promise<NewKey> {
    const body = graceSeconds === undefined ? {} : { grace_seconds: graceSeconds };
    return await this.#transport.call({
      method: 'POST',
      path: `${at(id)}/rotate`,
      body,
      signal,
      safe: false,
    });
  }

  /** Ends a key, at once and for good. */
  async revoke(id: string, { signal }: CallOptions = {}): Promise<Key> {
    return await this.#transport.call({ method: 'DELETE', path: at(id), signal, safe: true });
  }
}

function at(id: string): string {
  return path(['api', 'keys', id]);
}
