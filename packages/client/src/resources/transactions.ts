// Transactions: transfers of money, each made exactly once. Every call that moves money carries an
// idempotency key.

import type { Listing } from '../listing.ts';
import { type TokenQuery, type TokenReply, tokenListing } from '../token-listing.ts';
import {
  type CallOptions,
  encodePath,
  signalOf,
  type Transport,
  type WriteCallOptions,
} from '../transport.ts';

/** A transfer to make. */
export interface NewTransaction {
  readonly from: string;
  readonly to: string;
  /** An exact decimal above zero, such as `12.50`. */
  readonly money: string;
  /** @default the currency of the accounts */
  readonly currency?: string;
  readonly reference?: string;
  /** An id of your own, unique among all transactions. */
  readonly external_id?: string;
}

/** The transfer that a dry run would make. */
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
  /** The hold that the transaction posted. */
  readonly hold: string | null;
  /** The transaction that this one reverses. */
  readonly reverses: string | null;
}

/** A transfer that was made. It never changes. */
export interface Transaction extends TransactionPreview {
  readonly id: string;
  readonly created_at: string;
}

/** Filters. All given filters must match. */
export interface TransactionQuery extends TokenQuery {
  /** An account on either side. */
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

  /** All transactions, newest first. */
  list(query: TransactionQuery = {}): Listing<Transaction, TokenReply<Transaction>> {
    return tokenListing(this.#transport, '/api/transactions', query);
  }

  async get(id: string, options: CallOptions = {}): Promise<Transaction> {
    const at = encodePath(['api', 'transactions', id]);
    return await this.#transport.call({ method: 'GET', path: at, ...signalOf(options), safe: true });
  }

  /** Moves money. Retries do not move it again. */
  async create(transaction: NewTransaction, options: WriteCallOptions = {}): Promise<Transaction> {
    const call = { method: 'POST', path: '/api/transaction', body: transaction } as const;
    return await this.#transport.write(call, options);
  }

  /** Makes all transfers or none, in one commit. */
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

  /** A dry run: all checks, no transfer. */
  async preview(transaction: NewTransaction, options: CallOptions = {}): Promise<TransactionPreview> {
    const body = { ...transaction, dry_run: true };
    return await this.#transport.call({
      method: 'POST',
      path: '/api/transaction',
      body,
      ...signalOf(options),
      safe: true,
    });
  }

  /** Reverses a transaction in full. */
  async reverse(
    id: string,
    { reference, ...options }: WriteCallOptions & { readonly reference?: string } = {},
  ): Promise<Transaction> {
    const at = encodePath(['api', 'transactions', id, 'reversal']);
    return await this.#transport.write({ method: 'POST', path: at, body: { reference } }, options);
  }
}
