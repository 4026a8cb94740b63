// Combines the score of a query with the values of functions (Lucene's and OpenSearch's FunctionScoreQuery): each
// function counts where its filter matches.

import { EngineError } from '../../../errors.ts';
import { javaDouble } from '../../../json/java-double.ts';
import { andInto, hasBit, nextSetBit } from '../../../kernels/bits.ts';
import { SearchMeter } from '../../../scripts/documents/search-meter.ts';
import { CHUNK_DOCS, type Leaf } from '../../../segment/leaf.ts';
import { runToEnd } from '../../../turn.ts';
import { type Matcher, testsDocuments } from '../../matcher.ts';
import { effortOf, matchAllAhead, type Steps } from '../../steps.ts';
import { chunkDocs, listDocs } from '../chunk-docs.ts';
import { borrowScores, newBits, type PlanNode, returnScores } from '../node.ts';
import { NOTHING } from './match-all-node.ts';
import { ScoreResults, type UseScore } from './score-results.ts';

/** Scores a document. `score` is what the query itself gave it. */
export type ScoreDocument = (doc: number, score: number) => number;

/** A function that is planned against one index. */
export interface ScoreFunction {
  /** Whether one document may take long, and counts in the meter. @default false */
  readonly isSlow?: boolean;
  /** What explanations call the function. */
  readonly description?: string;
  /** Whether its value depends on the score of the query. */
  readonly takesScore?: boolean;
  forLeaf(leaf: Leaf, meter: SearchMeter): ScoreDocument;
}

/** How the values of functions become one. */
export type ScoreMode = 'MULTIPLY' | 'SUM' | 'AVG' | 'FIRST' | 'MAX' | 'MIN';

/** How that value and the score of the query become one. */
export type BoostMode = 'MULTIPLY' | 'REPLACE' | 'SUM' | 'AVG' | 'MAX' | 'MIN';

/** A function with its filter and weight. */
export interface WeightedFunction {
  /** Undefined where every document counts. */
  readonly filter: PlanNode | undefined;
  /** Undefined where the value is the weight itself. */
  readonly function: ScoreFunction | undefined;
  readonly weight: number | undefined;
}

/** What decides the score beside the query. */
export interface FunctionScoreOptions {
  readonly functions: readonly WeightedFunction[];
  readonly scoreMode: ScoreMode;
  readonly boostMode: BoostMode;
  readonly maxBoost: number;
  /** Documents below it do not match. */
  readonly minScore: number | undefined;
  /** The error of a score that is negative or no number. */
  readonly invalidScore?: (score: number, doc: number) => EngineError;
}

function invalidScore(score: number, doc: number): EngineError {
  const text = Number.isNaN(score) ? 'NaN' : javaDouble(score);
  return new EngineError(
    'exception',
    `function score query returned an invalid score: ${text} for doc: ${doc}`,
  );
}

/** A function over a leaf. It counts for the documents in `bits`, or for all. */
export interface LeafFunction {
  readonly filter: Matcher | undefined;
  readonly bits: Uint32Array | undefined;
  readonly value: ScoreDocument;
  readonly weight: number;
}

/** Evaluates the functions of a document. `score`: the query's own, a float32. */
export function functionValue(
  functions: readonly LeafFunction[],
  mode: ScoreMode,
  doc: number,
  score: number,
): number {
  const low = doc & (CHUNK_DOCS - 1);
  let value: number | undefined;
  let weights = 0;
  for (const { bits, value: of, weight } of functions) {
    if (bits !== undefined && !hasBit(bits, low)) continue;
    const own = of(doc, score);
    weights += weight;
    if (mode === 'FIRST') return own;
    if (value === undefined) value = own;
    else if (mode === 'MULTIPLY') value *= own;
    else if (mode === 'MAX') value = Math.max(value, own);
    else if (mode === 'MIN') value = Math.min(value, own);
    else value += own;
  }
  if (value === undefined || (weights === 0 && (mode === 'AVG' || mode === 'SUM'))) return 1;
  return mode === 'AVG' ? value / weights : value;
}

function combined(mode: BoostMode, score: number, value: number): number {
  switch (mode) {
    case 'MULTIPLY':
      return score * value;
    case 'REPLACE':
      return value;
    case 'SUM':
      return score + value;
    case 'AVG':
      return (score + value) / 2;
    case 'MAX':
      return Math.max(score, value);
    default:
      return Math.min(score, value);
  }
}

class FunctionScoreMatcher implements Matcher {
  readonly cost: number;
  readonly effort: number;
  readonly scoreAhead?: (chunk: number, bits: Uint32Array) => Steps<void>;
  readonly #inner: Matcher;
  readonly #functions: readonly LeafFunction[];
  readonly #options: FunctionScoreOptions;
  /** What slow functions gave. */
  readonly #results: ScoreResults | undefined;

  constructor(
    inner: Matcher,
    functions: readonly LeafFunction[],
    options: FunctionScoreOptions,
    meter: SearchMeter | undefined,
  ) {
    this.cost = inner.cost;
    this.#inner = inner;
    this.#functions = functions;
    this.#options = options;
    this.#results = meter && new ScoreResults(meter);
    const isTesting = meter !== undefined && options.minScore !== undefined;
    this.effort = isTesting ? Number.POSITIVE_INFINITY : effortOf(this.#parts());
    if (meter !== undefined || inner.scoreAhead !== undefined)
      this.scoreAhead = (chunk, bits) => this.#scoreAhead(chunk, bits);
  }

  #parts(): Matcher[] {
    return [this.#inner, ...this.#functions.flatMap(({ filter }) => filter ?? [])];
  }

  *matchAhead(chunk: number, candidates?: Uint32Array): Steps<void> {
    yield* matchAllAhead(this.#parts(), chunk, candidates);
    if (this.#results === undefined || this.#options.minScore === undefined) return;
    const bits = newBits();
    if (!this.#inner.match(chunk, bits, candidates)) return;
    if (candidates !== undefined) andInto(bits, candidates);
    yield* this.#scoreAhead(chunk, bits);
  }

  match(chunk: number, bits: Uint32Array, candidates?: Uint32Array): boolean {
    const { minScore } = this.#options;
    if (!this.#inner.match(chunk, bits, candidates)) return false;
    if (minScore === undefined) return true;
    if (candidates !== undefined) andInto(bits, candidates);
    const scores = borrowScores();
    this.#each(chunk, bits, (doc, score) => (scores[doc] = score));
    const n = listDocs(bits);
    let left = n;
    for (let i = 0; i < n; i++) {
      const doc = chunkDocs[i]!;
      // An invalid score stays: scoring the document reports it, if the document is not deleted.
      if (scores[doc]! < minScore) {
        bits[doc >>> 5]! &= ~(1 << (doc & 31));
        left--;
      }
      scores[doc] = 0;
    }
    returnScores(scores);
    return left > 0;
  }

  score(chunk: number, bits: Uint32Array, scores: Float64Array): void {
    this.#each(chunk, bits, (doc, score, error) => {
      if (error !== undefined) throw error;
      if (!(score >= 0)) {
        throw (this.#options.invalidScore ?? invalidScore)(score, chunk * CHUNK_DOCS + doc);
      }
      scores[doc]! += score;
    });
  }

  /** Gives the score of each document in bits, or the error of a function. */
  #each(chunk: number, bits: Uint32Array, use: UseScore): void {
    if (this.#results === undefined) {
      runToEnd(this.#evaluate(chunk, bits, use));
      return;
    }
    runToEnd(this.#scoreAhead(chunk, bits));
    this.#results.each(bits, use);
  }

  *#scoreAhead(chunk: number, bits: Uint32Array): Steps<void> {
    if (this.#inner.scoreAhead !== undefined) yield* this.#inner.scoreAhead(chunk, bits);
    const results = this.#results;
    const left = results?.missing(chunk, bits);
    if (left === undefined) return;
    yield* this.#evaluate(
      chunk,
      left,
      (doc, score, error) => results!.add(doc, score, error),
      results!.meter,
    );
  }

  /** Runs the functions on the documents in bits; yields by what the meter counts. */
  *#evaluate(chunk: number, bits: Uint32Array, use: UseScore, meter?: SearchMeter): Steps<void> {
    const { scoreMode, boostMode, maxBoost } = this.#options;
    for (const { filter, bits: own } of this.#functions) filter?.match(chunk, own!, bits);
    const own = borrowScores();
    this.#inner.score(chunk, bits, own);
    for (let doc = nextSetBit(bits, 0); doc >= 0; doc = nextSetBit(bits, doc + 1)) {
      const score = Math.fround(own[doc]!);
      own[doc] = 0;
      let value = Number.NaN;
      let failure: unknown;
      try {
        value = functionValue(this.#functions, scoreMode, chunk * CHUNK_DOCS + doc, score);
      } catch (error) {
        failure = error;
      }
      use(doc, Math.fround(combined(boostMode, score, Math.min(value, maxBoost))), failure);
      if (meter?.isDue(failure)) yield;
    }
    returnScores(own);
  }
}

let plans = 0;

/** The matches of a query, scored by functions. */
export class FunctionScoreNode implements PlanNode {
  readonly scoring = true;
  readonly sumsFloats = false;
  readonly matchesAll: boolean;
  readonly matchesNone: boolean;
  readonly inner: PlanNode;
  readonly options: FunctionScoreOptions;
  readonly parts: readonly PlanNode[];
  readonly testsDocuments: boolean;
  readonly #isSlow: boolean;
  /** Matches that depend on scores depend on boosts and statistics too: they are cached for this plan only. */
  readonly #ownKey = `function_score#${++plans}`;

  constructor(inner: PlanNode, options: FunctionScoreOptions) {
    this.inner = inner;
    this.options = options;
    this.parts = [inner, ...options.functions.flatMap(({ filter }) => filter ?? [])];
    this.matchesAll = inner.matchesAll && options.minScore === undefined;
    this.matchesNone = inner.matchesNone;
    this.#isSlow = options.functions.some((each) => each.function?.isSlow === true);
    const isTesting = this.#isSlow && options.minScore !== undefined;
    this.testsDocuments = isTesting || this.parts.some(testsDocuments);
  }

  /** The score of a document from the query's own and the value of the functions. */
  combine(score: number, value: number): number {
    return Math.fround(combined(this.options.boostMode, score, value));
  }

  get wanted(): readonly PlanNode[] {
    return [this.inner];
  }

  get key(): string {
    return this.options.minScore === undefined ? this.inner.key : this.#ownKey;
  }

  matcher(leaf: Leaf): Matcher {
    const inner = this.inner.matcher(leaf);
    if (inner.cost === 0) return NOTHING;
    const meter = new SearchMeter();
    const functions = this.options.functions.map(({ filter, function: kind, weight = 1 }): LeafFunction => {
      const score = kind?.forLeaf(leaf, meter);
      const value: ScoreDocument =
        score === undefined ? () => weight : (doc, own) => score(doc, own) * weight;
      return {
        filter: filter?.matcher(leaf),
        bits: filter === undefined ? undefined : newBits(),
        value,
        weight,
      };
    });
    return new FunctionScoreMatcher(inner, functions, this.options, this.#isSlow ? meter : undefined);
  }
}
