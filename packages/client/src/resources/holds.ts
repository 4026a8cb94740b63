// Holds: money that stays in its account but is reserved and not available.

import {
  type CallOptions,
  encodePath,
  signalOf,
  type Transport,
  type WriteCallOptions,
} from '../transport.ts';
import type { NewTransaction, Transaction } from './transactions.ts';

export interface NewHold extends Omit<NewTransaction, 'external_id'> {
  /** ISO 8601. @default never */
  readonly expires_at?: string;
}

export interface Hold {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly money: string;
  readonly money_minor: string;
  readonly status: 'pending' | 'posted' | 'voided' | 'expired';
  readonly expires_at: string | null;
  readonly reference: string | null;
  /** The id of the transaction that posted the hold. */
  readonly transaction: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The part of a hold that is posted. */
export interface HoldPosting {
  /** If it is less than the hold, the rest becomes available again. @default the whole hold */
  readonly money?: string;
  readonly reference?: string;
}

/** All holds. */
export class Holds {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async create(hold: NewHold, options: WriteCallOptions = {}): Promise<Hold> {
    return await this.#transport.write({ method: 'POST', path: '/api/holds', body: hold }, options);
  }

  async get(id: string, options: CallOptions = {}): Promise<Hold> {
    return await this.#transport.call({
      method: 'GET',
      path: encodePath(['api', 'holds', id]),
      ...signalOf(options),
      safe: true,
    });
  }

  /** Posts a hold: moves the reserved money, once. */
  async post(
    id: string,
    posting: HoldPosting = {},
    options: WriteCallOptions = {},
  ): Promise<{ readonly hold: Hold; readonly transaction: Transaction }> {
    const call = {
      method: 'POST',
      path: encodePath(['api', 'holds', id, 'post']),
      body: posting,
    } as const;
    return await this.#transport.write(call, options);
  }

  /** Voids a hold: the reserved money becomes available again. */
  async void(id: string, options: WriteCallOptions = {}): Promise<Hold> {
    const call = { method: 'POST', path: encodePath(['api', 'holds', id, 'void']) } as const;
    return await this.#transport.write(call, options);
  }
}
