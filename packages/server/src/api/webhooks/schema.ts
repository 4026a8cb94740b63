// Schemas of webhooks: without the secret, with the state of their deliveries.

import type { Webhook } from '@octavo/records';
import type { TSchema } from 'typebox';
import { Type } from '../http/json-schema.ts';

const URL_TEXT = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'The https or http URL to call, at a public address.',
});
const TYPES = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: 50,
  description: 'Event types, such as `item.created` or `item.*`. Default: all that the key may read.',
});
const SUBJECT = Type.String({ maxLength: 512, description: 'A prefix of the subject.' });
const Time = Type.String({ format: 'date-time' });

export const WebhookBody: TSchema = Type.Object(
  { url: URL_TEXT, types: Type.Optional(TYPES), subject: Type.Optional(SUBJECT) },
  { title: 'WebhookInput', additionalProperties: false, description: 'An address to call.' },
);

export const WebhookPatch: TSchema = Type.Object(
  {
    url: Type.Optional(URL_TEXT),
    types: Type.Optional(TYPES),
    subject: Type.Optional(Type.Union([SUBJECT, Type.Null()])),
    enabled: Type.Optional(Type.Boolean({ description: 'True resumes deliveries after a failure.' })),
    rotate_secret: Type.Optional(Type.Boolean({ description: 'True creates a new secret.' })),
  },
  { title: 'WebhookChange', additionalProperties: false, description: 'The members to change.' },
);

const MEMBERS = {
  id: Type.String(),
  url: Type.String(),
  types: Type.Array(Type.String()),
  subject: Type.Optional(Type.String()),
  enabled: Type.Boolean(),
  disabled_reason: Type.Optional(Type.String()),
  failures: Type.Integer({ description: 'Failed attempts since the last delivery.' }),
  last_error: Type.Optional(Type.String()),
  next_attempt_at: Type.Optional(Time),
  delivered_at: Type.Optional(Time),
  position: Type.String({ description: 'The position in the event stream after the last delivery.' }),
  created_at: Time,
  updated_at: Time,
};

export const WebhookView: TSchema = Type.Object(MEMBERS, { title: 'Webhook', description: 'A webhook.' });

export const WebhookWithSecret: TSchema = Type.Object(
  {
    ...MEMBERS,
    secret: Type.Optional(Type.String({ description: '`whsec_…`, shown only once.' })),
  },
  { title: 'WebhookWithSecret', description: 'A webhook, with its secret if the secret is new.' },
);

export function webhookView(webhook: Webhook): Record<string, unknown> {
  const { id, url, types, subject, failures, lastError, position, disabledReason } = webhook;
  return {
    id,
    url,
    types,
    ...(subject === undefined ? {} : { subject }),
    enabled: webhook.disabledAt === undefined,
    ...(disabledReason === undefined ? {} : { disabled_reason: disabledReason }),
    failures,
    ...(lastError === undefined ? {} : { last_error: lastError }),
    ...time('next_attempt_at', webhook.nextAttemptAt),
    ...time('delivered_at', webhook.deliveredAt),
    position,
    created_at: new Date(webhook.createdAt).toISOString(),
    updated_at: new Date(webhook.updatedAt).toISOString(),
  };
}

function time(name: string, value: number | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: new Date(value).toISOString() };
}
