// Is this a point on the globe? The spellings that the peers accept, checked loosely: points are stored, not searched.

import { EngineError } from '../errors.ts';
import type { JsonValue } from '../json/value.ts';

function fault(reason: string): EngineError {
  return new EngineError('parse_exception', reason);
}

/** Whether the value holds at least one point. Errors: parse_exception. */
export function geoPoint(value: JsonValue): boolean {
  if (value === null) return false;
  if (Array.isArray(value)) {
    if (value.length === 0) return false;
    if (typeof value[0] === 'number' || typeof value[0] === 'bigint') {
      if (value.length < 2 || value.length > 3 || value.some((item) => typeof item !== 'number')) {
        throw fault('only two or three numbers are allowed in a point: [lon, lat]');
      }
      return true;
    }
    return value.map(geoPoint).some(Boolean);
  }
  if (typeof value === 'string') {
    if (
      value.includes(',') &&
      !/^\s*-?[\d.eE+-]+\s*,\s*-?[\d.eE+-]+\s*(?:,\s*-?[\d.eE+-]+\s*)?$/.test(value)
    ) {
      throw fault(`failed to parse [${value}]: latitude and longitude must be numbers`);
    }
    return true;
  }
  if (typeof value !== 'object') throw fault('geo_point expected');
  const keys = Object.keys(value);
  const pair = keys.includes('lat') && keys.includes('lon');
  if (!pair && !keys.includes('geohash') && !(keys.includes('type') && keys.includes('coordinates'))) {
    throw fault('field must be either [lon|lat], [type|coordinates], or [geohash]');
  }
  if (pair) {
    for (const name of ['lat', 'lon']) {
      const item = value[name];
      if (
        typeof item !== 'number' &&
        !(typeof item === 'string' && item.trim() !== '' && Number.isFinite(Number(item)))
      ) {
        throw fault(`[${name === 'lat' ? 'latitude' : 'longitude'}] must be a valid double value`);
      }
    }
  }
  return true;
}
