// What a decay measures distances in: numbers, dates in milliseconds, or points in metres.

import { EngineError, illegalArgument } from '../../errors.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { fixedLength } from '../../mapping/dates/fixed-length.ts';
import { geoPoints } from '../../mapping/document/geo-point.ts';
import { arcDistance, parseDistance } from '../../mapping/geo/geo-distance.ts';
import { latOf, lonOf } from '../../mapping/geo/geo-points.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import type { NumericColumn } from '../../segment/leaf.ts';
import { misfitFunction } from '../errors.ts';
import { typeName } from '../field/field-value.ts';
import { readNumber, readText } from '../parameters.ts';
import type { Planner } from '../plan/planner.ts';
import { checkFielddata, numberReader } from './field-numbers.ts';

/** Origin, scale and offset in one unit. */
export interface DecaySpace {
  readonly scale: number;
  readonly offset: number;
  /** The distance of the value at a place of the column from the origin. */
  distances(column: NumericColumn): (at: number) => number;
}

/** The space of a field. */
export function decaySpace(field: FieldType, parameters: JsonObject, planner: Planner): DecaySpace {
  const { kind } = field;
  if (kind === 'geo_point' || kind === 'date' || kind === 'date_nanos')
    return distanceSpace(field, parameters, planner, 'DecayFunctionParser.scale', false);
  // Fractions kept as whole numbers are no numbers to the peer here.
  if (field.numeric === undefined || kind === 'boolean' || kind === 'scaled_float') {
    throw misfitFunction(
      `field [${field.path}] is of type [${typeName(field)}], but only numeric types are supported.`,
      1,
    );
  }
  const origin = numberOf(parameters, 'origin');
  const scale = numberOf(parameters, 'scale');
  if (origin === undefined || scale === undefined)
    throw unset('both [scale] and [origin] must be set for numeric fields.');
  return numberSpace(field, origin, scale, numberOf(parameters, 'offset') ?? 0);
}

/**
 * The space of a field of dates or points. `setting` is the scale's name in errors. `roundUp`: a day as origin is its
 * last millisecond.
 */
export function distanceSpace(
  field: FieldType,
  parameters: JsonObject,
  planner: Planner,
  setting: string,
  roundUp: boolean,
): DecaySpace {
  return field.kind === 'geo_point'
    ? geoSpace(field, parameters)
    : dateSpace(field, parameters, planner, setting, roundUp);
}

function unset(reason: string): EngineError {
  return new EngineError('parse_exception', reason);
}

function numberOf(parameters: JsonObject, name: string): number | undefined {
  const value = parameters[name];
  return value === undefined ? undefined : readNumber(value, 'function_score', name);
}

function numberSpace(field: FieldType, origin: number, scale: number, offset: number): DecaySpace {
  checkFielddata(field);
  return {
    scale,
    offset,
    distances(column) {
      const read = numberReader(field, column);
      return (at) => Math.abs(read(at) - origin);
    },
  };
}

function dateSpace(
  field: FieldType,
  parameters: JsonObject,
  planner: Planner,
  setting: string,
  roundUp: boolean,
): DecaySpace {
  const { origin, scale, offset } = parameters;
  if (scale === undefined) throw unset('[scale] must be set for date fields.');
  const at = origin === undefined ? planner.now() : dateOf(field, origin, planner, roundUp);
  return numberSpace(
    field,
    at,
    lengthOf(scale, setting),
    offset === undefined ? 0 : lengthOf(offset, 'DecayFunctionParser.offset'),
  );
}

/** A date of a query in milliseconds. */
function dateOf(field: FieldType, value: JsonValue, planner: Planner, roundUp: boolean): number {
  const keys = field.numeric!.range(roundUp ? { lte: value } : { gte: value }, () => planner.now());
  if (keys === undefined) throw illegalArgument(`[origin] is out of range for [${field.path}]`);
  const { hi, lo } = roundUp ? keys.max : keys.min;
  const long = field.numeric!.decode(hi, lo);
  return field.kind === 'date_nanos' ? Number(BigInt(long) / 1_000_000n) : Number(long);
}

function lengthOf(value: JsonValue, setting: string): number {
  const text = readText(value, 'function_score', setting);
  const length = fixedLength(text);
  if (length !== undefined) return length;
  throw illegalArgument(
    /[dhms]$/.test(text)
      ? `failed to parse [${text}]`
      : `failed to parse setting [${setting}] with value [${text}] as a time value: unit is missing or unrecognized`,
  );
}

function geoSpace(field: FieldType, parameters: JsonObject): DecaySpace {
  const { origin, scale, offset } = parameters;
  // Without an origin the peer measures from the point (0, 0).
  const point = origin === undefined ? { lat: 0, lon: 0 } : geoPoints(origin, field.path, false)[0];
  if (point === undefined || scale === undefined)
    throw unset('[scale] and [origin] must be set for geo fields.');
  checkFielddata(field);
  return {
    scale: parseDistance(readText(scale, 'function_score', 'scale')),
    offset: offset === undefined ? 0 : parseDistance(readText(offset, 'function_score', 'offset')),
    distances:
      ({ hi, lo }) =>
      (at) =>
        arcDistance(point, latOf(hi[at]!), lonOf(lo[at]!)),
  };
}
