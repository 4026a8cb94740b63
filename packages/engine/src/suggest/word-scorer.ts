// How likely words are to follow each other in a field: the smoothing models of the phrase suggester. Sequences of
// words are terms of the field, made by shingles.

import { illegalArgument } from '../errors.ts';
import { plainText } from '../json/java-text.ts';
import type { JsonValue } from '../json/value.ts';
import { isObject } from '../query/parameters.ts';

/** A word that may stand at a place of a text. */
export interface Candidate {
  readonly word: string;
  readonly frequency: number;
  /** How close it is to the word of the text: 1 for that itself. */
  readonly closeness: number;
  readonly isOriginal: boolean;
}

/** What a model knows of a field. */
export interface WordCounts {
  /** Occurrences of all words, and how many different words there are. */
  readonly total: number;
  readonly distinct: number;
  frequency(term: string): number;
}

/** The probability of a word behind the words before it, nearest first; there are at most two. */
export type SmoothingModel = (counts: WordCounts, word: Candidate, before: readonly Candidate[]) => number;

const EPSILON = 0.00000000001;

function unigram({ total, distinct }: WordCounts, { frequency }: Candidate): number {
  return (1 + frequency) / (total + distinct);
}

function joined(separator: string, words: readonly Candidate[]): string {
  return words
    .map(({ word }) => word)
    .reverse()
    .join(separator);
}

/** Brants et al., Large Language Models in Machine Translation (2007). */
function stupidBackoff(discount: number, separator: string): SmoothingModel {
  return (counts, word, before) => {
    const [first, second] = before;
    if (first === undefined) return unigram(counts, word);
    const two = counts.frequency(joined(separator, [word, first]));
    if (second !== undefined) {
      const three = counts.frequency(joined(separator, [word, first, second]));
      if (three >= 1) return three / (two + EPSILON);
      if (two >= 1) return discount * (two / (first.frequency + EPSILON));
      return discount * unigram(counts, word);
    }
    return two < 1 ? discount * unigram(counts, word) : two / (first.frequency + EPSILON);
  };
}

/** Additive smoothing. */
function laplace(alpha: number, separator: string): SmoothingModel {
  return (counts, word, before) => {
    const [first, second] = before;
    const others = alpha * counts.distinct;
    if (first === undefined) return (alpha + word.frequency) / (counts.total + others);
    if (second === undefined) {
      return (alpha + counts.frequency(joined(separator, [word, first]))) / (first.frequency + others);
    }
    const three = counts.frequency(joined(separator, [word, first, second]));
    return (alpha + three) / (counts.frequency(joined(separator, [word, first])) + others);
  };
}

/** A weighted sum of the probabilities of sequences of each length. */
function linearInterpolation(
  [tri, bi, uni]: readonly [number, number, number],
  separator: string,
): SmoothingModel {
  const bigram = (counts: WordCounts, word: Candidate, first: Candidate): number => {
    const two = counts.frequency(joined(separator, [word, first]));
    const one = uni * unigram(counts, word);
    return two < 1 ? one : bi * (two / (0.5 + first.frequency)) + one;
  };
  return (counts, word, before) => {
    const [first, second] = before;
    if (first === undefined) return unigram(counts, word);
    if (second === undefined) return bigram(counts, word, first);
    // As in the peer the words are joined backwards, which few fields have.
    const three = counts.frequency(joined(separator, [second, first, word]));
    const shorter = bigram(counts, word, first);
    if (three < 1) return shorter;
    return tri * (three / (1 + counts.frequency(joined(separator, [word, first])))) + shorter;
  };
}

/** Reads `smoothing`; stupid backoff by default. */
export function readSmoothing(json: JsonValue | undefined): (separator: string) => SmoothingModel {
  if (json === undefined) return (separator) => stupidBackoff(0.4, separator);
  const [entry, ...others] = isObject(json) ? Object.entries(json) : [];
  if (entry === undefined || others.length > 0 || !isObject(entry[1]))
    throw illegalArgument('[smoothing] must be an object with one model');
  const [name, options] = entry;
  const number = (member: string, fallback: number): number => {
    const value = options[member];
    if (value === undefined) return fallback;
    const found = Number(plainText(value));
    if (Number.isFinite(found)) return found;
    throw illegalArgument(`[${member}] of smoothing model [${name}] must be a number`);
  };
  switch (name) {
    case 'stupid_backoff': {
      const discount = number('discount', 0.4);
      return (separator) => stupidBackoff(discount, separator);
    }
    case 'laplace': {
      const alpha = number('alpha', 0.5);
      return (separator) => laplace(alpha, separator);
    }
    case 'linear': {
      const lambdas = [number('trigram_lambda', 0), number('bigram_lambda', 0), number('unigram_lambda', 0)];
      if (Math.abs(lambdas.reduce((a, b) => a + b) - 1) > 0.001)
        throw illegalArgument('linear smoothing lambdas must sum to 1');
      return (separator) => linearInterpolation(lambdas as [number, number, number], separator);
    }
    default:
      throw illegalArgument(`suggester[phrase] doesn't support object field [${name}]`);
  }
}
