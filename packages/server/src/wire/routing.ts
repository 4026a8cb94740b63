// On which shard would the peer keep a document? An index is one piece here, but with several shards in its settings a
// read with another routing has to miss, as it does there.
//
// The hash is MurmurHash3 (x86, 32 bit, seed 0; Austin Appleby, public domain) over the UTF-16LE of the routing value.

import type { IndexInfo, StoredDoc } from '@octavo/engine';

/** True where a read by id with this routing (the id by default) finds the document. */
export function onSameShard(info: IndexInfo, doc: StoredDoc, routing: string | undefined): boolean {
  const shards = Number(info.settings['index.number_of_shards'] ?? 1);
  if (shards <= 1) return true;
  const asked = routing ?? doc.id;
  const kept = doc.routing ?? doc.id;
  return asked === kept || shardOf(asked, shards) === shardOf(kept, shards);
}

/** The shard number of a routing value in an index of so many shards. */
export function shardOf(routing: string, shards: number): number {
  let slots = shards;
  while (slots * 2 <= 1024) slots *= 2;
  const hash = murmur3(Buffer.from(routing, 'utf16le'));
  return Math.floor((((hash % slots) + slots) % slots) / (slots / shards));
}

function murmur3(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const whole = bytes.length & ~3;
  let hash = 0;
  for (let i = 0; i < whole; i += 4) {
    hash ^= scramble(view.getInt32(i, true));
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let i = bytes.length - 1; i >= whole; i--) tail = (tail << 8) | bytes[i]!;
  if (bytes.length > whole) hash ^= scramble(tail);
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}

function scramble(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}
