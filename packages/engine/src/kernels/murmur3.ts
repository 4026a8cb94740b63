// MurmurHash3, x86, 32 bit (Austin Appleby, public domain): the hash by which OpenSearch routes documents to
// shards (seed 0), which spreads documents over slices, and terms over partitions.

/** Hash of a range of bytes, as a signed 32-bit integer. */
export function murmur3(
  bytes: Uint8Array,
  start: number = 0,
  end: number = bytes.length,
  seed: number = 0,
): number {
  const length = end - start;
  const whole = start + (length & ~3);
  let hash = seed;
  for (let i = start; i < whole; i += 4) {
    hash ^= scramble(bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24));
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let i = end - 1; i >= whole; i--) tail = (tail << 8) | bytes[i]!;
  if (end > whole) hash ^= scramble(tail);
  return mixBits(hash ^ length);
}

/** Mixes the bits of a 32-bit integer: the last step of the hash. */
export function mixBits(word: number): number {
  let hash = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}

function scramble(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}

/**
 * The shard to which OpenSearch routes a value, by the flat settings of the index. There are more slots than shards
 * (`index.number_of_routing_shards`, up to 1,024 by default), so that shards can be split.
 */
export function shardOf(routing: string, settings: Readonly<Record<string, string>>): number {
  const shards = Number(settings['index.number_of_shards'] ?? 1);
  let slots = Number(settings['index.number_of_routing_shards'] ?? Number.NaN);
  if (Number.isNaN(slots)) for (slots = shards; slots * 2 <= 1024; ) slots *= 2;
  const hash = murmur3(Buffer.from(routing, 'utf16le'));
  return Math.floor((((hash % slots) + slots) % slots) / (slots / shards));
}
