// API keys: create, edit, rotate and revoke.

import type { Listing } from '../listing.ts';
import { type TokenQuery, type TokenReply, tokenListing } from '../token-listing.ts';
import { type CallOptions, encodePath, signalOf, type Transport } from '../transport.ts';

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

/** A quota of cost per window of seconds. */
export interface KeyRate {
  readonly quota: number;
  readonly window_seconds: number;
}

/** The rights of a new key. */
export interface KeyGrant {
  readonly name: string;
  /** Scopes such as `search:read`, `feed:*` or `*`. */
  readonly scopes: readonly string[];
  readonly index_patterns?: readonly string[];
  readonly document_filter?: Readonly<Record<string, unknown>>;
  readonly rate?: KeyRate;
  /** ISO 8601. */
  readonly expires_at?: string;
}

/** The members to change. Null removes a limit. */
export type KeyChange = {
  readonly [K in keyof KeyGrant]?: K extends 'name' | 'scopes' ? KeyGrant[K] : KeyGrant[K] | null;
};

/** A key with its secret, which the server returns only once. */
export interface NewKey {
  readonly key: Key;
  /** The value for `Authorization: Bearer`. */
  readonly token: string;
  /** The value for `Authorization: ApiKey`, and for `apiKey` of this client. */
  readonly encoded: string;
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

  /** All keys by id, including expired and revoked ones. */
  list(query: TokenQuery = {}): Listing<Key, TokenReply<Key>> {
    return tokenListing(this.#transport, '/api/keys', query);
  }

  async get(id: string, options: CallOptions = {}): Promise<Key> {
    return await this.#transport.call({ method: 'GET', path: keyPath(id), ...signalOf(options), safe: true });
  }

  /** Creates a key. Never retried, because the secret is only in this reply. */
  async create(grant: KeyGrant, options: CallOptions = {}): Promise<NewKey> {
    const call = { method: 'POST', path: '/api/keys', body: grant } as const;
    return await this.#transport.call({ ...call, ...signalOf(options), safe: false });
  }

  async edit(id: string, change: KeyChange, options: CallOptions = {}): Promise<Key> {
    return await this.#transport.call({
      method: 'PATCH',
      path: keyPath(id),
      body: change,
      ...signalOf(options),
      safe: true,
    });
  }

  /** Makes a new secret. The old one stays valid for `graceSeconds` (default: an hour). */
  async rotate(
    id: string,
    { graceSeconds, signal }: CallOptions & { readonly graceSeconds?: number } = {},
  ): Promise<NewKey> {
    const body = graceSeconds === undefined ? {} : { grace_seconds: graceSeconds };
    return await this.#transport.call({
      method: 'POST',
      path: `${keyPath(id)}/rotate`,
      body,
      signal,
      safe: false,
    });
  }

  /** Revokes a key immediately and permanently. */
  async revoke(id: string, options: CallOptions = {}): Promise<Key> {
    return await this.#transport.call({
      method: 'DELETE',
      path: keyPath(id),
      ...signalOf(options),
      safe: true,
    });
  }
}

function keyPath(id: string): string {
  return encodePath(['api', 'keys', id]);
}
