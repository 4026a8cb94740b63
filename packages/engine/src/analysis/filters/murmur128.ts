// MurmurHash3 of 128 bits for 64-bit machines, with seed 0 (Austin Appleby, public domain).

const MASK = 0xffff_ffff_ffff_ffffn;
const FIRST = 0x87c3_7b91_1142_53d5n;
const SECOND = 0x4cf5_ad43_2745_937fn;

export interface Hash128 {
  readonly low: bigint;
  readonly high: bigint;
}

export function murmur128(bytes: Uint8Array): Hash128 {
  let low = 0n;
  let high = 0n;
  const blocks = bytes.length - (bytes.length % 16);
  for (let at = 0; at < blocks; at += 16) {
    low ^= mixLow(word(bytes, at, at + 8));
    low = (times(rotate(low, 27n) + high, 5n) + 0x52dc_e729n) & MASK;
    high ^= mixHigh(word(bytes, at + 8, at + 16));
    high = (times(rotate(high, 31n) + low, 5n) + 0x3849_5ab5n) & MASK;
  }
  const middle = Math.min(blocks + 8, bytes.length);
  high ^= mixHigh(word(bytes, middle, bytes.length));
  low ^= mixLow(word(bytes, blocks, middle));
  const length = BigInt(bytes.length);
  low ^= length;
  high ^= length;
  low = (low + high) & MASK;
  high = (high + low) & MASK;
  low = finish(low);
  high = finish(high);
  low = (low + high) & MASK;
  high = (high + low) & MASK;
  return { low, high };
}

/** Bytes `from` to `to`, at most eight, as a number; the first is the least. */
function word(bytes: Uint8Array, from: number, to: number): bigint {
  let value = 0n;
  for (let at = to - 1; at >= from; at--) value = (value << 8n) | BigInt(bytes[at]!);
  return value;
}

function mixLow(value: bigint): bigint {
  return times(rotate(times(value, FIRST), 31n), SECOND);
}

function mixHigh(value: bigint): bigint {
  return times(rotate(times(value, SECOND), 33n), FIRST);
}

function times(a: bigint, b: bigint): bigint {
  return (a * b) & MASK;
}

function rotate(value: bigint, by: bigint): bigint {
  return ((value << by) | (value >> (64n - by))) & MASK;
}

function finish(value: bigint): bigint {
  let out = value;
  out = times(out ^ (out >> 33n), 0xff51_afd7_ed55_8ccdn);
  out = times(out ^ (out >> 33n), 0xc4ce_b9fe_1a85_ec53n);
  return out ^ (out >> 33n);
}
