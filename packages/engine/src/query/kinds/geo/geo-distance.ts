// geo_distance: documents with a point within a distance of another one.

import { EngineError, illegalArgument } from '../../../errors.ts';
import type { JsonValue } from '../../../json/value.ts';
import { arcDistance, metersOf, parseDistance, planeDistance } from '../../../mapping/geo/geo-distance.ts';
import type { GeoPoint } from '../../../mapping/geo/geo-points.ts';
import { parsingError } from '../../errors.ts';
import { objectBody, readBooleanParameter, readParameters, readText } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { QueryKind } from '../kind.ts';
import {
  checkPoint,
  pointKey,
  pointsNode,
  readPoint,
  readValidation,
  type Validation,
} from './points-query.ts';

const KIND = 'geo_distance';

interface GeoDistanceQuery extends Query {
  readonly kind: 'geo_distance';
  readonly path: string;
  readonly point: GeoPoint;
  readonly meters: number;
  readonly isPlane: boolean;
  readonly ignoreUnmapped: boolean;
  readonly validation: Validation;
}

const OPTIONS: ReadonlySet<string> = new Set([
  ...['distance', 'unit', 'distance_type', 'ignore_unmapped', 'validation_method', 'boost', '_name'],
]);

export const geoDistance: QueryKind<GeoDistanceQuery> = {
  name: KIND,
  parse(json) {
    const body = objectBody(KIND, json);
    let distance: JsonValue | undefined;
    let unit = 'm';
    let isPlane = false;
    let ignoreUnmapped = false;
    let validation: Validation = 'strict';
    let point: GeoPoint | undefined;
    const [path, also] = Object.keys(body).filter(
      (key) => !OPTIONS.has(key) && typeof body[key] !== 'boolean' && !isFlat(body, key),
    );
    const common = readParameters(
      KIND,
      body,
      {
        distance: (v) => (distance = v),
        unit: (v) => (unit = readText(v, KIND, 'unit')),
        distance_type: (v) => (isPlane = readPlane(readText(v, KIND, 'distance_type'))),
        ignore_unmapped: (v) => (ignoreUnmapped = readBooleanParameter(v, KIND, 'ignore_unmapped')),
        validation_method: (v) => (validation = readValidation(readText(v, KIND, 'validation_method'))),
        ...(path === undefined ? {} : { [path]: (v: JsonValue) => (point = readPoint(v, path)) }),
      },
      (name) => parsingError(`failed to parse [${KIND}] query. unexpected field [${name}]`),
    );
    if (also !== undefined) throw parsingError(`failed to parse [${KIND}] query. unexpected field [${also}]`);
    if (path === undefined || point === undefined)
      throw illegalArgument('fieldName must not be null or empty');
    if (distance === undefined) throw parsingError("geo_distance requires 'distance' to be specified");
    const meters = readMeters(distance, unit);
    return Object.freeze({
      kind: KIND,
      path,
      point: Object.freeze(point),
      meters,
      isPlane,
      ignoreUnmapped,
      validation,
      ...common,
    });
  },
  plan({ path, point: given, meters, isPlane, ignoreUnmapped, validation }, planner, boost) {
    const point = checkPoint(given, path, validation, planner);
    const measure = isPlane ? planeDistance : arcDistance;
    // A degree of latitude is 111,195 m: what is too far north or south needs no sines.
    const span = meters / 111_000 + 1e-6;
    const area = {
      key: `${pointKey(point)}:${meters}:${isPlane}`,
      contains: (lat: number, lon: number) =>
        Math.abs(lat - point.lat) <= span && measure(point, lat, lon) <= meters,
    };
    return pointsNode(planner, { kind: KIND, path, ignoreUnmapped }, area, boost);
  },
};

/** Numbers and texts name no point here, but for a text in the place of the field. */
function isFlat(body: Readonly<Record<string, JsonValue>>, key: string): boolean {
  return typeof body[key] === 'number';
}

function readPlane(text: string): boolean {
  if (text === 'arc' || text === 'plane') return text === 'plane';
  throw illegalArgument(`No geo distance for [${text}]`);
}

function readMeters(distance: JsonValue, unit: string): number {
  const text = typeof distance === 'number' ? String(distance) : readText(distance, KIND, 'distance');
  const hasUnit = /[A-Za-z]\s*$/.test(text);
  if (!/^\s*[+-]?[\d.]/.test(text)) {
    throw new EngineError('number_format_exception', `For input string: "${text}"`);
  }
  const meters = hasUnit ? parseDistance(text) : parseDistance(text) * metersOf(unit);
  if (meters > 0) return meters;
  throw illegalArgument('distance must be greater than zero');
}
