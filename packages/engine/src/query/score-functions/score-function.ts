// The contract of one kind of score function. Each kind parses its own body, and plans itself against an index.

import type { JsonObject } from '../../json/value.ts';
import type { ScoreFunction } from '../node/clauses/function-score-node.ts';
import type { Planner } from '../plan/planner.ts';

/** A parsed function: it plans itself. */
export interface ScoreFunctionSpec {
  plan(planner: Planner): ScoreFunction;
}

/** One kind of function. */
export interface ScoreFunctionKind {
  readonly name: string;
  parse(body: JsonObject): ScoreFunctionSpec;
}
