// How does a document that came without an id get one? 20 URL-safe characters: milliseconds, a per-process random part
// and a counter, most significant bytes first, so that ids of one process ascend and the id table stays compact.

import { randomBytes } from 'node:crypto';

const node = randomBytes(6);
let lastMillis = 0;
let sequence = 0;

/** A new unique id: 15 bytes (6 of time, 3 of sequence, 6 random per process) as base64url. */
export function newId(now: number = Date.now()): string {
  // A clock that steps back must not make ids repeat: time never goes back here.
  if (now > lastMillis) {
    lastMillis = now;
    sequence = 0;
  } else if (++sequence > 0xffffff) {
    lastMillis++;
    sequence = 0;
  }
  const bytes = Buffer.allocUnsafe(15);
  bytes.writeUIntBE(lastMillis, 0, 6);
  bytes.writeUIntBE(sequence, 6, 3);
  node.copy(bytes, 9);
  return bytes.toString('base64url');
}
