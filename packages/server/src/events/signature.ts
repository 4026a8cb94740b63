// How does a receiver know that a call is ours? Signed as Standard Webhooks say (standardwebhooks.com, v1): HMAC-SHA-256
// over `id.timestamp.body`, with a secret that both know.

import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** The headers of one call. `time` in ms since 1970. */
export function signedHeaders(
  secret: string,
  id: string,
  body: string,
  time: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(time / 1_000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
