// Reads the body of `_rank_eval`: searches with rated documents, and the metric.

import {
  type EngineError,
  illegalArgument,
  isObject,
  type JsonObject,
  type JsonValue,
  Members,
} from '@octavo/engine';
import type { Services } from '../../router/route.ts';
import { readSearchBody } from '../body/search-body.ts';
import type { SearchSpec } from '../body/search-spec.ts';
import { fillSearchTemplate } from '../search-template.ts';
import { type RankMetric, readMetric } from './rank-metrics.ts';

/** A search whose hits are compared with ratings. */
export interface RatedSearch {
  readonly id: string;
  /** The search as the request has it; undefined if a template makes it. */
  readonly written: SearchSpec | undefined;
  /** The search. Throws if a template has made none. */
  readonly search: () => SearchSpec;
  /** By `ratingKey`. */
  readonly ratings: ReadonlyMap<string, number>;
}

/** The body of a request. */
interface RankEvalBody {
  readonly searches: readonly RatedSearch[];
  readonly metric: RankMetric;
}

/** The bodies of templates by their ids in the request. */
type Templates = ReadonlyMap<string, JsonObject>;

/** The key of a document among the ratings. */
export function ratingKey(index: string, id: string): string {
  return JSON.stringify({ _index: index, _id: id });
}

export function readRankEval(body: JsonObject, services: Services): RankEvalBody {
  const members = new Members('rank_eval', body);
  const templates = new Map(
    members.nested('templates', (value) => listOf(members, 'templates', value).map(readNamedTemplate)) ?? [],
  );
  const searches = members.nested('requests', (value) =>
    listOf(members, 'requests', value).map((each) => readRated(each, templates, services)),
  );
  const metric = members.nested('metric', (value) => readMetric(objectOf(members, 'metric', value)));
  members.integer('max_concurrent_searches');
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

function readNamedTemplate(value: JsonValue): [string, JsonObject] {
  if (!isObject(value)) throw illegalArgument('[templates] is a list of objects');
  const members = new Members('template', value);
  const [id, template] = [members.text('id'), members.object('template')];
  members.end();
  if (id === undefined || template === undefined)
    throw illegalArgument(`Required [${id === undefined ? 'id' : 'template'}]`);
  return [id, template];
}

function nameOf(value: JsonValue): string {
  if (typeof value === 'object') throw illegalArgument('[summary_fields] is a list of names of fields');
  return String(value);
}

function readRated(value: JsonValue, templates: Templates, services: Services): RatedSearch {
  if (!isObject(value)) throw illegalArgument('[requests] is a list of objects');
  const members = new Members('request', value);
  const id = members.text('id');
  const written = members.nested('request', (body) => readSearchBody(objectOf(members, 'request', body)));
  const made = readMade(members, templates, services);
  const ratings = members.nested('ratings', (list) => listOf(members, 'ratings', list).map(readRating));
  const summary = members.list('summary_fields')?.map(nameOf) ?? [];
  members.end();
  if (id === undefined || ratings === undefined)
    throw illegalArgument(`Required [${id === undefined ? 'id' : 'ratings'}]`);
  const unfit =
    written !== undefined && made !== undefined
      ? 'Ambiguous rated request: Set both, verbatim test request and test request template parameters.'
      : 'Need to set at least test request or test request template parameters.';
  if ((written === undefined) === (made === undefined)) throw members.unbuilt(illegalArgument(unfit));
  const byKey = new Map<string, number>();
  for (const { key, rating } of ratings) {
    const reason = `Found duplicate rated document key [${key}] in evaluation request [${id}]`;
    if (byKey.has(key)) throw members.unbuilt(illegalArgument(reason));
    byKey.set(key, rating);
  }
  const finish = (search: SearchSpec): SearchSpec => {
    const refusal = refusalOf(search);
    if (refusal !== undefined) throw members.unbuilt(refusal);
    return { ...search, source: { enabled: summary.length > 0, includes: summary, excludes: [] } };
  };
  const own = written === undefined ? undefined : finish(written);
  return { id, written: own, search: () => own ?? finish(readSearchBody(made!())), ratings: byKey };
}

/** The search that a template makes; undefined if the request names none. */
function readMade(
  members: Members,
  templates: Templates,
  services: Services,
): (() => JsonObject) | undefined {
  const [id, params] = [members.text('template_id'), members.object('params')];
  if (id === undefined) {
    const reason = 'If template parameters are supplied need to set id of template to apply them to too.';
    if (params !== undefined) throw members.unbuilt(illegalArgument(reason));
    return undefined;
  }
  const template = templates.get(id);
  if (template === undefined) throw illegalArgument(`[template_id] [${id}] is none of [templates]`);
  return params === undefined ? undefined : fillSearchTemplate(template, params, services);
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
