// Secrets and signatures of webhook calls, as defined by Standard Webhooks (standardwebhooks.com, v1).

import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The headers of one call. `time` in ms since 1970. */
export function signatureHeaders(
  secret: string,
  id: string,
  body: string,
  time: number,
): Readonly<Record<string, string>> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(time), body),
  };
}
