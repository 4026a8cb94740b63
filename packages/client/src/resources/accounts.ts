// Accounts of the ledger. Money is a decimal string, never a number.

import type { Listing } from '../listing.ts';
import { type TokenQuery, type TokenReply, tokenListing } from '../token-listing.ts';
import {
  type CallOptions,
  encodePath,
  requireOptions,
  type Transport,
  type WriteCallOptions,
} from '../transport.ts';

export interface Account {
  readonly id: string;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Decimal, with all digits of the currency. */
  readonly balance: string;
  /** The balance in minor units. */
  readonly balance_minor: string;
  /** Money reserved by pending holds. Absent for a past time. */
  readonly held?: string;
  readonly held_minor?: string;
  /** `balance` minus `held`. Absent for a past time. */
  readonly available?: string;
  readonly available_minor?: string;
  /** The past time that the balance is for. */
  readonly at?: string;
  readonly allow_negative: boolean;
  readonly closed: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface NewAccount {
  readonly id: string;
  readonly currency: string;
  /** True for accounts that pay money in from outside. @default false */
  readonly allow_negative?: boolean;
}

export interface AccountChange {
  readonly allow_negative?: boolean;
  readonly closed?: boolean;
}

/** All accounts. */
export class Accounts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All accounts, by id. */
  list(query: TokenQuery & { readonly currency?: string } = {}): Listing<Account, TokenReply<Account>> {
    return tokenListing(this.#transport, '/api/accounts', query);
  }

  /** With `at` (ISO 8601), the balance at that time. */
  async get(id: string, options: CallOptions & { readonly at?: string } = {}): Promise<Account> {
    requireOptions(options, ['at', 'signal']);
    const { at, signal } = options;
    const call = { method: 'GET', path: encodePath(['api', 'accounts', id]), safe: true } as const;
    return await this.#transport.call({ ...call, query: { at }, signal });
  }

  async create(account: NewAccount, options: WriteCallOptions = {}): Promise<Account> {
    const call = { method: 'POST', path: '/api/accounts', body: account } as const;
    return await this.#transport.write(call, options);
  }

  async edit(id: string, change: AccountChange, options: WriteCallOptions = {}): Promise<Account> {
    const call = { method: 'PATCH', path: encodePath(['api', 'accounts', id]), body: change } as const;
    return await this.#transport.write(call, options);
  }
}
