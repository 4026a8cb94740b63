// Scores of features: log, saturation, sigmoid and linear of their values, in the precision of Lucene's FeatureField.

import { illegalArgument } from '../../errors.ts';
import { javaDouble } from '../../json/java-double.ts';
import { FEATURE_BYTES, featureBits, featureValue } from '../../mapping/types/features.ts';
import { shortestFloat } from '../../mapping/types/shortest-float.ts';
import type { Terms } from '../../segment/leaf.ts';
import { byteKey } from '../node/cache-key.ts';
import type { ScoreFunction } from '../node/clauses/function-score-node.ts';
import { prefixTerms, startsWith } from '../node/terms/term-sources.ts';
import type { Statistics } from '../plan/statistics.ts';
import type { TermSource } from '../query-terms.ts';
import type { Steps } from '../steps.ts';
import { rowsOf } from './field-numbers.ts';

/** A function of the value of a feature. */
export interface FeatureCurve {
  readonly kind: 'log' | 'saturation' | 'sigmoid' | 'linear';
  /**
   * Scores values for a weight. `isPositive`: greater values are stored as such, and not as their inverse. `mean` gives the
   * mean value of the feature in the index. Throws illegal_argument_exception for parameters out of bounds.
   */
  scorer(isPositive: boolean, mean: () => number): (value: number, weight: number) => number;
}

const { fround } = Math;

function outOfBounds(name: string, bound: string, value: number): Error {
  const text = javaDouble(value, String(Math.abs(shortestFloat(value))));
  return illegalArgument(`${name} must be ${bound}, got: ${text}`);
}

function checkedPivot(pivot: number): number {
  if (pivot > 0 && Number.isFinite(pivot)) return pivot;
  throw outOfBounds('pivot', '> 0', pivot);
}

/** A curve with its parameters, floats by their names. */
export function readCurve(kind: FeatureCurve['kind'], numbers: ReadonlyMap<string, number>): FeatureCurve {
  switch (kind) {
    case 'log':
      return { kind, scorer: (isPositive) => logScorer(numbers.get('scaling_factor')!, isPositive) };
    case 'saturation':
      return {
        kind,
        scorer(_isPositive, mean) {
          const given = numbers.get('pivot');
          const pivot = given === undefined ? mean() : checkedPivot(given);
          // Not value / (value + pivot), which may fall where the value grows.
          return (value, weight) => weight * fround(1 - fround(pivot / fround(value + pivot)));
        },
      };
    case 'sigmoid':
      return {
        kind,
        scorer: () => sigmoidScorer(numbers.get('pivot')!, numbers.get('exponent')!),
      };
    case 'linear':
      return { kind, scorer: () => (value, weight) => weight * value };
  }
}

function logScorer(factor: number, isPositive: boolean): (value: number, weight: number) => number {
  if (!isPositive) {
    throw illegalArgument(
      'Cannot use the [log] function with a field that has a negative score impact as it would trigger negative scores',
    );
  }
  if (!(factor >= 1 && Number.isFinite(factor))) throw outOfBounds('scalingFactor', '>= 1', factor);
  return (value, weight) => weight * Math.log(fround(factor + value));
}

function sigmoidScorer(given: number, exponent: number): (value: number, weight: number) => number {
  const pivot = checkedPivot(given);
  if (!(exponent > 0 && Number.isFinite(exponent))) throw outOfBounds('exp', '> 0', exponent);
  const power = pivot ** exponent;
  return (value, weight) => weight * (1 - power / (value ** exponent + power));
}

/** The terms of one feature. */
export function featureTerms(prefix: Uint8Array): TermSource {
  const within = prefixTerms(prefix);
  return {
    key: `feature${byteKey('', prefix)}`,
    *ordinals(terms) {
      const all = yield* within.ordinals(terms);
      // A longer name may begin with the same bytes.
      return Array.from(all).filter((each) => terms.term(each).length === prefix.length + FEATURE_BYTES);
    },
  };
}

/** The mean value of a feature, as far as its bits can hold it; 1 where no document has it. */
export function* meanFeature(stats: Statistics, path: string, source: TermSource): Steps<number> {
  const { docFreq, totalTermFreq } = yield* stats.sum(path, source, featureBits);
  return docFreq === 0 ? 1 : featureValue(fround(totalTermFreq / docFreq));
}

/** Scores the value of a feature. Different values are few, and each is scored once in a leaf. */
export function featureScore(
  path: string,
  prefix: Uint8Array,
  score: (value: number, weight: number) => number,
  weight: number,
): ScoreFunction {
  return {
    forLeaf(leaf) {
      const column = leaf.column(path);
      if (column?.kind !== 'ordinal') return () => 0;
      const { terms, ordinals } = column;
      const { start, end } = rowsOf(column);
      const isAlone = prefix.length === 0;
      const first = terms.sorted && !isAlone ? terms.lowerBound(prefix) : 0;
      const scores = new Map<number, number>();
      const scoreOf = (ordinal: number): number => {
        let known = scores.get(ordinal);
        if (known === undefined) scores.set(ordinal, (known = termScore(terms, ordinal)));
        return known;
      };
      /** NaN for a term of another feature. */
      const termScore = (from: Terms, ordinal: number): number => {
        const term = from.term(ordinal);
        if (term.length !== prefix.length + FEATURE_BYTES || !startsWith(term, prefix)) return Number.NaN;
        return score(featureValue(featureBits(term)), weight);
      };
      return (doc) => {
        const stop = end(doc);
        let at = start(doc);
        if (first > 0) at = lowerBound(ordinals, at, stop, first);
        for (; at < stop; at++) {
          const own = scoreOf(ordinals[at]!);
          if (!Number.isNaN(own)) return own;
        }
        return 0;
      };
    },
  };
}

/** The first place in [from … to) of ascending numbers with one of at least `least`. */
function lowerBound(numbers: ArrayLike<number>, from: number, to: number, least: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
