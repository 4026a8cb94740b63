// Distances between points on the globe: by the sphere or on a plane, and texts such as `2km`.

import { illegalArgument } from '../../errors.ts';
import type { GeoPoint } from './geo-points.ts';

const EARTH_RADIUS = 6_371_008.7714;
const RADIANS = Math.PI / 180;

/** Metres of each unit. */
const UNITS: Readonly<Record<string, number>> = {
  ...{ in: 0.0254, inch: 0.0254, yd: 0.9144, yards: 0.9144, ft: 0.3048, feet: 0.3048 },
  ...{ km: 1000, kilometers: 1000, NM: 1852, nmi: 1852, nauticalmiles: 1852 },
  ...{ mm: 0.001, millimeters: 0.001, cm: 0.01, centimeters: 0.01 },
  ...{ mi: 1609.344, miles: 1609.344, m: 1, meters: 1 },
};

/**
 * Metres along the sphere (Lucene: SloppyMath.haversinMeters), to about a decimetre: the last bits of a short distance, which are
 * those of rounding, are dropped, so that equal distances are equal.
 */
export function arcDistance(from: GeoPoint, lat: number, lon: number): number {
  const [one, other] = [from.lat * RADIANS, lat * RADIANS];
  const along = 1 - Math.cos(other - one);
  const across = Math.cos(one) * Math.cos(other) * (1 - Math.cos((lon - from.lon) * RADIANS));
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt((along + across) * 0.5)));
}

/** Metres on a plane: right for short distances far from the poles. */
export function planeDistance(from: GeoPoint, lat: number, lon: number): number {
  const x = (lon - from.lon) * RADIANS * Math.cos(((lat + from.lat) / 2) * RADIANS);
  return Math.hypot(x, (lat - from.lat) * RADIANS) * EARTH_RADIUS;
}

/** Metres of a unit. Errors: illegal_argument_exception. */
export function metersOf(unit: string): number {
  if (Object.hasOwn(UNITS, unit)) return UNITS[unit]!;
  throw illegalArgument(`No distance unit match [${unit}]`);
}

/** Metres of a text such as `2km`, `12 mi`, or `300` (metres). Errors: number_format as an illegal argument. */
export function parseDistance(text: string): number {
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-z]*)\s*$/.exec(text.slice(0, 64));
  if (match === null || text.length > 64) throw illegalArgument(`failed to parse distance [${text}]`);
  return Number(match[1]) * metersOf(match[2] === '' ? 'm' : match[2]!);
}
