// Ids of documents: the check of a given one, and generated ones of 20 URL-safe characters. A generated id is
// milliseconds, a counter and a random part per process, most significant bytes first, so ids of one process
// ascend and the id tables stay compact.

import { randomBytes } from 'node:crypto';
import { illegalArgument } from '../../errors.ts';
import { LONGEST_ID } from './operation.ts';

const encoder = new TextEncoder();
const node = randomBytes(6);
let lastMillis = 0;
let sequence = 0;

/** A new unique id: 15 bytes (6 of time, 3 of sequence, 6 random per process) as base64url. */
export function newId(now: number = Date.now()): string {
  // If the clock steps back, the last time is kept: ids must not repeat.
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

/** The id as bytes: 1 to `most` of them. Valid until the next call. */
export function checkId(id: string, most: number = LONGEST_ID): Uint8Array {
  if (id.length === 0) throw illegalArgument('if _id is specified it must not be empty');
  const { length } = id;
  if (length <= SHORT_ID && length <= most) {
    let i = 0;
    for (let c = 0; i < length && (c = id.charCodeAt(i)) < 128; i++) idScratch[i] = c;
    if (i === length) return (idViews[length] ??= idScratch.subarray(0, length));
  }
  const bytes = encoder.encode(id);
  if (bytes.length > most) {
    throw illegalArgument(
      `id [${id}] is too long, must be no longer than ${most} bytes but was: ${bytes.length}`,
    );
  }
  return bytes;
}

/** ASCII ids up to this length are copied in a loop: a call of the encoder costs more. */
const SHORT_ID = 64;
const idScratch = new Uint8Array(SHORT_ID);
/** One view per length: creating a view costs more than copying its bytes. */
const idViews: (Uint8Array | undefined)[] = new Array<undefined>(SHORT_ID + 1).fill(undefined);
