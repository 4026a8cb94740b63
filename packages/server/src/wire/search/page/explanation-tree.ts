// Explanations as replies print them.

import type { Explanation } from '@octavo/engine';
import { float } from '../../../json/number-text.ts';
import type { ReplyObject } from '../../../json/reply-value.ts';

/** Descriptions that count something: the peer prints their values as integers. */
const COUNTS = /^(n|N), /;

/** An explanation with its parts. */
export function explanationTree({ value, description, details }: Explanation): ReplyObject {
  return {
    value: COUNTS.test(description) ? value : float(value),
    description,
    details: details.map(explanationTree),
  };
}
