// Filters that make one text, or a fixed number of hashes, of all tokens.

import { illegalArgument } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Token } from '../analyzer.ts';
import { setPositionCount, type TokenFilter } from '../chain.ts';
import { boolParam, intParam, textParam } from '../params.ts';
import { type Hash128, murmur128 } from './murmur128.ts';

const SEPARATOR = ' ';

/** All distinct terms in order, joined: equal for texts with the same words. */
export function fingerprintFilter(name: string, params: JsonObject): TokenFilter {
  const separator = fingerprintSeparator(params);
  const max = intParam(params, 'max_output_size', 255);
  return {
    name,
    forSynonyms: 'refused',
    apply(tokens, end) {
      if (tokens.length === 0) return [];
      const terms = [...new Set(tokens.map(({ term }) => term))].sort((a, b) => (a < b ? -1 : 1));
      const term = terms.join(separator);
      if (term.length > max) return [];
      const token = { term, start: 0, end, position: 0, positionLength: 1, type: 'fingerprint' };
      return setPositionCount([token], 2);
    },
  };
}

/** The separator of fingerprints. */
function fingerprintSeparator(params: JsonObject): string {
  const separator = textParam(params, 'separator') ?? SEPARATOR;
  if (separator.length !== 1)
    throw illegalArgument(
      `Setting [separator] must be a single, non-null character. [${separator}] was provided.`,
    );
  return separator;
}

const MASK = 0xffff_ffff_ffff_ffffn;

/** The least hashes of the tokens in each bucket: texts with many equal tokens have many equal hashes (Broder, 1997). */
export function minHash(name: string, params: JsonObject): TokenFilter {
  const hashCount = intParam(params, 'hash_count', 1);
  const bucketCount = intParam(params, 'bucket_count', 512);
  const setSize = intParam(params, 'hash_set_size', 1);
  const rotates = boolParam(params, 'with_rotation', bucketCount > 1);
  for (const [key, value] of Object.entries({ hashCount, bucketCount, hashSetSize: setSize })) {
    if (value <= 0) throw illegalArgument(`${key} must be greater than zero`);
  }
  if (hashCount * bucketCount > 65_536)
    throw illegalArgument(`filter [${name}]: [hash_count] times [bucket_count] must not exceed 65536`);
  const width = (2n ** 32n + BigInt(bucketCount) - 1n) / BigInt(bucketCount);
  const variants = Array.from({ length: hashCount }, (_, i) => murmur128(Uint8Array.of(0, 0, i >> 8, i)));

  const leastOf = (hashes: readonly Hash128[], variant: Hash128): Hash128[][] => {
    const buckets: Hash128[][] = Array.from({ length: bucketCount }, () => []);
    for (const hash of hashes) {
      const high = (hash.high * 37n + variant.high) & MASK;
      const low = (hash.low * 37n + variant.low) & MASK;
      const bucket = buckets[Number((high >> 32n) / width)]!;
      if (bucket.some((one) => one.high === high && one.low === low)) continue;
      bucket.push({ high, low });
      bucket.sort((a, b) => (a.high < b.high || (a.high === b.high && a.low < b.low) ? -1 : 1));
      bucket.length = Math.min(bucket.length, setSize);
    }
    if (rotates && setSize === 1) fillEmpty(buckets);
    return buckets;
  };

  return {
    name,
    apply(tokens) {
      const last = tokens.at(-1);
      if (last === undefined) return [];
      const hashes = tokens.map(({ term }) => murmur128(Buffer.from(term, 'utf16le')));
      const out: Token[] = [];
      for (const [i, variant] of variants.entries()) {
        for (const { high, low } of leastOf(hashes, variant).flat()) {
          const units = [...unitsOf(high), ...unitsOf(low)];
          const shown = hashCount > 1 ? [i >> 16, i & 0xffff, ...units.slice(0, 6)] : units;
          const term = String.fromCharCode(...shown);
          out.push({ term, start: 0, end: last.end, position: 0, positionLength: 1, type: 'MIN_HASH' });
        }
      }
      return setPositionCount(out, 1);
    },
  };
}

/** Gives each empty bucket the hash of the next bucket that has one. */
function fillEmpty(buckets: Hash128[][]): void {
  const count = buckets.length;
  let next: Hash128 | undefined = buckets.find((bucket) => bucket.length > 0)?.[0];
  for (let i = count - 1; i >= 0; i--) {
    const own = buckets[i]![0];
    if (own !== undefined) next = own;
    else if (next !== undefined) buckets[i] = [next];
  }
}

function unitsOf(value: bigint): number[] {
  return [48n, 32n, 16n, 0n].map((shift) => Number((value >> shift) & 0xffffn));
}
