// Who paid whom? Transactions: money that moved, once. Every call that moves money carries an idempotency key.

import type { Listing } from '../listing.ts';
import { type TokenQuery, type TokenReply, tokenList } from '../token-list.ts';
import { type CallOptions, path, type Transport, type WriteCallOptions } from '../transport.ts';

/** What is to move. */
export interface NewTransaction {
  readonly from: string;
  readonly to: string;
  /** An exact decimal above zero, such as `12.50`. */
  readonly money: string;
  /** @default that of the accounts */
  readonly currency?: string;
  readonly reference?: string;
  /** Your own id: no two transactions have the same. */
  readonly external_id?: string;
}

/** What would move. */
export interface TransactionPreview {
  readonly kind: 'transfer' | 'post' | 'reversal';
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  /** Decimal, with all digits of the currency. */
  readonly money: string;
  readonly money_minor: string;
  readonly reference: string | null;
  readonly external_id: string | null;
  /** The hold that it posted. */
  readonly hold: string | null;
  /** The transaction that it takes back. */
  readonly reverses: string | null;
}

/** What moved. It never changes. */
export interface Transaction extends TransactionPreview {
  readonly id: string;
  readonly created_at: string;
}

/** Filters; all that are given must hold. */
export interface TransactionQuery extends TokenQuery {
  /** On either side. */
  readonly account?: string;
  readonly reference?: string;
  readonly external_id?: string;
  readonly currency?: string;
  /** ISO 8601. */
  readonly since?: string;
  readonly until?: string;
}

/** All transactions. */
export class Transactions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first. */
  list(query: TransactionQuery = {}): Listing<Transaction, TokenReply<Transaction>> {
    return tokenList(this.#transport, '/api/transactions', query);
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<Transaction> {
    const at = path(['api', 'transactions', id]);
    return await this.#transport.call({ method: 'GET', path: at, signal, safe: true });
  }

  /** Moves money, once however often its retries are sent. */
  async create(transaction: NewTransaction, options: WriteCallOptions = {}): Promise<Transaction> {
    const call = { method: 'POST', path: '/api/transaction', body: transaction } as const;
    return await this.#transport.write(call, options);
  }

  /** Moves all or nothing, in one commit. */
  async createAll(
    transfers: readonly NewTransaction[],
    options: WriteCallOptions = {},
  ): Promise<Transaction[]> {
    const call = {
      method: 'POST',
      path: '/api/transactions/batch',
      body: { transfers },
    } as const;
    const { items } = await this.#transport.write<{ items: Transaction[] }>(call, options);
    return items;
  }

  /** Checks everything and moves nothing. */
  async preview(transaction: NewTransaction, { signal }: CallOptions = {}): Promise<TransactionPreview> {
    const body = { ...transaction, dry_run: true };
    return await this.#transport.call({ method: 'POST', path: '/api/transaction', body, signal, safe: true });
  }

  /** Takes a transaction back, in full. */
  async reverse(
    id: string,
    { reference, ...options }: WriteCallOptions & { readonly reference?: string } = {},
  ): Promise<Transaction> {
    const at = path(['api', 'transactions', id, 'reversal']);
    return await this.#transport.write({ method: 'POST', path: at, body: { reference } }, options);
  }
}
