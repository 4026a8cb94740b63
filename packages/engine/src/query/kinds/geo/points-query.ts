// What the queries over points share: the field that they need, and the documents of which a point lies in an area.

import { EngineError } from '../../../errors.ts';
import { javaDouble } from '../../../json/java-double.ts';
import type { JsonValue } from '../../../json/value.ts';
import { geoPoints } from '../../../mapping/document/geo-point.ts';
import { type GeoPoint, latOf, lonOf } from '../../../mapping/geo/geo-points.ts';
import type { FieldType } from '../../../mapping/types/type.ts';
import { typeName } from '../../field/field-value.ts';
import { NONE } from '../../node/clauses/match-all-node.ts';
import type { PlanNode } from '../../node/node.ts';
import { PredicateNode } from '../../node/values/predicate-node.ts';
import type { Planner } from '../../plan/planner.ts';
import { rowsOf } from '../../score-functions/field-numbers.ts';

/** Whether a point lies in an area. */
type Contains = (lat: number, lon: number) => boolean;

/** Which documents are wanted: those with a point in the area, with all of them there, or with none. */
export type PointRelation = 'intersects' | 'within' | 'disjoint';

/** An area, and the text that names it: equal texts, equal areas. */
export interface Area {
  readonly key: string;
  readonly contains: Contains;
}

/** Plans a query for points of a field. Throws query_shard_exception where the index has no such field. */
export function pointsNode(
  planner: Planner,
  { kind, path, ignoreUnmapped }: { kind: string; path: string; ignoreUnmapped: boolean },
  area: Area,
  boost: number,
  relation: PointRelation = 'intersects',
): PlanNode {
  const field = planner.field(path);
  if (field === undefined) {
    if (ignoreUnmapped) return NONE;
    const type = kind === 'geo_polygon' ? 'geo_point' : 'geo';
    throw planner.misfit(`failed to find ${type} field [${path}]`);
  }
  if (field.kind !== 'geo_point' || !field.hasDocValues) throw planner.misfit(wrongField(field, kind));
  const key = `geo(${JSON.stringify([field.path, relation])}${area.key})`;
  return new PredicateNode(key, boost, (leaf) => {
    const column = leaf.column(field.path);
    if (column?.kind !== 'numeric') return () => false;
    const { start, end } = rowsOf(column);
    const { hi, lo } = column;
    return (doc) => {
      let inside = 0;
      const [from, to] = [start(doc), end(doc)];
      for (let at = from; at < to; at++) if (area.contains(latOf(hi[at]!), lonOf(lo[at]!))) inside++;
      if (relation === 'intersects') return inside > 0;
      return relation === 'disjoint' ? to > from && inside === 0 : inside > 0 && inside === to - from;
    };
  });
}

function wrongField(field: FieldType, kind: string): string {
  if (field.kind === 'geo_point') return `field [${field.path}] has no doc values, which [${kind}] needs`;
  return `type [${typeName(field)}] for field [${field.path}] is not supported for [${kind}] queries. Must be one of [geo_point] or [geo_shape]`;
}

/** A point of a request; places outside the globe are kept as they are, for `checkPoint`. */
export function readPoint(value: JsonValue, path: string): GeoPoint {
  const raw = plainPoint(value);
  if (raw !== undefined) return raw;
  const [point] = geoPoints(value, path, true);
  if (point === undefined) throw new EngineError('parse_exception', 'geo_point expected');
  return point;
}

/** The numbers of a point that is written with numbers. */
function plainPoint(value: JsonValue): GeoPoint | undefined {
  if (Array.isArray(value)) {
    const [lon, lat] = value;
    return value.length === 2 && typeof lat === 'number' && typeof lon === 'number'
      ? { lat, lon }
      : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { lat, lon, ...rest } = value;
  if (typeof lat !== 'number' || typeof lon !== 'number' || Object.keys(rest).length > 0) return undefined;
  return { lat, lon };
}

/** How points outside the globe are taken. */
export type Validation = 'strict' | 'coerce' | 'ignore_malformed';

/** Reads `validation_method`. */
export function readValidation(text: string): Validation {
  const method = text.toLowerCase();
  if (method === 'strict' || method === 'coerce' || method === 'ignore_malformed') return method;
  throw new EngineError(
    'illegal_argument_exception',
    `invalid [validation_method] [${text}]; it is one of [strict, ignore_malformed, coerce]`,
  );
}

/** A point on the globe. Throws query_shard_exception for one outside, where that is not to be turned round. */
export function checkPoint(
  point: GeoPoint,
  path: string,
  validation: Validation,
  planner: Planner,
): GeoPoint {
  if (Math.abs(point.lat) <= 90 && Math.abs(point.lon) <= 180) return point;
  if (validation === 'strict') throw planner.misfit("couldn't validate latitude/ longitude values");
  return geoPoints({ lat: point.lat, lon: point.lon }, path, true)[0]!;
}

/** The text of a point, for keys of caches. */
export function pointKey({ lat, lon }: GeoPoint): string {
  return `${javaDouble(lat)},${javaDouble(lon)}`;
}
