// Who has how much, and who paid whom? Accounts and transfers. Money is a decimal string, never a number.

import { type Listing, listingOf } from './listing.ts';
import { type CallOptions, path, type Query, type Transport, type WriteCallOptions } from './transport.ts';

export interface Account {
  readonly id: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Decimal, with the digits of the currency. */
  readonly balance: string;
  /** The same in minor units. */
  readonly balance_minor: string;
  readonly allow_negative: boolean;
  readonly closed: boolean;
  readonly [member: string]: unknown;
}

export interface NewAccount {
  readonly id: string;
  readonly currency: string;
  readonly allow_negative?: boolean;
}

export interface NewTransfer {
  readonly from: string;
  readonly to: string;
  /** Such as `12.50`. */
  readonly money: string;
  /** @default that of the account that pays */
  readonly currency?: string;
  readonly reference?: string;
  readonly external_id?: string;
  /** Checks everything and moves nothing. */
  readonly dry_run?: boolean;
}

export interface Transfer {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly money: string;
  readonly currency: string;
  readonly created_at: string;
  readonly [member: string]: unknown;
}

/** A page of accounts or transfers as it comes. */
export interface LedgerReply<Row> {
  readonly items: readonly Row[];
  readonly next?: string;
  readonly prev?: string;
  readonly [member: string]: unknown;
}

/** `limit` and the filters of the endpoint, as parameters. */
export type LedgerQuery = CallOptions & { readonly limit?: number; readonly params?: Query };

function ledgerList<Row>(
  transport: Transport,
  at: string,
  query: LedgerQuery,
): Listing<Row, LedgerReply<Row>> {
  const { signal, limit, params } = query;
  return listingOf<Row, LedgerReply<Row>, Query>({
    fetch: async (position) =>
      await transport.call({
        method: 'GET',
        path: at,
        query: { limit, ...params, ...position },
        signal,
        safe: true,
      }),
    items: (reply) => reply.items,
    next: ({ next }) => (next === undefined ? undefined : { next_token: next }),
    prev: ({ prev }) => (prev === undefined ? undefined : { prev_token: prev }),
  });
}

/** The accounts. */
export class Accounts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(query: LedgerQuery = {}): Listing<Account, LedgerReply<Account>> {
    return ledgerList(this.#transport, '/api/accounts', query);
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<Account> {
    return await this.#transport.call({
      method: 'GET',
      path: path(['api', 'accounts', id]),
      signal,
      safe: true,
    });
  }

  async create(account: NewAccount, options: WriteCallOptions = {}): Promise<Account> {
    return await this.#transport.call({
      method: 'POST',
      path: '/api/accounts',
      body: account,
      safe: false,
      ...options,
    });
  }

  async edit(
    id: string,
    change: { readonly allow_negative?: boolean; readonly closed?: boolean },
    options: WriteCallOptions = {},
  ): Promise<Account> {
    const at = path(['api', 'accounts', id]);
    return await this.#transport.call({ method: 'PATCH', path: at, body: change, safe: false, ...options });
  }
}

/** The transfers. */
export class Transactions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(query: LedgerQuery = {}): Listing<Transfer, LedgerReply<Transfer>> {
    return ledgerList(this.#transport, '/api/transactions', query);
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<Transfer> {
    return await this.#transport.call({
      method: 'GET',
      path: path(['api', 'transactions', id]),
      signal,
      safe: true,
    });
  }

  /** Moves money, once: the call carries an idempotency key, which its retries keep. */
  async create(transfer: NewTransfer, options: WriteCallOptions = {}): Promise<Transfer> {
    const call = { method: 'POST', path: '/api/transaction', body: transfer, safe: false } as const;
    return await this.#transport.call({ ...call, ...options });
  }
}
