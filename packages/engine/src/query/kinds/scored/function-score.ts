// function_score: the matches of a query, with a score that functions of the document decide
// (score-functions/ has one file per function).

import { type EngineError, illegalArgument } from '../../../errors.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { attachPlace } from '../../../place.ts';
import { didYouMean } from '../../did-you-mean.ts';
import { parsingError } from '../../errors.ts';
import { constantNode } from '../../node/clauses/constant-score-node.ts';
import { type BoostMode, FunctionScoreNode, type ScoreMode } from '../../node/clauses/function-score-node.ts';
import { AllNode } from '../../node/clauses/match-all-node.ts';
import { isObject, jsonToken, objectBody, readNumber, readParameters, readText } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import { SCORE_FUNCTIONS } from '../../score-functions/registry.ts';
import type { ScoreFunctionSpec } from '../../score-functions/score-function.ts';
import type { Parser, QueryKind } from '../kind.ts';

interface FunctionEntry {
  readonly filter: Query | undefined;
  readonly spec: ScoreFunctionSpec | undefined;
  readonly weight: number | undefined;
}

interface FunctionScoreQuery extends Query {
  readonly kind: 'function_score';
  readonly query: Query | undefined;
  readonly functions: readonly FunctionEntry[];
  readonly scoreMode: ScoreMode;
  readonly boostMode: BoostMode;
  readonly maxBoost: number;
  readonly minScore: number | undefined;
}

const SCORE_MODES: readonly ScoreMode[] = ['MULTIPLY', 'SUM', 'AVG', 'FIRST', 'MAX', 'MIN'];
const BOOST_MODES: readonly BoostMode[] = ['MULTIPLY', 'REPLACE', 'SUM', 'AVG', 'MAX', 'MIN'];
const KIND = 'function_score';
/** The default of `max_boost`: what functions give stays finite. */
const GREATEST_FLOAT = (2 - 2 ** -23) * 2 ** 127;

function failed(reason: string): EngineError {
  return parsingError(`failed to parse [function_score] query. ${reason}`);
}

/** Reads a function by name. */
function readFunction(name: string, body: JsonObject): ScoreFunctionSpec {
  const kind = SCORE_FUNCTIONS.get(name);
  if (kind !== undefined) {
    try {
      return kind.parse(body);
    } catch (error) {
      throw attachPlace(error as EngineError, { holder: body, at: 'end' });
    }
  }
  const known = [...SCORE_FUNCTIONS.keys()];
  throw parsingError(`unknown query [function_score]${didYouMean(KIND, known)}`);
}

function readWeight(value: JsonValue): number {
  const weight = Math.fround(readNumber(value, KIND, 'weight'));
  if (weight < 0) throw illegalArgument('[weight] cannot be negative for a filtering function');
  return weight;
}

/** Reads one of `functions`. */
function readEntry(json: JsonValue, parser: Parser): FunctionEntry {
  if (!isObject(json)) {
    throw parsingError(
      `failed to parse [START_OBJECT]. malformed query, expected a [${jsonToken(json)}] while parsing functions but got a [function_score] instead`,
    );
  }
  let filter: Query | undefined;
  let spec: ScoreFunctionSpec | undefined;
  let found: string | undefined;
  let weight: number | undefined;
  const readMember = (key: string, value: JsonValue): void => {
    if (key === 'weight') weight = readWeight(value);
    else if (key === 'filter') filter = parser.query(value);
    else if (!isObject(value)) {
      throw parsingError(`failed to parse function_score functions. field [${key}] is not supported`);
    } else if (found !== undefined) {
      throw parsingError(
        `failed to parse function_score functions. already found [${found}], now encountering [${key}].`,
      );
    } else {
      spec = readFunction(key, value);
      found = key;
    }
  };
  for (const [key, value] of Object.entries(json)) {
    try {
      readMember(key, value);
    } catch (error) {
      throw attachPlace(error as EngineError, { holder: json, key, at: 'value' });
    }
  }
  if (spec === undefined && weight === undefined)
    throw failed('an entry in functions list is missing a function.');
  return Object.freeze({ filter, spec, weight });
}

function readMode<M extends string>(modes: readonly M[], text: string, type: string): M {
  const mode = modes.find((each) => each === text.toUpperCase());
  if (mode !== undefined) return mode;
  throw illegalArgument(
    `No enum constant org.opensearch.common.lucene.search.function.${type}.${text.toUpperCase()}`,
  );
}

export const functionScore: QueryKind<FunctionScoreQuery> = {
  name: KIND,
  parse(json, parser) {
    const body = objectBody(KIND, json);
    let query: Query | undefined;
    let list: FunctionEntry[] | undefined;
    let single: FunctionEntry | undefined;
    let singleName: string | undefined;
    let scoreMode: ScoreMode = 'MULTIPLY';
    let boostMode: BoostMode = 'MULTIPLY';
    let maxBoost = GREATEST_FLOAT;
    let minScore: number | undefined;
    const both = (already: string, now: string): EngineError =>
      failed(
        `[you can either define [functions] array or a single function, not both. already found ${already}, now encountering [${now}].]`,
      );
    const one = (name: string, read: () => FunctionEntry): void => {
      if (list !== undefined) throw both('[functions] array', name);
      if (singleName !== undefined) {
        throw failed(
          `already found function [${singleName}], now encountering [${name}]. use [functions] array if you want to define several functions.`,
        );
      }
      single = read();
      singleName = name;
    };
    const member = (name: string) => (value: JsonValue) => {
      if (Array.isArray(value)) throw failed(`array [${name}] is not supported`);
      if (!isObject(value)) throw failed(`field [${name}] is not supported`);
      one(name, () => ({ filter: undefined, spec: readFunction(name, value), weight: undefined }));
    };
    const own = {
      query: (v: JsonValue) => {
        if (query !== undefined) throw failed('[query] is already defined.');
        query = parser.query(v);
      },
      functions: (v: JsonValue) => {
        if (!Array.isArray(v)) return member('functions')(v);
        if (singleName !== undefined) throw both(`[${singleName}]`, 'functions');
        list = v.map((each) => readEntry(each, parser));
      },
      weight: (v: JsonValue) =>
        one('weight', () => ({ filter: undefined, spec: undefined, weight: readWeight(v) })),
      score_mode: (v: JsonValue) =>
        (scoreMode = readMode(SCORE_MODES, readText(v, KIND, 'score_mode'), 'FunctionScoreQuery.ScoreMode')),
      boost_mode: (v: JsonValue) =>
        (boostMode = readMode(BOOST_MODES, readText(v, KIND, 'boost_mode'), 'CombineFunction')),
      max_boost: (v: JsonValue) => (maxBoost = Math.fround(readNumber(v, KIND, 'max_boost'))),
      min_score: (v: JsonValue) => (minScore = Math.fround(readNumber(v, KIND, 'min_score'))),
    };
    const functionNames = Object.keys(body).filter(
      (key) => !Object.hasOwn(own, key) && key !== 'boost' && key !== '_name',
    );
    const readers = { ...own, ...Object.fromEntries(functionNames.map((name) => [name, member(name)])) };
    const common = readParameters(KIND, body, readers);
    const functions = Object.freeze(list ?? (single === undefined ? [] : [single]));
    return Object.freeze({
      kind: KIND,
      query,
      functions,
      scoreMode,
      boostMode,
      maxBoost,
      minScore,
      ...common,
    });
  },
  isNone: ({ query }, planner) => query !== undefined && planner.isNone(query),
  plan(query, planner, boost) {
    const { functions, scoreMode, boostMode, maxBoost, minScore } = query;
    // As in the peer a boost of 0 makes a constant score, and boosts do not count where scores do not.
    if (planner.scores && boost === 0)
      return constantNode(
        planner.withoutScores(() => functionScore.plan(query, planner, 1)),
        0,
      );
    const own = planner.scores ? boost : 1;
    const inner = () => (query.query === undefined ? new AllNode(own) : planner.plan(query.query, own));
    // Without scores only a minimum score needs the functions.
    const isNeeded = planner.scores || minScore !== undefined;
    planner.countClauses(functions.length);
    const weighted = functions.map(({ filter, spec, weight }) => ({
      filter: filter === undefined ? undefined : planner.filter(filter),
      // Mistakes in functions are told without scores, too.
      function: spec?.plan(planner),
      weight,
    }));
    if (!isNeeded) return inner();
    // A single function without a filter ignores `score_mode`: `avg` would divide by its weight.
    const isOne = functions.length === 1 && (functions[0]!.filter?.kind ?? 'match_all') === 'match_all';
    const options = {
      functions: weighted,
      scoreMode: isOne ? ('FIRST' as const) : scoreMode,
      boostMode,
      maxBoost,
      minScore,
    };
    return new FunctionScoreNode(planner.withScores(inner), options);
  },
};
