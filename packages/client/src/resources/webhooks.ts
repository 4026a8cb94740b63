// Webhooks: create, edit, rotate the secret and delete.

import { type CallOptions, encodePath, signalOf, type Transport } from '../transport.ts';

export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** Event types. Empty means all that its key may read. */
  readonly types: readonly string[];
  readonly subject?: string;
  readonly enabled: boolean;
  readonly disabled_reason?: string;
  /** Failed attempts since the last delivery. */
  readonly failures: number;
  readonly last_error?: string;
  readonly next_attempt_at?: string;
  readonly delivered_at?: string;
  /** The position in the event stream behind the last delivery. */
  readonly position: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A webhook with a new secret (`whsec_…`), which the server returns only once. */
export interface NewWebhook extends Webhook {
  readonly secret: string;
}

export interface WebhookInput {
  /** An https or http URL at a public address. */
  readonly url: string;
  /** Event types such as `item.created` or `item.*`. */
  readonly types?: readonly string[];
  /** A prefix of subjects. */
  readonly subject?: string;
}

export interface WebhookChange {
  readonly url?: string;
  readonly types?: readonly string[];
  readonly subject?: string | null;
  /** True resumes deliveries after a failure. */
  readonly enabled?: boolean;
}

/**
 * The webhooks of a caller.
 *
 *     const { secret } = await client.webhooks.create({ url: 'https://example.com/hook', types: ['item.*'] });
 */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The webhooks of the caller, oldest first. Callers with `events:admin` see all webhooks. */
  async list(options: CallOptions = {}): Promise<readonly Webhook[]> {
    const call = { method: 'GET', path: '/api/webhooks', ...signalOf(options), safe: true } as const;
    return (await this.#transport.call<{ readonly items: readonly Webhook[] }>(call)).items;
  }

  async get(id: string, options: CallOptions = {}): Promise<Webhook> {
    return await this.#transport.call({
      method: 'GET',
      path: webhookPath(id),
      ...signalOf(options),
      safe: true,
    });
  }

  /** Creates a webhook. Never retried, because the secret is only in this reply. */
  async create(webhook: WebhookInput, options: CallOptions = {}): Promise<NewWebhook> {
    const call = { method: 'POST', path: '/api/webhooks', body: webhook } as const;
    return await this.#transport.call({ ...call, ...signalOf(options), safe: false });
  }

  async edit(id: string, change: WebhookChange, options: CallOptions = {}): Promise<Webhook> {
    return await this.#transport.call({
      method: 'PATCH',
      path: webhookPath(id),
      body: change,
      ...signalOf(options),
      safe: true,
    });
  }

  /** Replaces the secret. */
  async rotateSecret(id: string, options: CallOptions = {}): Promise<NewWebhook> {
    const call = { method: 'PATCH', path: webhookPath(id), body: { rotate_secret: true } } as const;
    return await this.#transport.call({ ...call, ...signalOf(options), safe: false });
  }

  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.call({
      method: 'DELETE',
      path: webhookPath(id),
      ...signalOf(options),
      safe: false,
    });
  }
}

function webhookPath(id: string): string {
  return encodePath(['api', 'webhooks', id]);
}
