// geo_polygon: documents with a point inside a polygon.

import { illegalArgument } from '../../../errors.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { GeoPoint } from '../../../mapping/geo/geo-points.ts';
import { parsingError } from '../../errors.ts';
import { isObject, objectBody, readBooleanParameter, readParameters, readText } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { QueryKind } from '../kind.ts';
import {
  type Area,
  checkPoint,
  pointKey,
  pointsNode,
  readPoint,
  readValidation,
  type Validation,
} from './points-query.ts';

const KIND = 'geo_polygon';

interface GeoPolygonQuery extends Query {
  readonly kind: 'geo_polygon';
  readonly path: string;
  readonly points: readonly GeoPoint[];
  readonly ignoreUnmapped: boolean;
  readonly validation: Validation;
}

const OPTIONS: ReadonlySet<string> = new Set(['ignore_unmapped', 'validation_method', 'boost', '_name']);

export const geoPolygon: QueryKind<GeoPolygonQuery> = {
  name: KIND,
  parse(json, { limits }) {
    const body = objectBody(KIND, json);
    let ignoreUnmapped = false;
    let validation: Validation = 'strict';
    let points: readonly GeoPoint[] = [];
    const [path] = Object.keys(body).filter((key) => !OPTIONS.has(key) && isObject(body[key]));
    const common = readParameters(
      KIND,
      body,
      {
        ignore_unmapped: (v) => (ignoreUnmapped = readBooleanParameter(v, KIND, 'ignore_unmapped')),
        validation_method: (v) => (validation = readValidation(readText(v, KIND, 'validation_method'))),
        ...(path === undefined ? {} : { [path]: (v: JsonValue) => (points = readPoints(v, path)) }),
      },
      (name) => parsingError(`[${KIND}] query does not support [${name}]`),
    );
    if (path === undefined) throw illegalArgument('fieldName must not be null');
    if (points.length === 0) throw illegalArgument('polygon must not be null or empty');
    const isClosed = isSame(points[0]!, points.at(-1)!);
    if (points.length < (isClosed ? 4 : 3))
      throw illegalArgument('too few points defined for geo_polygon query');
    if (points.length > limits.maxTerms)
      throw illegalArgument(
        `[${KIND}] has [${points.length}] points; at most [${limits.maxTerms}] are allowed`,
      );
    return Object.freeze({ kind: KIND, path, points, ignoreUnmapped, validation, ...common });
  },
  plan({ path, points, ignoreUnmapped, validation }, planner, boost) {
    const ring = points.map((point) => checkPoint(point, path, validation, planner));
    return pointsNode(planner, { kind: KIND, path, ignoreUnmapped }, polygonArea([ring]), boost);
  },
};

function readPoints(value: JsonValue, path: string): readonly GeoPoint[] {
  const { points, ...rest } = value as Readonly<Record<string, JsonValue>>;
  const [other] = Object.keys(rest);
  if (other !== undefined) throw parsingError(`[${KIND}] query does not support [${other}]`);
  if (!Array.isArray(points)) throw parsingError(`[${KIND}] query does not support token type of [points]`);
  return Object.freeze(points.map((each) => Object.freeze(readPoint(each, path))));
}

function isSame(a: GeoPoint, b: GeoPoint): boolean {
  return a.lat === b.lat && a.lon === b.lon;
}

/**
 * The area of a polygon: an outer ring, and rings of holes, which touch no other. A point is inside if a line from it to the
 * east crosses the rings an odd number of times. O(points) for each point asked for.
 */
export function polygonArea(rings: readonly (readonly GeoPoint[])[]): Area {
  const outer = rings[0]!;
  const [south, north] = [Math.min(...outer.map(({ lat }) => lat)), Math.max(...outer.map(({ lat }) => lat))];
  return {
    key: rings.map((ring) => ring.map(pointKey).join(';')).join('|'),
    contains: (lat, lon) => {
      if (lat < south || lat > north) return false;
      let isInside = false;
      for (const ring of rings) {
        for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
          const [a, b] = [ring[i]!, ring[j]!];
          if (a.lat > lat === b.lat > lat) continue;
          if (lon < ((b.lon - a.lon) * (lat - a.lat)) / (b.lat - a.lat) + a.lon) isInside = !isInside;
        }
      }
      return isInside;
    },
  };
}
