// The contexts of a completion request: which beginnings of terms they allow, and what each is worth.

import { EngineError, illegalArgument } from '../errors.ts';
import { plainText } from '../json/java-text.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { type CompletionContext, precisionOf } from '../mapping/definition/completion-contexts.ts';
import { geoPoints } from '../mapping/document/geo-point.ts';
import { geohashesAround, geohashOf } from '../mapping/geo/geo-points.ts';
import { type CompletionType, contextBytes } from '../mapping/types/completion.ts';
import { isObject } from '../query/parameters.ts';

/** A beginning of terms that a request allows. */
export interface AllowedContext {
  /** Name of the context. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly boost: number;
}

/** The contexts that a request allows. Throws where the field needs some and there are none, or the other way round. */
export function allowedContexts(
  field: string,
  type: CompletionType,
  json: JsonValue | undefined,
): AllowedContext[] {
  const { contexts } = type;
  if (contexts.length === 0) {
    if (json === undefined) return [];
    throw illegalArgument(`suggester [${field}] doesn't expect any context`);
  }
  const given: JsonObject = isObject(json) ? json : {};
  for (const name of Object.keys(given)) {
    if (contexts.some((each) => each.name === name)) continue;
    throw illegalArgument(
      `Unknown context name [${name}], must be one of [${contexts.map((each) => each.name).join(', ')}]`,
    );
  }
  const allowed = contexts.flatMap((context, place) => {
    const own = given[context.name];
    if (own === undefined) return [];
    return context.type === 'geo' ? geoContexts(context, place, own) : categories(context, place, own);
  });
  if (allowed.length === 0) throw illegalArgument('Missing mandatory contexts in context query');
  return allowed;
}

function categories({ name }: CompletionContext, place: number, json: JsonValue): AllowedContext[] {
  const list: readonly JsonValue[] = Array.isArray(json) ? json : [json];
  return list.map((each) => {
    if (!isObject(each)) return { name, bytes: contextBytes(place, plainText(each)), boost: 1 };
    const { context, boost, prefix, ...others } = each;
    refuseOthers('category_query_context', others);
    if (context === undefined) throw illegalArgument('no category context was provided');
    return {
      name,
      bytes: contextBytes(place, plainText(context), prefix === true || prefix === 'true'),
      boost: boostOf(boost),
    };
  });
}

/** A point as such, or with options. */
function geoContexts(context: CompletionContext, place: number, json: JsonValue): AllowedContext[] {
  const { name, precision } = context;
  const isPair = Array.isArray(json) && typeof json[0] === 'number';
  const list: readonly JsonValue[] = Array.isArray(json) && !isPair ? json : [json];
  return list.flatMap((each) => {
    const isWhole = isObject(each) && each['context'] !== undefined;
    const {
      context: point,
      boost,
      precision: own,
      neighbours,
      ...others
    } = isWhole ? each : { context: each };
    refuseOthers('geo_query_context', others);
    const characters = Math.min(precision, own === undefined ? 12 : precisionOf(own));
    return geoPoints(point!, name, false).flatMap(({ lat, lon }) => {
      const hash = geohashOf(lat, lon, characters);
      const hashes = new Set([hash]);
      const levels = levelsOf(neighbours);
      if (levels.length === 0 && hash.length === precision)
        for (const around of geohashesAround(hash)) hashes.add(around);
      for (const level of levels.filter((each) => each < hash.length)) {
        hashes.add(hash.slice(0, level));
        for (const around of geohashesAround(hash.slice(0, level))) hashes.add(around);
      }
      return [...hashes].map((value) => ({
        name,
        bytes: contextBytes(place, value, value.length < precision),
        boost: boostOf(boost),
      }));
    });
  });
}

function levelsOf(neighbours: JsonValue | undefined): number[] {
  if (neighbours === undefined) return [];
  const list: readonly JsonValue[] = Array.isArray(neighbours) ? neighbours : [neighbours];
  return list.map(precisionOf);
}

function boostOf(boost: JsonValue | undefined): number {
  if (boost === undefined) return 1;
  const number = Number(plainText(boost));
  if (Number.isInteger(number) && number > 0) return number;
  throw illegalArgument('boost must be greater than 0');
}

function refuseOthers(parser: string, others: JsonObject): void {
  for (const name of Object.keys(others))
    throw new EngineError('x_content_parse_exception', `[${parser}] unknown field [${name}]`);
}
