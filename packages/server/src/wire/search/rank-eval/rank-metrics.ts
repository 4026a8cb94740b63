// The metrics of `_rank_eval`: how good a list of hits is, by the ratings of its documents.

import { EngineError, illegalArgument, isObject, type JsonObject, Members } from '@octavo/engine';
import { double } from '../../../json/number-text.ts';
import type { ReplyObject } from '../../../json/reply-value.ts';

/** The quality of one list. */
interface Quality {
  readonly score: number;
  readonly details: ReplyObject;
}

/** One metric with its parameters. */
export interface RankMetric {
  readonly name: string;
  /** How many hits count. */
  readonly window: number;
  /** `ratings` are those of the hits, in their order; `rated` all of the request. */
  evaluate(ratings: readonly (number | undefined)[], rated: readonly number[]): Quality;
}

const DEFAULT_WINDOW = 10;

/** Reads `metric`: an object with one metric. Throws named_object_not_found_exception and x_content_parse_exception. */
export function readMetric(value: JsonObject): RankMetric {
  const [name = '', ...others] = Object.keys(value);
  const make = Object.hasOwn(METRICS, name) ? METRICS[name] : undefined;
  if (make === undefined)
    throw new EngineError('named_object_not_found_exception', `unknown field [${name}]`);
  if (others.length > 0) throw illegalArgument(`[metric] has one metric, found also [${others[0]}]`);
  const body = value[name];
  const members = new Members(name, isObject(body) ? body : {});
  const window = members.integer('k') ?? DEFAULT_WINDOW;
  const evaluate = make(members);
  members.end();
  if (window <= 0) throw members.unbuilt(illegalArgument('Window size k must be positive.'));
  return { name, window, evaluate };
}

const METRICS: Readonly<Record<string, (members: Members) => RankMetric['evaluate']>> = {
  precision,
  recall,
  mean_reciprocal_rank: meanReciprocalRank,
  dcg,
  expected_reciprocal_rank: expectedReciprocalRank,
};

function precision(members: Members): RankMetric['evaluate'] {
  const least = threshold(members);
  const ignores = members.flag('ignore_unlabeled') ?? false;
  return (ratings) => {
    const counted = ratings.filter((rating) => rating !== undefined || !ignores);
    const relevant = counted.filter((rating) => rating !== undefined && rating >= least).length;
    return {
      score: counted.length === 0 ? 0 : relevant / counted.length,
      details: { relevant_docs_retrieved: relevant, docs_retrieved: counted.length },
    };
  };
}

function recall(members: Members): RankMetric['evaluate'] {
  const least = threshold(members);
  return (ratings, rated) => {
    const found = ratings.filter((rating) => rating !== undefined && rating >= least).length;
    const all = rated.filter((rating) => rating >= least).length;
    return {
      score: all === 0 ? 0 : found / all,
      details: { relevant_docs_retrieved: found, relevant_docs: all },
    };
  };
}

function meanReciprocalRank(members: Members): RankMetric['evaluate'] {
  const least = threshold(members);
  return (ratings) => {
    const at = ratings.findIndex((rating) => rating !== undefined && rating >= least);
    return { score: at < 0 ? 0 : 1 / (at + 1), details: { first_relevant: at < 0 ? -1 : at + 1 } };
  };
}

/** Discounted cumulative gain (Järvelin and Kekäläinen, 2002), with exponential gains. */
function dcg(members: Members): RankMetric['evaluate'] {
  const unknown = members.integer('unknown_doc_rating');
  const normalizes = members.flag('normalize') ?? false;
  return (ratings, rated) => {
    const gain = gainOf(ratings.map((rating) => rating ?? unknown));
    const details: ReplyObject = { dcg: double(gain) };
    let score = gain;
    if (normalizes) {
      const ideal = gainOf(rated.toSorted((a, b) => b - a).slice(0, ratings.length));
      score = ideal > 0 ? gain / ideal : 0;
      // The peer shows them only where there is something to gain.
      if (ideal > 0) details['ideal_dcg'] = double(ideal);
      if (ideal > 0) details['normalized_dcg'] = double(score);
    }
    details['unrated_docs'] = countUnrated(ratings);
    return { score, details };
  };
}

function gainOf(ratings: readonly (number | undefined)[]): number {
  let sum = 0;
  for (const [i, rating] of ratings.entries())
    if (rating !== undefined) sum += (2 ** rating - 1) / (Math.log(i + 2) / Math.log(2));
  return sum;
}

/** Expected reciprocal rank (Chapelle and others, 2009). */
function expectedReciprocalRank(members: Members): RankMetric['evaluate'] {
  const most = members.integer('maximum_relevance');
  const unknown = members.integer('unknown_doc_rating');
  if (most === undefined) throw illegalArgument('Required [maximum_relevance]');
  return (ratings) => {
    let score = 0;
    let goesOn = 1;
    for (const [i, rating] of ratings.entries()) {
      const used = rating ?? unknown;
      if (used === undefined) continue;
      const satisfied = (2 ** used - 1) / 2 ** most;
      score += (goesOn * satisfied) / (i + 1);
      goesOn *= 1 - satisfied;
    }
    return { score, details: { unrated_docs: countUnrated(ratings) } };
  };
}

function countUnrated(ratings: readonly (number | undefined)[]): number {
  return ratings.filter((rating) => rating === undefined).length;
}

function threshold(members: Members): number {
  const least = members.integer('relevant_rating_threshold') ?? 1;
  if (least >= 0) return least;
  const reason = `Relevant rating threshold for ${members.parser} must be positive integer.`;
  throw members.unbuilt(illegalArgument(reason));
}
