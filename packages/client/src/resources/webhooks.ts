// Who is called when something happens? Webhooks: made, changed, ended.

import { type CallOptions, path, type Transport } from '../transport.ts';

export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** Empty is all that its key may read. */
  readonly types: readonly string[];
  readonly subject?: string;
  readonly enabled: boolean;
  readonly disabled_reason?: string;
  /** Attempts that failed since the last delivery. */
  readonly failures: number;
  readonly last_error?: string;
  readonly next_attempt_at?: string;
  readonly delivered_at?: string;
  /** The place in the stream of events behind what was delivered. */
  readonly position: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A webhook whose secret is new: `whsec_…`, shown this once. */
export interface NewWebhook extends Webhook {
  readonly secret: string;
}

export interface WebhookInput {
  /** https or http, at a public address. */
  readonly url: string;
  /** `item.created`, `item.*`. */
  readonly types?: readonly string[];
  /** A prefix of subjects. */
  readonly subject?: string;
}

export interface WebhookChange {
  readonly url?: string;
  readonly types?: readonly string[];
  readonly subject?: string | null;
  /** True begins again after a failure. */
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

  /** Oldest first; those of others too for callers with `events:admin`. */
  async list({ signal }: CallOptions = {}): Promise<readonly Webhook[]> {
    const call = { method: 'GET', path: '/api/webhooks', signal, safe: true } as const;
    return (await this.#transport.call<{ readonly webhooks: readonly Webhook[] }>(call)).webhooks;
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<Webhook> {
    return await this.#transport.call({ method: 'GET', path: at(id), signal, safe: true });
  }

  /** The secret is in the answer, this once: so it is never sent twice. */
  async create(webhook: WebhookInput, { signal }: CallOptions = {}): Promise<NewWebhook> {
    const call = { method: 'POST', path: '/api/webhooks', body: webhook } as const;
    return await this.#transport.call({ ...call, signal, safe: false });
  }

  async edit(id: string, change: WebhookChange, { signal }: CallOptions = {}): Promise<Webhook> {
    return await this.#transport.call({ method: 'PATCH', path: at(id), body: change, signal, safe: true });
  }

  /** Gives it another secret. */
  async rotateSecret(id: string, { signal }: CallOptions = {}): Promise<NewWebhook> {
    const call = { method: 'PATCH', path: at(id), body: { rotate_secret: true } } as const;
    return await this.#transport.call({ ...call, signal, safe: false });
  }

  async delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.call({ method: 'DELETE', path: at(id), signal, safe: false });
  }
}

function at(id: string): string {
  return path(['api', 'webhooks', id]);
}
