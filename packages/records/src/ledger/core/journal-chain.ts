// The hash chain of the journal. Each row and each block is hashed together with the hash before it, so that
// a change anywhere changes every hash behind it.
//
//   hash(0) = 64 zeros
//   hash(n) = SHA-256( hash(n-1) in hex, a line feed, the transfer as a JSON array )    for a row
//   hash(n) = SHA-256( hash(n-1) in hex, a line feed, the bytes of the block )          for a block (block.ts)
//
// The array has no blanks and holds, in this order: position, id, kind, from, to, currency, amount, balance of `from`
// after it, balance of `to` after it, reference, external id, hold, reverses, time. Numbers are strings of digits, what is
// not there is null. Anything that writes JSON and hashes can check it.

import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Transfer } from '../model/transfer.ts';

/** The hash before the first transfer, in hex. */
export const FIRST_HASH: string = '0'.repeat(64);

/** The next hash, in hex. */
export function hashAfterRow(previous: string, transfer: Transfer): string {
  return hash('sha256', `${previous}\n${canonical(transfer)}`, 'hex');
}

/** The next hash, in hex, where a block follows. */
export function hashAfterBlock(previous: string, bytes: Uint8Array): string {
  const start = previous.length + 1;
  const hashed = Buffer.allocUnsafe(start + bytes.length);
  hashed.write(`${previous}\n`, 'latin1');
  hashed.set(bytes, start);
  return hash('sha256', hashed, 'hex');
}

/** The array as JSON.stringify prints it. */
function canonical(transfer: Transfer): string {
  return (
    `["${transfer.position}","${transfer.id}","${transfer.kind}",${quoted(transfer.from)},${quoted(transfer.to)},` +
    `"${transfer.currency}","${transfer.amount}","${transfer.fromBalance}","${transfer.toBalance}",` +
    `${quoted(transfer.reference)},${quoted(transfer.externalId)},${quoted(transfer.hold)},` +
    `${quoted(transfer.reverses)},"${transfer.time}"]`
  );
}

/** Text that JSON does not escape: it needs only its quotes. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function quoted(text: string | null): string {
  if (text === null) return 'null';
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
