// Reads geo points in all of OpenSearch's notations, with its error messages. Points have doc values, which
// aggregations and queries read.

import { EngineError, type ErrorType, illegalArgument } from '../../errors.ts';
import { javaDouble } from '../../json/java-double.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { GEOHASH, type GeoPoint, geohashCorner } from '../geo/geo-points.ts';

const ONE = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const WKT = /^\s*point\s*\(([^()]*)\)\s*$/i;

function fault(reason: string, cause?: { type: ErrorType; reason: string }): EngineError {
  const causedBy = cause === undefined ? undefined : new EngineError(cause.type, cause.reason);
  return new EngineError('parse_exception', reason, causedBy === undefined ? {} : { causedBy });
}

/**
 * The points of a field's value. With `lenient` (ignore_malformed) places beyond the poles and
 * the date line are turned round the globe, as the peer does. Errors: parse_exception, illegal_argument_exception.
 */
export function geoPoints(value: JsonValue, path: string, lenient: boolean): readonly GeoPoint[] {
  if (value === null) return [];
  if (!Array.isArray(value)) return [onePoint(value, path, lenient)];
  const first = value[0];
  if (typeof first === 'number' || typeof first === 'bigint') return [pair(value, path, lenient)];
  return value.map((each: JsonValue) =>
    Array.isArray(each) ? pair(each, path, lenient) : onePoint(each, path, lenient),
  );
}

function onePoint(value: JsonValue, path: string, lenient: boolean): GeoPoint {
  if (typeof value === 'string') return fromText(value, path, lenient);
  if (typeof value === 'object' && value !== null) return fromObject(value as JsonObject, path, lenient);
  throw fault('geo_point expected');
}

/** `[lon, lat]` or `[lon, lat, height]`. */
function pair(value: readonly JsonValue[], path: string, lenient: boolean): GeoPoint {
  if (value.length < 2 || value.some((each) => typeof each !== 'number' && typeof each !== 'bigint')) {
    throw fault('numeric value expected');
  }
  if (value.length > 3) throw fault('[geo_point] field type does not accept > 3 dimensions');
  return checked(Number(value[1]), Number(value[0]), path, lenient);
}

function fromText(text: string, path: string, lenient: boolean): GeoPoint {
  if (text.toUpperCase().includes('POINT')) {
    const parts = WKT.exec(text)?.[1]?.trim().split(/\s+/) ?? [];
    if (parts.length < 2 || parts.length > 3 || parts.some((part) => !ONE.test(part))) {
      throw fault('Invalid WKT format');
    }
    const [lon, lat] = [Number(parts[0]), Number(parts[1])];
    const wrong = outside(lat, lon);
    if (wrong === undefined) return { lat: lat!, lon: lon! };
    const reason = `invalid ${wrong.name} ${javaDouble(wrong.value)}; must be between -${wrong.most}.0 and ${wrong.most}.0`;
    throw fault('Invalid WKT format', { type: 'illegal_argument_exception', reason });
  }
  if (text.includes(',')) {
    const parts = text.split(',').map((part) => part.trim());
    if (parts.length > 3) {
      throw fault(`failed to parse [${text}], expected 2 or 3 coordinates but found: [${parts.length}]`);
    }
    for (const [i, name] of ['latitude', 'longitude'].entries()) {
      if (!ONE.test(parts[i]!)) throw fault(`${name} must be a number`);
    }
    return checked(Number(parts[0]), Number(parts[1]), path, lenient);
  }
  return fromGeohash(text);
}

/** The south-western corner of the cell of a geohash. Characters behind the twelfth do not count. */
function fromGeohash(text: string): GeoPoint {
  const strange = Array.from(text).find((c) => !GEOHASH.includes(c));
  if (text === '' || strange !== undefined) {
    const reason = text === '' ? 'empty geohash' : `unsupported symbol [${strange}] in geohash [${text}]`;
    throw fault(reason, { type: 'illegal_argument_exception', reason });
  }
  return geohashCorner(text.slice(0, 12));
}

function fromObject(value: JsonObject, path: string, lenient: boolean): GeoPoint {
  const keys = Object.keys(value);
  if (keys.length === 0) throw fault('token [END_OBJECT] not allowed');
  const only = (...names: string[]): boolean => keys.every((key) => names.includes(key));
  const need = (...names: string[]): void => {
    for (const name of names) if (!keys.includes(name)) throw fault(`field [${name}] missing`);
  };
  if (only('lat', 'lon')) {
    need('lat', 'lon');
    return checked(degrees('lat', value['lat']!), degrees('lon', value['lon']!), path, lenient);
  }
  if (only('type', 'coordinates')) {
    need('type', 'coordinates');
    const { type, coordinates } = value;
    if (typeof type !== 'string' || type.toLowerCase() !== 'point') throw fault('type must be Point');
    if (!Array.isArray(coordinates)) throw fault('coordinates must be an array');
    return pair(coordinates, path, lenient);
  }
  if (only('geohash')) {
    if (typeof value['geohash'] !== 'string') throw fault('geohash must be a string');
    return fromGeohash(value['geohash']);
  }
  throw fault('field must be either [lon|lat], [type|coordinates], or [geohash]');
}

/** A number of degrees, which may be written as a string. */
function degrees(name: string, value: JsonValue): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') throw fault(`${name} must be a number`);
  const text = value.trim();
  if (text === 'NaN') return Number.NaN;
  if (ONE.test(text)) return Number(text);
  throw fault('[lon] and [lat] must be valid double values', {
    type: 'number_format_exception',
    reason: text === '' ? 'empty String' : `For input string: "${value}"`,
  });
}

function outside(lat: number, lon: number): { name: string; value: number; most: number } | undefined {
  if (!(Math.abs(lat) <= 90)) return { name: 'latitude', value: lat, most: 90 };
  if (!(Math.abs(lon) <= 180)) return { name: 'longitude', value: lon, most: 180 };
  return undefined;
}

function checked(lat: number, lon: number, path: string, lenient: boolean): GeoPoint {
  const wrong = outside(lat, lon);
  if (wrong === undefined) return { lat, lon };
  if (lenient && Number.isFinite(lat) && Number.isFinite(lon)) return turned(lat, lon);
  if (Number.isNaN(wrong.value)) {
    throw illegalArgument(`invalid ${wrong.name} NaN; must be between -${wrong.most}.0 and ${wrong.most}.0`);
  }
  throw illegalArgument(`illegal ${wrong.name} value [${javaDouble(wrong.value)}] for ${path}`);
}

/** A place beyond a pole lies on the other side of it. */
function turned(lat: number, lon: number): GeoPoint {
  const turn = centered(lat);
  if (turn < -90) return { lat: -180 - turn, lon: centered(lon + 180) };
  if (turn > 90) return { lat: 180 - turn, lon: centered(lon + 180) };
  return { lat: turn, lon: centered(lon) };
}

/** Degrees in (-180, 180]. */
function centered(degrees: number): number {
  let rest = degrees % 360;
  if (rest <= 0) rest += 360;
  return rest > 180 ? rest - 360 : rest;
}
