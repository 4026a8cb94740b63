// Validates geo points in all of OpenSearch's notations, with its error messages. Points are stored and
// support `exists`; they cannot be searched.

import { EngineError, type ErrorType, illegalArgument } from '../../errors.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { javaDouble } from './write-scalar.ts';

/** The characters of a geohash. */
const GEOHASH = '0123456789bcdefghjkmnpqrstuvwxyz';
const ONE = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const WKT = /^\s*point\s*\(([^()]*)\)\s*$/i;

function fault(reason: string, cause?: { type: ErrorType; reason: string }): EngineError {
  const causedBy = cause === undefined ? undefined : new EngineError(cause.type, cause.reason);
  return new EngineError('parse_exception', reason, causedBy === undefined ? {} : { causedBy });
}

/**
 * Whether the value of a field holds at least one point. With `lenient` (ignore_malformed) places beyond the poles and
 * the date line are turned round the globe, as the peer does. Errors: parse_exception, illegal_argument_exception.
 */
export function geoPoint(value: JsonValue, path: string, lenient: boolean): boolean {
  if (value === null) return false;
  if (!Array.isArray(value)) {
    onePoint(value, path, lenient);
    return true;
  }
  const first = value[0];
  if (typeof first === 'number' || typeof first === 'bigint') {
    pair(value, path, lenient);
    return true;
  }
  for (const each of value) {
    if (Array.isArray(each)) pair(each, path, lenient);
    else onePoint(each, path, lenient);
  }
  return value.length > 0;
}

function onePoint(value: JsonValue, path: string, lenient: boolean): void {
  if (typeof value === 'string') fromText(value, path, lenient);
  else if (typeof value === 'object' && value !== null) fromObject(value as JsonObject, path, lenient);
  else throw fault('geo_point expected');
}

/** `[lon, lat]` or `[lon, lat, height]`. */
function pair(value: readonly JsonValue[], path: string, lenient: boolean): void {
  if (value.length < 2 || value.some((each) => typeof each !== 'number' && typeof each !== 'bigint')) {
    throw fault('numeric value expected');
  }
  if (value.length > 3) throw fault('[geo_point] field type does not accept > 3 dimensions');
  check(Number(value[1]), Number(value[0]), path, lenient);
}

function fromText(text: string, path: string, lenient: boolean): void {
  if (text.toUpperCase().includes('POINT')) {
    const parts = WKT.exec(text)?.[1]?.trim().split(/\s+/) ?? [];
    if (parts.length < 2 || parts.length > 3 || parts.some((part) => !ONE.test(part))) {
      throw fault('Invalid WKT format');
    }
    const [lon, lat] = [Number(parts[0]), Number(parts[1])];
    const wrong = outside(lat, lon);
    if (wrong === undefined) return;
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
    check(Number(parts[0]), Number(parts[1]), path, lenient);
    return;
  }
  geohash(text);
}

function geohash(text: string): void {
  const strange = Array.from(text).find((c) => !GEOHASH.includes(c));
  if (text !== '' && strange === undefined) return;
  const reason = text === '' ? 'empty geohash' : `unsupported symbol [${strange}] in geohash [${text}]`;
  throw fault(reason, { type: 'illegal_argument_exception', reason });
}

function fromObject(value: JsonObject, path: string, lenient: boolean): void {
  const keys = Object.keys(value);
  if (keys.length === 0) throw fault('token [END_OBJECT] not allowed');
  const only = (...names: string[]): boolean => keys.every((key) => names.includes(key));
  const need = (...names: string[]): void => {
    for (const name of names) if (!keys.includes(name)) throw fault(`field [${name}] missing`);
  };
  if (only('lat', 'lon')) {
    need('lat', 'lon');
    check(degrees('lat', value['lat']!), degrees('lon', value['lon']!), path, lenient);
  } else if (only('type', 'coordinates')) {
    need('type', 'coordinates');
    const { type, coordinates } = value;
    if (typeof type !== 'string' || type.toLowerCase() !== 'point') throw fault('type must be Point');
    if (!Array.isArray(coordinates)) throw fault('coordinates must be an array');
    pair(coordinates, path, lenient);
  } else if (only('geohash')) {
    if (typeof value['geohash'] !== 'string') throw fault('geohash must be a string');
    geohash(value['geohash']);
  } else {
    throw fault('field must be either [lon|lat], [type|coordinates], or [geohash]');
  }
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

function check(lat: number, lon: number, path: string, lenient: boolean): void {
  const wrong = outside(lat, lon);
  if (wrong === undefined || (lenient && Number.isFinite(lat) && Number.isFinite(lon))) return;
  if (Number.isNaN(wrong.value)) {
    throw illegalArgument(`invalid ${wrong.name} NaN; must be between -${wrong.most}.0 and ${wrong.most}.0`);
  }
  throw illegalArgument(`illegal ${wrong.name} value [${javaDouble(wrong.value)}] for ${path}`);
}
