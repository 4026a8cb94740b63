// What is a user called today? The directory of names by ids of one's own, which items and messages are read with.

import { type Listing, listingOf } from '../listing.ts';
import { type CallOptions, path, type Query, type Transport, type WriteCallOptions } from '../transport.ts';

/** What a user is called. */
export interface UserNames {
  /** Unique; upper and lower case are different. */
  readonly username: string;
  /** What readers see, where that is not `@username`. */
  readonly display?: string;
}

/** A user of the directory. */
export interface User extends UserNames {
  /** What entities have as `id`. */
  readonly id: string;
  /** ISO 8601. */
  readonly updated_at: string;
}

interface UsersReply {
  readonly users: readonly User[];
  readonly next_after?: string;
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

  /** All of them by id. */
  list({ limit, signal }: CallOptions & { readonly limit?: number } = {}): Listing<User, UsersReply> {
    return listingOf<User, UsersReply, Query>({
      fetch: async (position) => {
        const query = { limit, ...position };
        return await this.#transport.call({ method: 'GET', path: '/api/users', query, signal, safe: true });
      },
      items: ({ users }) => users,
      next: ({ next_after: after }) => (after === undefined ? undefined : { after }),
      prev: () => undefined,
    });
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<User> {
    return await this.#transport.call({ method: 'GET', path: at(id), signal, safe: true });
  }

  /** Puts a user into the directory, or gives one other names; without `display` there is none. */
  async put(id: string, names: UserNames, options: WriteCallOptions = {}): Promise<User> {
    return await this.#transport.write({ method: 'PUT', path: at(id), body: names }, options);
  }

  /** Their mentions are shown as they were written. */
  async delete(id: string, options: WriteCallOptions = {}): Promise<void> {
    await this.#transport.write({ method: 'DELETE', path: at(id) }, options);
  }
}

function at(id: string): string {
  return path(['api', 'users', id]);
}
