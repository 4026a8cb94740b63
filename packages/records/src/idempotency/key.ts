// What may an idempotency key be? As the IETF draft (draft-ietf-httpapi-idempotency-key-header) and Stripe have it: a short
// printable text that the caller makes up.

import { RecordsError } from '../contracts/errors.ts';

/** Throws `idempotency-key-invalid` for anything but 1 to 255 characters of printable ASCII. */
export function checkKey(key: string): void {
  if (key.length >= 1 && key.length <= 255 && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(key)) return;
  throw new RecordsError(
    'idempotency-key-invalid',
    'An idempotency key is 1 to 255 printable ASCII characters, without blanks at its ends: a UUID does well.',
    { field: 'Idempotency-Key' },
  );
}
