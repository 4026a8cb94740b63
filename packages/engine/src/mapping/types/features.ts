// Features: positive numbers that only move the score of a document (rank_feature, rank_features). A value keeps nine
// significant bits, as in Lucene's FeatureField, and is a term of its field:
//
//   [ name of the feature, and a zero | bits of the value: 2 bytes ]      the name is absent for a rank_feature
//
// So values of one feature are neighbours in the dictionary, in the order of their size.

import { illegalArgument } from '../../errors.ts';
import { bytesOf } from '../../json/bytes.ts';
import { javaDouble } from '../../json/java-double.ts';
import { shortestFloat } from './shortest-float.ts';
import type { FieldKind } from './type.ts';

/** Bytes of a value at the end of its term. */
export const FEATURE_BYTES = 2;

/** The smallest normal float. */
const SMALLEST = 2 ** -126;

const float = new Float32Array(1);
const word = new Uint32Array(float.buffer);

/** Whether fields of a kind hold features. */
export function isFeature(kind: FieldKind): boolean {
  return kind === 'rank_feature' || kind === 'rank_features';
}

/** What terms of a feature begin with. An empty name stands for the feature of a rank_feature. */
export function featurePrefix(kind: FieldKind, name: string): Uint8Array {
  return kind === 'rank_feature' ? new Uint8Array() : bytesOf(`${name}\0`);
}

/** A value as a term. `shownAs` names feature and field in errors. */
export function featureTerm(prefix: Uint8Array, value: number, shownAs: string): Uint8Array {
  const single = Math.fround(value);
  const text = javaDouble(single, String(Math.abs(shortestFloat(single))));
  if (!Number.isFinite(single))
    throw illegalArgument(`featureValue must be finite, got: ${text} for feature ${shownAs}`);
  if (single < SMALLEST) {
    throw illegalArgument(
      `featureValue must be a positive normal float, got: ${text} for feature ${shownAs} which is less than the minimum positive normal float: 1.1754944E-38`,
    );
  }
  float[0] = single;
  const term = new Uint8Array(prefix.length + FEATURE_BYTES);
  term.set(prefix);
  term[prefix.length] = word[0]! >>> 23;
  term[prefix.length + 1] = (word[0]! >>> 15) & 0xff;
  return term;
}

/** The bits of the value that a term ends with. */
export function featureBits(term: Uint8Array): number {
  return (term[term.length - 2]! << 8) | term[term.length - 1]!;
}

/** The value of some bits; of a mean of several, the value next below it. */
export function featureValue(bits: number): number {
  word[0] = Math.trunc(bits) << 15;
  return float[0]!;
}
