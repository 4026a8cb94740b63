// All score functions by their names on the wire. A function is one file; it is known once it is listed here.

import { exp, gauss, linear } from './decay.ts';
import { fieldValueFactor } from './field-value-factor.ts';
import { randomScore } from './random-score.ts';
import type { ScoreFunctionKind } from './score-function.ts';

const ALL: readonly ScoreFunctionKind[] = [exp, fieldValueFactor, gauss, linear, randomScore];

/** Functions by name. */
export const SCORE_FUNCTIONS: ReadonlyMap<string, ScoreFunctionKind> = new Map(
  ALL.map((kind) => [kind.name, kind]),
);

/** Functions of the peer that are refused, each with the reason. */
export const UNSUPPORTED_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['script_score', 'scripts are not supported; use [field_value_factor] or a decay'],
]);
