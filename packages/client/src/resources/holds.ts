// What is reserved for whom? Holds: money that stays where it is and is not available there.

import { type CallOptions, path, type Transport, type WriteCallOptions } from '../transport.ts';
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
  /** The transaction that posted it. */
  readonly transaction: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What is posted of a hold. */
export interface HoldPosting {
  /** @default all of it; the rest of a part is available again */
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

  async get(id: string, { signal }: CallOptions = {}): Promise<Hold> {
    return await this.#transport.call({
      method: 'GET',
      path: path(['api', 'holds', id]),
      signal,
      safe: true,
    });
  }

  /** Moves what was reserved, once. */
  async post(
    id: string,
    posting: HoldPosting = {},
    options: WriteCallOptions = {},
  ): Promise<{ readonly hold: Hold; readonly transaction: Transaction }> {
    const call = {
      method: 'POST',
      path: path(['api', 'holds', id, 'post']),
      body: posting,
    } as const;
    return await this.#transport.write(call, options);
  }

  /** Gives up what was reserved. */
  async void(id: string, options: WriteCallOptions = {}): Promise<Hold> {
    const call = { method: 'POST', path: path(['api', 'holds', id, 'void']) } as const;
    return await this.#transport.write(call, options);
  }
}
