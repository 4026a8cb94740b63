// geo_shape: documents whose points lie in a shape: a point, an envelope, a circle or polygons, as GeoJSON or WKT.

import { EngineError, illegalArgument } from '../../../errors.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { arcDistance, parseDistance } from '../../../mapping/geo/geo-distance.ts';
import type { GeoPoint } from '../../../mapping/geo/geo-points.ts';
import { parsingError } from '../../errors.ts';
import { isObject, objectBody, readBooleanParameter, readParameters, readText } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { QueryKind } from '../kind.ts';
import { boxArea, readWkt } from './geo-bounding-box.ts';
import { polygonArea } from './geo-polygon.ts';
import { type Area, type PointRelation, pointKey, pointsNode } from './points-query.ts';

const KIND = 'geo_shape';

interface GeoShapeQuery extends Query {
  readonly kind: 'geo_shape';
  readonly path: string;
  readonly area: Area;
  readonly relation: PointRelation;
  readonly ignoreUnmapped: boolean;
}

export const geoShape: QueryKind<GeoShapeQuery> = {
  name: KIND,
  parse(json, { limits }) {
    const body = objectBody(KIND, json);
    let ignoreUnmapped = false;
    let found: { area: Area; relation: PointRelation } | undefined;
    const [path] = Object.keys(body).filter((key) => isObject(body[key]));
    const common = readParameters(KIND, body, {
      ignore_unmapped: (v) => (ignoreUnmapped = readBooleanParameter(v, KIND, 'ignore_unmapped')),
      ...(path === undefined
        ? {}
        : { [path]: (v: JsonValue) => (found = readShape(v as JsonObject, limits.maxTerms)) }),
    });
    if (path === undefined || found === undefined) throw illegalArgument('fieldName is required');
    return Object.freeze({ kind: KIND, path, ...found, ignoreUnmapped, ...common });
  },
  plan({ path, area, relation, ignoreUnmapped }, planner) {
    // As in the peer shapes filter points: their matches have no score.
    return pointsNode(planner, { kind: KIND, path, ignoreUnmapped }, area, 0, relation);
  },
};

function readShape(body: JsonObject, most: number): { area: Area; relation: PointRelation } {
  let area: Area | undefined;
  let relation: PointRelation = 'intersects';
  for (const [key, value] of Object.entries(body)) {
    if (key === 'shape') area = typeof value === 'string' ? fromWkt(value, most) : fromGeoJson(value, most);
    else if (key === 'relation') relation = readRelation(readText(value, KIND, key));
    else if (key === 'indexed_shape')
      throw illegalArgument(`[${KIND}] [indexed_shape] is not supported: send the shape itself as [shape]`);
    else throw parsingError(`[${KIND}] query does not support [${key}]`);
  }
  if (area === undefined) throw illegalArgument('either shape or indexedShapeId is required');
  return { area, relation };
}

function readRelation(text: string): PointRelation {
  const relation = text.toLowerCase();
  if (relation === 'intersects' || relation === 'within' || relation === 'disjoint') return relation;
  throw illegalArgument(
    `[${KIND}] relation [${text}] is not supported for points: use [intersects], [within] or [disjoint]`,
  );
}

function wrong(reason: string): EngineError {
  return new EngineError('parse_exception', reason);
}

function fromGeoJson(value: JsonValue, most: number): Area {
  if (!isObject(value) || typeof value['type'] !== 'string')
    throw wrong('shape must be an object with a type');
  const { type, coordinates, radius } = value;
  const limit = { left: most };
  switch (type.toLowerCase()) {
    case 'point':
      return pointArea(position(coordinates, limit));
    case 'envelope': {
      const corners = list(coordinates);
      if (corners.length !== 2) throw wrong('an envelope has two corners: upper left and lower right');
      const [topLeft, bottomRight] = corners.map((each) => position(each, limit)) as [GeoPoint, GeoPoint];
      if (topLeft.lat < bottomRight.lat) throw wrong('the first corner of an envelope is the upper left');
      return boxArea({
        top: topLeft.lat,
        left: topLeft.lon,
        bottom: bottomRight.lat,
        right: bottomRight.lon,
      });
    }
    case 'circle': {
      const center = position(coordinates, limit);
      const meters = parseDistance(readText(radius ?? '', KIND, 'radius'));
      return {
        key: `circle${pointKey(center)}:${meters}`,
        contains: (lat, lon) => arcDistance(center, lat, lon) <= meters,
      };
    }
    case 'polygon':
      return polygonArea(rings(coordinates, limit));
    case 'multipolygon':
      return union(list(coordinates).map((each) => polygonArea(rings(each, limit))));
    case 'multipoint':
      return union(list(coordinates).map((each) => pointArea(position(each, limit))));
    case 'geometrycollection':
      return union(list(value['geometries']).map((each) => fromGeoJson(each, most)));
    default:
      throw wrong(`shapes of type [${type}] are not supported for points`);
  }
}

function union(areas: readonly Area[]): Area {
  if (areas.length === 0) throw wrong('a shape without coordinates');
  return {
    key: `any(${areas.map(({ key }) => key).join()})`,
    contains: (lat, lon) => areas.some((area) => area.contains(lat, lon)),
  };
}

/** Points are stored to about a centimetre. */
function pointArea(point: GeoPoint): Area {
  const near = 1e-6;
  return {
    key: `point${pointKey(point)}`,
    contains: (lat, lon) => Math.abs(lat - point.lat) < near && Math.abs(lon - point.lon) < near,
  };
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  throw wrong('coordinates must be an array');
}

/** `[lon, lat]`. */
function position(value: JsonValue | undefined, limit: { left: number }): GeoPoint {
  if (--limit.left < 0) throw illegalArgument(`[${KIND}] the shape has too many points`);
  const [lon, lat] = list(value);
  if (typeof lon !== 'number' || typeof lat !== 'number') throw wrong('a position is [longitude, latitude]');
  if (Math.abs(lat) > 90) throw wrong(`invalid latitude ${lat}; must be between -90.0 and 90.0`);
  if (Math.abs(lon) > 180) throw wrong(`invalid longitude ${lon}; must be between -180.0 and 180.0`);
  return { lat, lon };
}

/** The rings of a polygon, each closed. */
function rings(value: JsonValue | undefined, limit: { left: number }): GeoPoint[][] {
  const all = list(value).map((ring) => list(ring).map((each) => position(each, limit)));
  if (all.length === 0) throw wrong('a polygon has at least one ring');
  for (const ring of all) {
    const [first, last] = [ring[0], ring.at(-1)];
    if (ring.length < 4 || first?.lat !== last?.lat || first?.lon !== last?.lon)
      throw wrong('a ring has at least four points, and ends where it begins');
  }
  return all;
}

/** `POINT (lon lat)`, `BBOX (left, right, top, bottom)`, `POLYGON ((lon lat, …), …)` or `MULTIPOLYGON (((…)), …)`. */
function fromWkt(text: string, most: number): Area {
  if (/^\s*(?:BBOX|ENVELOPE)/i.test(text)) return boxArea(readWkt(text));
  const found = /^\s*(POINT|POLYGON|MULTIPOLYGON)\s*(\([\d\s().,eE+-]*\))\s*$/i.exec(text);
  if (found === null) throw wrong('the shape is no WKT point, polygon, multipolygon or bounding box');
  // The same brackets as in GeoJSON, with numbers in pairs.
  const pairs = found[2]!.replace(/([^\s(),]+)\s+([^\s(),]+)/g, '[$1,$2]');
  let coordinates: JsonValue;
  try {
    coordinates = JSON.parse(pairs.replaceAll('(', '[').replaceAll(')', ']')) as JsonValue;
  } catch {
    throw wrong('the brackets or numbers of the shape are not those of WKT');
  }
  const type = found[1]!.toLowerCase();
  if (type === 'point') return fromGeoJson({ type, coordinates: list(coordinates)[0] ?? null }, most);
  return fromGeoJson({ type, coordinates }, most);
}
