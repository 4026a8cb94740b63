// Parses `aggs`: objects of named aggregations, each of one kind, with those inside it.

import { EngineError, illegalArgument } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { attachPlace } from '../place.ts';
import { didYouMean } from '../query/did-you-mean.ts';
import { parsingError } from '../query/errors.ts';
import { isObject, jsonToken } from '../query/parameters.ts';
import { readComputedFields } from './computed/computed-fields.ts';
import type { AggregationKind, AggregationSpec, PipelineKind } from './kind.ts';
import { AGGREGATION_KINDS, UNSUPPORTED_AGGREGATIONS } from './kinds.ts';
import { checkPipelines } from './pipeline/apply-pipelines.ts';

/** Levels of aggregations inside each other. */
const MAX_DEPTH = 64;

const parsed = new WeakMap<JsonObject, readonly AggregationSpec[]>();

/** Parses the value of `aggs`. Throws parsing_exception and what else the peer does; 4xx always. */
export function parseAggregations(json: JsonObject): readonly AggregationSpec[] {
  let specs = parsed.get(json);
  if (specs === undefined) {
    specs = parseLevel(json, 0);
    checkPipelines(specs);
    parsed.set(json, specs);
  }
  return specs;
}

function parseLevel(json: JsonObject, depth: number): readonly AggregationSpec[] {
  if (depth > MAX_DEPTH) throw illegalArgument(`aggregations are nested deeper than [${MAX_DEPTH}] levels`);
  const specs = Object.keys(json).map((name) => parseOne(json, name, depth));
  return specs;
}

function parseOne(holder: JsonObject, name: string, depth: number): AggregationSpec {
  const at = { holder, key: name, at: 'value' } as const;
  if (name === '' || /[[\]>]/.test(name)) {
    throw attachPlace(
      parsingError(
        `Invalid aggregation name [${name}]. Aggregation names can contain any character except '[', ']', and '>'`,
      ),
      at,
    );
  }
  const json = holder[name]!;
  if (!isObject(json)) {
    const token = jsonToken(json);
    const reason = `Aggregation definition for [${name} starts with a [${token}], expected a [START_OBJECT].`;
    throw attachPlace(parsingError(reason), at);
  }
  let type: string | undefined;
  let subs: JsonObject | undefined;
  let meta: JsonObject | undefined;
  for (const [key, value] of Object.entries(json)) {
    const place = { holder: json, key, at: 'value' } as const;
    if (!isObject(value)) {
      const token = jsonToken(value);
      const reason = `Expected [START_OBJECT] under [${key}], but got a [${token}] in [${name}]`;
      throw attachPlace(parsingError(reason), place);
    }
    if (key === 'meta') meta = value;
    else if (key === 'aggs' || key === 'aggregations') {
      if (subs !== undefined)
        throw attachPlace(parsingError(`Found two sub aggregation definitions under [${name}]`), place);
      subs = value;
    } else if (type !== undefined) {
      const reason = `Found two aggregation type definitions in [${name}]: [${type}] and [${key}]`;
      throw attachPlace(parsingError(reason), place);
    } else {
      if (!AGGREGATION_KINDS.has(key)) throw unknownKind(key, json);
      type = key;
    }
  }
  if (type === undefined) {
    const error = parsingError(`Missing definition for aggregation [${name}]`);
    throw attachPlace(error, { holder: json, at: 'end' });
  }
  const kind = AGGREGATION_KINDS.get(type)!;
  const { options, computed } = parseBody(kind, json, type, name);
  const hasSubs = subs !== undefined && Object.keys(subs).length > 0;
  if (hasSubs && kind.role !== 'bucket') {
    throw new EngineError(
      'aggregation_initialization_exception',
      `Aggregator [${name}] of type [${type}] cannot accept sub-aggregations`,
    );
  }
  return {
    name,
    kind,
    options,
    meta,
    subs: subs === undefined ? [] : parseLevel(subs, depth + 1),
    computed,
  };
}

function parseBody(
  kind: AggregationKind | PipelineKind,
  json: JsonObject,
  type: string,
  name: string,
): Pick<AggregationSpec, 'options' | 'computed'> {
  let body = json[type] as JsonObject;
  try {
    const read = readComputedFields(type, body);
    body = read.body;
    return { options: kind.parse(body, name), computed: read.computed };
  } catch (error) {
    throw error instanceof EngineError ? attachPlace(error, { holder: body, at: 'end' }) : error;
  }
}

function unknownKind(name: string, holder: JsonObject): EngineError {
  const place = { holder, key: name, at: 'value' } as const;
  const why = UNSUPPORTED_AGGREGATIONS.get(name);
  if (why !== undefined)
    return attachPlace(parsingError(`[${name}] aggregation is not supported: ${why}`), place);
  const suggestion = didYouMean(name, [...AGGREGATION_KINDS.keys(), ...UNSUPPORTED_AGGREGATIONS.keys()]);
  const causedBy = attachPlace(
    new EngineError('named_object_not_found_exception', `unknown field [${name}]`),
    place,
  );
  const error = new EngineError('parsing_exception', `Unknown aggregation type [${name}]${suggestion}`, {
    causedBy,
  });
  return attachPlace(error, place);
}

/** All queries inside some aggregations, valid or not, for those who must know them before they are planned. */
export function queriesWithin(json: JsonValue | undefined): JsonObject[] {
  const found: JsonObject[] = [];
  collectQueries(json, found, 0);
  return found;
}

/** Whether any of some aggregations, valid or not, reads postings of texts beside its queries. */
export function readsTexts(json: JsonValue | undefined, depth = 0): boolean {
  if (!isObject(json) || depth > MAX_DEPTH) return false;
  return Object.values(json).some((definition) => {
    if (!isObject(definition)) return false;
    return Object.entries(definition).some(([type, body]) => {
      if (type === 'aggs' || type === 'aggregations') return readsTexts(body, depth + 1);
      const kind = AGGREGATION_KINDS.get(type);
      return kind !== undefined && 'readsTexts' in kind && isObject(body) && kind.readsTexts!(body);
    });
  });
}

function collectQueries(json: JsonValue | undefined, found: JsonObject[], depth: number): void {
  if (!isObject(json) || depth > MAX_DEPTH) return;
  for (const definition of Object.values(json)) {
    if (!isObject(definition)) continue;
    for (const [type, body] of Object.entries(definition)) {
      if (type === 'aggs' || type === 'aggregations') collectQueries(body, found, depth + 1);
      else if (isObject(body)) addQueries(type, body, found);
    }
  }
}

function addQueries(type: string, body: JsonObject, found: JsonObject[]): void {
  if (type === 'filter') found.push(body);
  for (const name of ['filters', 'background_filter']) {
    const queries = body[name];
    if (typeof queries !== 'object' || queries === null) continue;
    if (name === 'background_filter') found.push(queries as JsonObject);
    else for (const query of Object.values(queries)) if (isObject(query)) found.push(query);
  }
}
