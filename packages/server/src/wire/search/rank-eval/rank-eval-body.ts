// Reads the body of `_rank_eval`: searches with rated documents, and the metric.

import { type EngineError, illegalArgument, type JsonObject, type JsonValue, Members } from '@octavo/engine';
import { isObject } from '../../../json/json-body.ts';
import { readSearchBody } from '../body/search-body.ts';
import type { SearchSpec } from '../body/search-spec.ts';
import { type RankMetric, readMetric } from './rank-metrics.ts';

/** A search whose hits are compared with ratings. */
export interface RatedSearch {
  readonly id: string;
  readonly search: SearchSpec;
  /** By `ratingKey`. */
  readonly ratings: ReadonlyMap<string, number>;
}

/** The body of a request. */
export interface RankEvalBody {
  readonly searches: readonly RatedSearch[];
  readonly metric: RankMetric;
}

/** The key of a document among the ratings. */
export function ratingKey(index: string, id: string): string {
  return JSON.stringify({ _index: index, _id: id });
}

export function readRankEval(body: JsonObject): RankEvalBody {
  const members = new Members('rank_eval', body);
  const searches = members.nested('requests', (value) => listOf(members, 'requests', value).map(readRated));
  const metric = members.nested('metric', (value) => readMetric(objectOf(members, 'metric', value)));
  members.integer('max_concurrent_searches');
  if (members.any('templates') !== undefined)
    throw illegalArgument('[templates] of [_rank_eval] are not supported: write each [request] out');
  members.end();
  const missing = [searches === undefined ? '[requests]' : '', metric === undefined ? '[metric]' : ''];
  if (searches === undefined || metric === undefined)
    throw illegalArgument(`Required ${missing.filter((name) => name !== '').join(', ')}`);
  if (searches.length === 0) {
    const reason = 'Cannot evaluate ranking if no search requests with rated results are provided. Seen: []';
    throw members.unbuilt(illegalArgument(reason));
  }
  return { searches, metric };
}

function readRated(value: JsonValue): RatedSearch {
  if (!isObject(value)) throw illegalArgument('[requests] is a list of objects');
  const members = new Members('request', value);
  const id = members.text('id');
  for (const name of ['template_id', 'params']) {
    if (members.any(name) !== undefined)
      throw illegalArgument(`[${name}] of [_rank_eval] is not supported: write the [request] out`);
  }
  const search = members.nested('request', (body) => readSearchBody(objectOf(members, 'request', body)));
  const ratings = members.nested('ratings', (list) => listOf(members, 'ratings', list).map(readRating));
  const summary = members.list('summary_fields')?.map(String) ?? [];
  members.end();
  if (id === undefined || ratings === undefined || search === undefined)
    throw illegalArgument(
      `Required [${id === undefined ? 'id' : ratings === undefined ? 'ratings' : 'request'}]`,
    );
  const refusal = refusalOf(search);
  if (refusal !== undefined) throw members.unbuilt(refusal);
  const byKey = new Map<string, number>();
  for (const { key, rating } of ratings) {
    const reason = `Found duplicate rated document key [${key}] in evaluation request [${id}]`;
    if (byKey.has(key)) throw members.unbuilt(illegalArgument(reason));
    byKey.set(key, rating);
  }
  search.source = { enabled: summary.length > 0, includes: summary, excludes: [] };
  return { id, search, ratings: byKey };
}

/** What a rated search may not ask for. */
function refusalOf(search: SearchSpec): EngineError | undefined {
  const reason = (what: string): EngineError =>
    illegalArgument(`Query in rated requests should not ${what}.`);
  if (search.aggregations !== undefined) return reason('contain aggregations');
  if (search.suggest !== undefined) return reason('contain a suggest section');
  if (search.highlight !== undefined) return reason('contain a highlighter section');
  if (search.explain) return reason('use explain');
  if (search.profile) return reason('use profile');
  return undefined;
}

function readRating(value: JsonValue): { readonly key: string; readonly rating: number } {
  if (!isObject(value)) throw illegalArgument('[ratings] is a list of objects');
  const members = new Members('rated_document', value);
  const index = members.text('_index');
  const id = members.text('_id');
  const rating = members.integer('rating');
  members.end();
  if (index === undefined || id === undefined || rating === undefined)
    throw illegalArgument(
      `Required [${index === undefined ? '_index' : id === undefined ? '_id' : 'rating'}]`,
    );
  return { key: ratingKey(index, id), rating };
}

function listOf(members: Members, name: string, value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  throw members.wrongType(name, value);
}

function objectOf(members: Members, name: string, value: JsonValue): JsonObject {
  if (isObject(value)) return value;
  throw members.wrongType(name, value);
}
