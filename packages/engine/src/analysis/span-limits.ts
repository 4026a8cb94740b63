// Limits the span of n-grams and shingles: every token yields one term per size, so the settings of an
// index bound the range of sizes.

import { illegalArgument } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { boolParam, intParam } from './params.ts';

/** `index.max_ngram_diff` and `index.max_shingle_diff`. */
export interface SpanLimits {
  readonly ngram: number;
  readonly shingle: number;
}

/** The limits in the settings of an index, with OpenSearch's defaults. */
export function spanLimits(settings: JsonObject): SpanLimits {
  return {
    ngram: intParam(settings, 'index.max_ngram_diff', 1),
    shingle: intParam(settings, 'index.max_shingle_diff', 3),
  };
}

/** Throws illegal_argument_exception if a component of this type spans more than the limits allow. */
export function checkSpan(type: string, params: JsonObject, limits: SpanLimits): void {
  if (type === 'ngram') {
    const diff = intParam(params, 'max_gram', 2) - intParam(params, 'min_gram', 1);
    if (diff > limits.ngram) {
      throw illegalArgument(
        `The difference between max_gram and min_gram in NGram Tokenizer must be less than or equal to: [${limits.ngram}] but was [${diff}]. This limit can be set by changing the [index.max_ngram_diff] index level setting.`,
      );
    }
  } else if (type === 'shingle') {
    const span = intParam(params, 'max_shingle_size', 2) - intParam(params, 'min_shingle_size', 2);
    const diff = span + (boolParam(params, 'output_unigrams', true) ? 1 : 0);
    if (diff > limits.shingle) {
      throw illegalArgument(
        `In Shingle TokenFilter the difference between max_shingle_size and min_shingle_size (and +1 if outputting unigrams) must be less than or equal to: [${limits.shingle}] but was [${diff}]. This limit can be set by changing the [index.max_shingle_diff] index level setting.`,
      );
    }
  }
}
