// A webhook: an endpoint that receives events, and the position of its last delivery.

import type { Selectable } from 'kysely';
import type { WebhookTable } from '../schema/webhook-tables.ts';

/** A webhook as the server holds it. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** Event types, `item.*` and `*` allowed; empty is all. */
  readonly types: readonly string[];
  /** Prefix of subjects. */
  readonly subject: string | undefined;
  /** `whsec_` and 32 bytes in base64. */
  readonly secret: string;
  /** The principal that made it, JSON-safe. */
  readonly owner: Readonly<Record<string, unknown>>;
  readonly position: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly disabledAt: number | undefined;
  readonly disabledReason: string | undefined;
  /** Attempts that failed since the last delivery. */
  readonly failures: number;
  readonly failingSince: number | undefined;
  readonly nextAttemptAt: number | undefined;
  readonly deliveredAt: number | undefined;
  readonly lastError: string | undefined;
}

/** A row as a webhook. */
export function webhookOfRow(row: Selectable<WebhookTable>): Webhook {
  return {
    id: row.id,
    url: row.url,
    types: JSON.parse(row.types) as string[],
    subject: row.subject ?? undefined,
    secret: row.secret,
    owner: JSON.parse(row.owner) as Webhook['owner'],
    position: row.position,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    disabledAt: optional(row.disabled_at),
    disabledReason: row.disabled_reason ?? undefined,
    failures: Number(row.failures),
    failingSince: optional(row.failing_since),
    nextAttemptAt: optional(row.next_attempt_at),
    deliveredAt: optional(row.delivered_at),
    lastError: row.last_error ?? undefined,
  };
}

function optional(value: bigint | null): number | undefined {
  return value === null ? undefined : Number(value);
}
