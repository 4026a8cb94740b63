// The directory of users: current names by your own ids. Items and messages are read with these names.

import type { Listing } from '../listing.ts';
import { type TokenQuery, type TokenReply, tokenListing } from '../token-listing.ts';
import {
  type CallOptions,
  encodePath,
  signalOf,
  type Transport,
  type WriteCallOptions,
} from '../transport.ts';

/** The names of a user. */
export interface UserNames {
  /** Unique and case-sensitive. */
  readonly username: string;
  /** The text that readers see instead of `@username`. */
  readonly display?: string;
}

/** A user of the directory. */
export interface User extends UserNames {
  /** The `id` of entities that mention the user. */
  readonly id: string;
  /** ISO 8601. */
  readonly updated_at: string;
}

/**
 * The directory of users.
 *
 *     await client.users.put('u-1', { username: 'lovelace' });
 */
export class Users {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All users, by id. */
  list(query: TokenQuery = {}): Listing<User, TokenReply<User>> {
    return tokenListing(this.#transport, '/api/users', query);
  }

  async get(id: string, options: CallOptions = {}): Promise<User> {
    return await this.#transport.call({
      method: 'GET',
      path: userPath(id),
      ...signalOf(options),
      safe: true,
    });
  }

  /** Adds a user, or replaces both names. Without `display` the user has none. */
  async put(id: string, names: UserNames, options: WriteCallOptions = {}): Promise<User> {
    return await this.#transport.write({ method: 'PUT', path: userPath(id), body: names }, options);
  }

  /** Removes a user. Mentions are then shown as they were written. */
  async delete(id: string, options: WriteCallOptions = {}): Promise<void> {
    await this.#transport.write({ method: 'DELETE', path: userPath(id) }, options);
  }
}

function userPath(id: string): string {
  return encodePath(['api', 'users', id]);
}
