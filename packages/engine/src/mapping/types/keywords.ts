// Keyword-like types: values as term bytes, normalised if the mapping says so.

import type { Analyzer } from '../../analysis/analyzer.ts';
import { bytesOf, utf8Text } from '../../json/bytes.ts';
import type { JsonValue } from '../../json/value.ts';
import { isGiven, valueText } from './integers.ts';
import type { BytesType } from './type.ts';

/** The query side of a keyword. `prefix` precedes every value (for keys below a flat_object). */
export function keywordType(normalizer: Analyzer | undefined, prefix = ''): BytesType {
  const encode = (value: JsonValue): Uint8Array => bytesOf(prefix + normalize(normalizer, valueText(value)));
  // The empty last byte makes an exclusive bound inclusive: nothing sorts between b and b + 0x00.
  const after = (bytes: Uint8Array): Uint8Array => {
    const out = new Uint8Array(bytes.length + 1);
    out.set(bytes);
    return out;
  };
  return {
    ...(prefix === '' ? {} : { prefix }),
    encode,
    decode: (bytes) => utf8Text(bytes, prefix.length, bytes.length),
    range(bounds) {
      let min = bytesOf(prefix);
      let max: Uint8Array | undefined = prefix === '' ? undefined : bytesOf(`${prefix}\u{10ffff}`);
      if (isGiven(bounds.gte)) min = later(min, encode(bounds.gte));
      if (isGiven(bounds.gt)) min = later(min, after(encode(bounds.gt)));
      if (isGiven(bounds.lte)) max = earlier(max, encode(bounds.lte));
      if (isGiven(bounds.lt)) {
        const below = before(encode(bounds.lt));
        if (below === undefined) return undefined;
        max = earlier(max, below);
      }
      return max !== undefined && Buffer.compare(min, max) > 0 ? undefined : { min, max };
    },
  };
}

/** A value as a normalizer leaves it: its tokens joined. */
export function normalize(normalizer: Analyzer | undefined, text: string): string {
  if (normalizer === undefined) return text;
  return normalizer
    .analyze(text)
    .map((token) => token.term)
    .join('');
}

function later(a: Uint8Array, b: Uint8Array): Uint8Array {
  return Buffer.compare(a, b) >= 0 ? a : b;
}

function earlier(a: Uint8Array | undefined, b: Uint8Array): Uint8Array {
  return a === undefined || Buffer.compare(b, a) < 0 ? b : a;
}

/** Longest term in bytes, as in OpenSearch. */
export const MAX_TERM = 32_766;

/** The largest term below `bytes` that UTF-8 text of legal length can be; undefined below the empty term. */
function before(bytes: Uint8Array): Uint8Array | undefined {
  const last = bytes.length - 1;
  if (last < 0) return undefined;
  if (bytes[last] === 0) return bytes.slice(0, last);
  const out = new Uint8Array(MAX_TERM + 1).fill(255);
  out.set(bytes);
  out[last]! -= 1;
  return out;
}
