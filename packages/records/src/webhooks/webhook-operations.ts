// The operations on webhooks: create, list, change, delete, lease, and record deliveries.

import { RecordsError } from '../contracts/errors.ts';
import type { AnyOperation, ReadOperation, WriteContext, WriteOperation } from '../contracts/operation.ts';
import { type Webhook, webhookOfRow } from './webhook.ts';

/** Creates a webhook that receives the events after `position`. */
export const createWebhook: WriteOperation<
  Pick<Webhook, 'id' | 'url' | 'types' | 'subject' | 'secret' | 'owner' | 'position'>,
  Webhook
> = {
  kind: 'write',
  name: 'webhooks.create',
  locks: ({ id }) => [`webhook:${id}`],
  checksFirst: true,
  async run({ db, now }, { id, url, types, subject, secret, owner, position }) {
    const row = await db
      .insertInto('webhook')
      .values({
        id,
        url,
        types: JSON.stringify(types),
        subject: subject ?? null,
        secret,
        owner: JSON.stringify(owner),
        position,
        created_at: now,
        updated_at: now,
        disabled_at: null,
        disabled_reason: null,
        failures: 0,
        failing_since: null,
        next_attempt_at: null,
        delivered_at: null,
        last_error: null,
        leased_by: null,
        leased_until: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return webhookOfRow(row);
  },
};

/** All webhooks, oldest first, at most `limit`. */
export const listWebhooks: ReadOperation<{ readonly limit: number }, readonly Webhook[]> = {
  kind: 'read',
  name: 'webhooks.list',
  async run({ db }, { limit }) {
    const rows = await db
      .selectFrom('webhook')
      .selectAll()
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(webhookOfRow);
  },
};

/** One webhook. Throws webhook-not-found. */
export const getWebhook: ReadOperation<{ readonly id: string }, Webhook> = {
  kind: 'read',
  name: 'webhooks.get',
  run: async (context, { id }) => await webhookById(context, id),
};

/** A change of a webhook; `enabled` stops or starts deliveries and forgets failures. */
export interface WebhookChange {
  readonly url?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly subject?: string | null | undefined;
  readonly secret?: string | undefined;
  readonly enabled?: boolean | undefined;
}

/** Changes a webhook; without a difference nothing happens. Throws webhook-not-found. */
export const updateWebhook: WriteOperation<{ readonly id: string; readonly change: WebhookChange }, Webhook> =
  {
    kind: 'write',
    name: 'webhooks.update',
    locks: ({ id }) => [`webhook:${id}`],
    checksFirst: true,
    async run(context, { id, change }) {
      const before = await webhookById(context, id);
      if (changesNothing(before, change)) return before;
      const { url, types, subject, secret, enabled } = change;
      const row = await context.db
        .updateTable('webhook')
        .set({
          updated_at: context.now,
          ...(url === undefined ? {} : { url }),
          ...(types === undefined ? {} : { types: JSON.stringify(types) }),
          ...(subject === undefined ? {} : { subject }),
          ...(secret === undefined ? {} : { secret }),
          ...(enabled === undefined ? {} : { failures: 0, failing_since: null, next_attempt_at: null }),
          ...(enabled === true ? { disabled_at: null, disabled_reason: null } : {}),
          ...(enabled === false ? { disabled_at: context.now, disabled_reason: 'by request' } : {}),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return webhookOfRow(row);
    },
  };

/** Deletes a webhook. Throws webhook-not-found. */
export const deleteWebhook: WriteOperation<{ readonly id: string }, void> = {
  kind: 'write',
  name: 'webhooks.delete',
  locks: ({ id }) => [`webhook:${id}`],
  checksFirst: true,
  async run(context, { id }) {
    await webhookById(context, id);
    await context.db.deleteFrom('webhook').where('id', '=', id).execute();
  },
};

/** The time of a lease after it was taken or a delivery was recorded, in ms: longer than a delivery may take. */
const LEASE_MS = 60_000;

/**
 * Takes a webhook for a process, or with `release` gives it back. The reply is the webhook as it is now; undefined where
 * another process has it, or it is gone.
 */
export const claimWebhook: WriteOperation<
  { readonly id: string; readonly by: string; readonly release?: boolean },
  Webhook | undefined
> = {
  kind: 'write',
  name: 'webhooks.claim',
  locks: ({ id }) => [`webhook:${id}`],
  checksFirst: true,
  async run({ db, now }, { id, by, release = false }) {
    const row = await db
      .updateTable('webhook')
      .set(
        release ? { leased_by: null, leased_until: null } : { leased_by: by, leased_until: now + LEASE_MS },
      )
      .where('id', '=', id)
      .where((eb) =>
        eb.or([eb('leased_by', 'is', null), eb('leased_by', '=', by), eb('leased_until', '<=', BigInt(now))]),
      )
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? undefined : webhookOfRow(row);
  },
};

/** The outcome of an attempt. Without `error` everything up to `position` was delivered. */
export interface DeliveryNote {
  readonly id: string;
  /** The process that has the webhook; its note counts only while it has. */
  readonly by?: string;
  readonly position?: string;
  /** True where no event up to the position was for this webhook. */
  readonly passed?: boolean;
  readonly error?: string;
  readonly nextAttemptAt?: number;
  /** Ends deliveries, with the reason. */
  readonly disable?: string;
}

/** Records the outcome of a delivery; an unknown webhook is no error. */
export const noteDelivery: WriteOperation<DeliveryNote, void> = {
  kind: 'write',
  name: 'webhooks.note',
  locks: ({ id }) => [`webhook:${id}`],
  checksFirst: true,
  async run({ db, now }, { id, by, position, passed, error, nextAttemptAt, disable }) {
    const row = await db.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined || (by !== undefined && row.leased_by !== by)) return;
    const outcome =
      passed === true
        ? {}
        : error === undefined
          ? { failures: 0, failing_since: null, next_attempt_at: null, last_error: null, delivered_at: now }
          : {
              failures: Number(row.failures) + 1,
              failing_since: row.failing_since ?? now,
              next_attempt_at: nextAttemptAt ?? null,
              last_error: error,
            };
    await db
      .updateTable('webhook')
      .set({
        ...outcome,
        ...(by === undefined ? {} : { leased_until: now + LEASE_MS }),
        ...(position === undefined ? {} : { position }),
        ...(disable === undefined ? {} : { disabled_at: now, disabled_reason: disable }),
      })
      .where('id', '=', id)
      .execute();
  },
};

/** `enabled` is always a change: it restarts deliveries. */
function changesNothing(webhook: Webhook, change: WebhookChange): boolean {
  const { url = webhook.url, types = webhook.types, subject, secret = webhook.secret, enabled } = change;
  return (
    enabled === undefined &&
    url === webhook.url &&
    secret === webhook.secret &&
    JSON.stringify(types) === JSON.stringify(webhook.types) &&
    (subject === undefined || (subject ?? undefined) === webhook.subject)
  );
}

export const webhookOperations: readonly AnyOperation[] = [
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  claimWebhook,
  noteDelivery,
];

async function webhookById({ db }: Pick<WriteContext, 'db'>, id: string): Promise<Webhook> {
  const row = await db.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) {
    throw new RecordsError('webhook-not-found', `There is no webhook ${id}.`, { field: 'id' });
  }
  return webhookOfRow(row);
}
