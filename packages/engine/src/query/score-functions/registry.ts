// All score functions by their names on the wire. A function is one file; it is known once it is listed here.

import { exp, gauss, linear } from './decay.ts';
import { fieldValueFactor } from './field-value-factor.ts';
import { randomScore } from './random-score.ts';
import type { ScoreFunctionKind } from './score-function.ts';
import { scriptScoreFunction } from './script-score.ts';

const ALL: readonly ScoreFunctionKind[] = [
  exp,
  fieldValueFactor,
  gauss,
  linear,
  randomScore,
  scriptScoreFunction,
];

/** Functions by name. */
export const SCORE_FUNCTIONS: ReadonlyMap<string, ScoreFunctionKind> = new Map(
  ALL.map((kind) => [kind.name, kind]),
);
