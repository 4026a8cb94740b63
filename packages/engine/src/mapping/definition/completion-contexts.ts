// The contexts of completion fields, as mappings define them: categories, or places on the globe.

import { illegalArgument } from '../../errors.ts';
import { plainText } from '../../json/java-text.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { parseDistance } from '../geo/geo-distance.ts';

const MAX_CONTEXTS = 10;

/** A kind of context that inputs are found by. */
export interface CompletionContext {
  readonly name: string;
  readonly type: 'category' | 'geo';
  /** Characters of geohashes. */
  readonly precision: number;
  /** The field whose values are contexts, for inputs that bring none. */
  readonly path: string | undefined;
}

/** Reads `contexts` of a mapping: one, or a list. */
export function readContexts(value: JsonValue, field: string): CompletionContext[] {
  if (value === null) return [];
  const list: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  if (list.length > MAX_CONTEXTS) {
    throw illegalArgument(
      `Limit of completion field contexts [${MAX_CONTEXTS}] has been exceeded on field [${field}]`,
    );
  }
  return list.map((each) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each))
      throw illegalArgument(`[contexts] of field [${field}] must be objects`);
    return readContext(each);
  });
}

function readContext(json: JsonObject): CompletionContext {
  const { name, type, precision, path, ...others } = json;
  for (const each of Object.keys(others))
    throw illegalArgument(`unknown parameter [${each}] in a context of a completion field`);
  if (name === undefined || name === null) throw missing('name');
  if (type === undefined || type === null) throw missing('type');
  const kind = plainText(type).toLowerCase();
  if (kind !== 'category' && kind !== 'geo')
    throw illegalArgument(`unknown context type [${plainText(type)}]`);
  const isGeo = kind === 'geo';
  return {
    name: plainText(name),
    type: kind,
    precision: isGeo ? precisionOf(precision ?? DEFAULT_PRECISION) : 0,
    path: path === undefined || path === null ? undefined : plainText(path),
  };
}

function missing(member: string): Error {
  return illegalArgument(`[${member}] is missing in a context of a completion field`);
}

const DEFAULT_PRECISION = 6;
const MAX_PRECISION = 12;
const EQUATOR = 2 * Math.PI * 6_378_137;
const POLAR_DISTANCE = Math.PI * 6_356_752.314245;

/** Characters of a geohash: their number, or a distance that a cell is about as wide as. */
export function precisionOf(value: JsonValue): number {
  const count = typeof value === 'number' ? value : Number(plainText(value));
  if (Number.isInteger(count)) {
    if (count >= 1 && count <= MAX_PRECISION) return count;
    throw illegalArgument(
      `Invalid geohash aggregation precision of ${count}. Must be between 1 and ${MAX_PRECISION}.`,
    );
  }
  const meters = parseDistance(plainText(value));
  if (meters <= 0) return MAX_PRECISION;
  // The levels of the peer's GeoUtils: bits of longitude and latitude in turn, five to a character.
  const width = meters / (1 + POLAR_DISTANCE / EQUATOR);
  const cells = Math.ceil(EQUATOR / width);
  const bits = Math.ceil(Math.log2(cells)) - 1;
  const level = 2 * Math.floor(bits / 5) + (bits % 5 > 2 ? 1 : 0);
  return Math.min(MAX_PRECISION, Math.max(1, level));
}

/** The contexts as a mapping prints them. */
export function printContexts(contexts: readonly CompletionContext[]): JsonValue {
  return contexts.map(({ name, type, precision, path }) => ({
    name,
    type: type.toUpperCase(),
    ...(type === 'geo' ? { precision } : {}),
    ...(path === undefined ? {} : { path }),
  }));
}
