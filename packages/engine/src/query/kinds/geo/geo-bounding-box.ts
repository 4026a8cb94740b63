// geo_bounding_box: documents with a point between four edges.

import { illegalArgument } from '../../../errors.ts';
import { javaDouble } from '../../../json/java-double.ts';
import type { JsonValue } from '../../../json/value.ts';
import { parsingError } from '../../errors.ts';
import {
  isObject,
  objectBody,
  readBooleanParameter,
  readNumber,
  readParameters,
  readText,
} from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { QueryKind } from '../kind.ts';
import { type Area, pointsNode, readPoint, readValidation, type Validation } from './points-query.ts';

const KIND = 'geo_bounding_box';

/** Edges in degrees; a box whose right edge lies left of the left one crosses the date line. */
export interface Box {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

interface GeoBoundingBoxQuery extends Query {
  readonly kind: 'geo_bounding_box';
  readonly path: string;
  readonly box: Box;
  readonly ignoreUnmapped: boolean;
}

const OPTIONS: ReadonlySet<string> = new Set([
  ...['type', 'ignore_unmapped', 'validation_method', 'boost', '_name'],
]);

export const geoBoundingBox: QueryKind<GeoBoundingBoxQuery> = {
  name: KIND,
  parse(json) {
    const body = objectBody(KIND, json);
    let ignoreUnmapped = false;
    let validation = 'strict' as Validation;
    let box: Box | undefined;
    const [path] = Object.keys(body).filter((key) => !OPTIONS.has(key) && isObject(body[key]));
    const common = readParameters(
      KIND,
      body,
      {
        // How the box is looked for: the result is the same.
        type: (v) => readText(v, KIND, 'type'),
        ignore_unmapped: (v) => (ignoreUnmapped = readBooleanParameter(v, KIND, 'ignore_unmapped')),
        validation_method: (v) => (validation = readValidation(readText(v, KIND, 'validation_method'))),
        ...(path === undefined ? {} : { [path]: (v: JsonValue) => (box = readBox(v)) }),
      },
      (name) => parsingError(`failed to parse [${KIND}] query. unexpected field [${name}]`),
    );
    if (path === undefined || box === undefined) throw illegalArgument('Field name must not be empty.');
    if (validation !== 'ignore_malformed') checkBox(box);
    return Object.freeze({ kind: KIND, path, box: Object.freeze(box), ignoreUnmapped, ...common });
  },
  plan({ path, box, ignoreUnmapped }, planner, boost) {
    return pointsNode(planner, { kind: KIND, path, ignoreUnmapped }, boxArea(box), boost);
  },
};

/**
 * The area of a box, edges included. Stored coordinates are rounded down to 32 bits, so a point given exactly on the left or lower edge
 * usually lies outside (Lucene's `LatLonPoint`).
 */
export function boxArea({ top, left, bottom, right }: Box): Area {
  const isAcross = right < left;
  return {
    key: [top, left, bottom, right].map((edge) => javaDouble(edge)).join(),
    contains: (lat, lon) => {
      if (lat > top || lat < bottom) return false;
      const [isEast, isWest] = [lon >= left, lon <= right];
      return isAcross ? isEast || isWest : isEast && isWest;
    },
  };
}

function readBox(value: JsonValue): Box {
  const box = { top: Number.NaN, left: Number.NaN, bottom: Number.NaN, right: Number.NaN };
  if (!isObject(value)) throw parsingError(`failed to parse [${KIND}] query. [box] must be an object`);
  for (const [key, member] of Object.entries(value)) {
    if (key === 'wkt') return readWkt(readText(member, KIND, key));
    if (key === 'top' || key === 'left' || key === 'bottom' || key === 'right') {
      box[key] = readNumber(member, KIND, key);
      continue;
    }
    const corner = CORNERS[key];
    if (corner === undefined) throw parsingError(`failed to parse bounding box. unexpected field [${key}]`);
    const { lat, lon } = readPoint(member, key);
    const cell = typeof member === 'string' ? cellOf(member) : undefined;
    box[corner[0]] = lat + (corner[0] === 'top' ? (cell?.height ?? 0) : 0);
    box[corner[1]] = lon + (corner[1] === 'right' ? (cell?.width ?? 0) : 0);
  }
  return box;
}

/** The degrees that the cell of a geohash has; undefined for other texts. */
function cellOf(text: string): { readonly height: number; readonly width: number } | undefined {
  if (!/^[0-9b-hjkmnp-z]{1,12}$/.test(text)) return undefined;
  const bits = 5 * text.length;
  return { height: 180 / 2 ** Math.floor(bits / 2), width: 360 / 2 ** Math.ceil(bits / 2) };
}

const CORNERS: Readonly<Record<string, readonly ['top' | 'bottom', 'left' | 'right']>> = {
  top_left: ['top', 'left'],
  topLeft: ['top', 'left'],
  top_right: ['top', 'right'],
  topRight: ['top', 'right'],
  bottom_left: ['bottom', 'left'],
  bottomLeft: ['bottom', 'left'],
  bottom_right: ['bottom', 'right'],
  bottomRight: ['bottom', 'right'],
};

/** `BBOX (left, right, top, bottom)`. */
export function readWkt(text: string): Box {
  const found = /^\s*(?:BBOX|ENVELOPE)\s*\(([^()]{1,200})\)\s*$/i.exec(text);
  const numbers = found?.[1]?.split(',').map(Number) ?? [];
  if (numbers.length !== 4 || numbers.some(Number.isNaN))
    throw parsingError('failed to parse WKT bounding box: it is written as BBOX (left, right, top, bottom)');
  const [left, right, top, bottom] = numbers as [number, number, number, number];
  return { top, left, bottom, right };
}

function checkBox({ top, left, bottom, right }: Box): void {
  const wrong = (name: string, value: number): void => {
    throw illegalArgument(`${name} is invalid: ${Number.isNaN(value) ? 'NaN' : javaDouble(value)}`);
  };
  if (!(Math.abs(top) <= 90)) wrong('top latitude', top);
  if (!(Math.abs(bottom) <= 90)) wrong('bottom latitude', bottom);
  if (!(Math.abs(left) <= 180)) wrong('left longitude', left);
  if (!(Math.abs(right) <= 180)) wrong('right longitude', right);
  if (top < bottom)
    throw illegalArgument(`top is below bottom corner: ${javaDouble(top)} vs. ${javaDouble(bottom)}`);
}
