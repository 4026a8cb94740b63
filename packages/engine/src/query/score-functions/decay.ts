// gauss, exp, linear: a score that falls with the distance of a value from an origin. At `scale` beyond `offset` it
// is `decay`. Documents without a value score 1.

import { EngineError, illegalArgument } from '../../errors.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { type DecayCurve, expCurve, gaussCurve, linearCurve } from '../../score/decay-curves.ts';
import { misfitFunction, parsingError } from '../errors.ts';
import type { ScoreFunction } from '../node/clauses/function-score-node.ts';
import { isObject, readText } from '../parameters.ts';
import type { Planner } from '../plan/planner.ts';
import { type DecaySpace, decaySpace } from './decay-space.ts';
import { rowsOf } from './field-numbers.ts';
import type { ScoreFunctionKind } from './score-function.ts';

/** Which of the distances of several values counts. */
type ValueMode = 'MIN' | 'MAX' | 'AVG' | 'SUM' | 'MEDIAN';
const MODES: readonly string[] = ['MIN', 'MAX', 'AVG', 'SUM', 'MEDIAN'] satisfies ValueMode[];

interface DecayOptions {
  readonly field: string;
  readonly parameters: JsonObject;
  readonly mode: ValueMode;
}

const PARAMETERS: readonly string[] = ['origin', 'scale', 'offset', 'decay'];

function planDecay(options: DecayOptions, curve: DecayCurve, planner: Planner): ScoreFunction {
  const { field: path, parameters, mode } = options;
  const field = planner.field(path);
  if (field === undefined) throw misfitFunction(`unknown field [${path}]`, 0);
  for (const key of Object.keys(parameters)) {
    if (!PARAMETERS.includes(key))
      throw new EngineError('parse_exception', `parameter [${key}] not supported!`);
  }
  const space = decaySpace(field, parameters, planner);
  const decay = readDecay(parameters['decay']);
  if (!(space.scale > 0)) throw illegalArgument('function_score : scale must be > 0.0.');
  if (!(decay > 0 && decay < 1)) throw illegalArgument('function_score : decay must be in the range [0..1].');
  if (!(space.offset >= 0)) throw illegalArgument('function_score : offset must be > 0.0');
  const score = curve(space.scale, decay);
  return {
    description: `Function for field ${field.path}:`,
    forLeaf(leaf) {
      const column = leaf.column(field.path);
      if (column?.kind !== 'numeric') return () => score(0);
      const { start, end } = rowsOf(column);
      const distanceAt = space.distances(column);
      return (doc) => score(combine(start(doc), end(doc), distanceAt, space, mode));
    },
  };
}

/** The one distance of a document: 0 without a value. */
function combine(
  start: number,
  end: number,
  distanceAt: (at: number) => number,
  { offset }: DecaySpace,
  mode: ValueMode,
): number {
  if (start >= end) return 0;
  const distance = (at: number): number => Math.max(0, distanceAt(at) - offset);
  if (end === start + 1) return distance(start);
  const all = Array.from({ length: end - start }, (_, i) => distance(start + i)).sort((a, b) => a - b);
  const n = all.length;
  switch (mode) {
    case 'MIN':
      return all[0]!;
    case 'MAX':
      return all[n - 1]!;
    case 'MEDIAN':
      return n % 2 === 1 ? all[n >> 1]! : (all[(n >> 1) - 1]! + all[n >> 1]!) / 2;
    default: {
      const sum = all.reduce((total, each) => total + each, 0);
      return mode === 'SUM' ? sum : sum / n;
    }
  }
}

function readDecay(value: JsonValue | undefined): number {
  if (value === undefined) return 0.5;
  const decay = typeof value === 'object' ? Number.NaN : Number(value);
  if (Number.isNaN(decay))
    throw new EngineError('number_format_exception', `For input string: "${String(value)}"`);
  return decay;
}

function decayKind(name: string, curve: DecayCurve): ScoreFunctionKind {
  return {
    name,
    parse(body) {
      let field: string | undefined;
      let parameters: JsonObject = {};
      let mode: ValueMode = 'MIN';
      for (const [key, value] of Object.entries(body)) {
        if (isObject(value)) {
          field = key;
          parameters = value;
        } else if (key === 'multi_value_mode') mode = readMode(readText(value, name, key));
        else throw parsingError('malformed score function score parameters.');
      }
      if (field === undefined) throw parsingError('malformed score function score parameters.');
      const options = Object.freeze({ field, parameters, mode });
      return { plan: (planner) => planDecay(options, curve, planner) };
    },
  };
}

function readMode(text: string): ValueMode {
  const mode = text.toUpperCase();
  if (MODES.includes(mode)) return mode as ValueMode;
  throw illegalArgument(`Illegal sort mode: ${text}`);
}

export const gauss: ScoreFunctionKind = decayKind('gauss', gaussCurve);
export const exp: ScoreFunctionKind = decayKind('exp', expCurve);
export const linear: ScoreFunctionKind = decayKind('linear', linearCurve);
