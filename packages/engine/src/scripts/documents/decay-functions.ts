// The decay functions of scripts that score: `decayNumericGauss(origin, scale, offset, decay, doc['f'].value)`, with numbers,
// dates or points.

import { dateFormat } from '../../mapping/dates/date-format.ts';
import { fixedLength } from '../../mapping/dates/fixed-length.ts';
import { UTC } from '../../mapping/dates/zone.ts';
import { geoPoints } from '../../mapping/document/geo-point.ts';
import { parseDistance } from '../../mapping/geo/geo-distance.ts';
import { type DecayCurve, expCurve, gaussCurve, linearCurve } from '../../score/decay-curves.ts';
import type { Functions } from '../compile/compile-expression.ts';
import { doubleArgument, textArgument } from '../library/arguments.ts';
import { ScriptDate } from '../library/dates.ts';
import { classCast, illegal } from '../script-fault.ts';
import { Double, type Value } from '../values/value.ts';
import { ScriptPoint } from './field-values.ts';

/** What is measured: origin, scale, offset and the distance of a value from the origin. */
interface Space {
  readonly scale: number;
  readonly offset: number;
  readonly distance: number;
}

type ReadSpace = (origin: Value, scale: Value, offset: Value, value: Value) => Space;

const numeric: ReadSpace = (origin, scale, offset, value) => ({
  scale: doubleArgument(scale),
  offset: doubleArgument(offset),
  distance: Math.abs(doubleArgument(value) - doubleArgument(origin)),
});

const date: ReadSpace = (origin, scale, offset, value) => {
  if (!(value instanceof ScriptDate)) throw classCast('the last argument must be a date');
  const start = dateFormat('strict_date_optional_time').read(textArgument(origin), UTC, false);
  if (start === undefined) throw illegal(`failed to parse date [${textArgument(origin)}]`);
  return {
    scale: lengthOf(scale),
    offset: lengthOf(offset),
    distance: Math.abs(value.millis - start.ms),
  };
};

function lengthOf(value: Value): number {
  const text = textArgument(value);
  const length = text === '0' ? 0 : fixedLength(text);
  if (length === undefined) throw illegal(`failed to parse length of time [${text}]`);
  return length;
}

const geo: ReadSpace = (origin, scale, offset, value) => {
  if (!(value instanceof ScriptPoint)) throw classCast('the last argument must be a point');
  const [{ lat, lon }] = geoPoints(textArgument(origin), 'origin', false) as [{ lat: number; lon: number }];
  return {
    scale: parseDistance(textArgument(scale)),
    offset: parseDistance(textArgument(offset)),
    distance: value.metersTo({ lat, lon }),
  };
};

const SPACES: Readonly<Record<string, ReadSpace>> = { Numeric: numeric, Date: date, Geo: geo };
const CURVES: Readonly<Record<string, DecayCurve>> = {
  Gauss: gaussCurve,
  Exp: expCurve,
  Linear: linearCurve,
};

export const decayFunctions: Functions = Object.fromEntries(
  Object.entries(SPACES).flatMap(([space, read]) =>
    Object.entries(CURVES).map(([name, curve]): [string, Functions[string]] => [
      `decay${space}${name}`,
      (args) => {
        const [origin = null, scale = null, offset = null, decay = null, value = null] = args;
        const found = read(origin, scale, offset, value);
        const distance = Math.max(0, found.distance - found.offset);
        return new Double(curve(found.scale, doubleArgument(decay))(distance));
      },
    ]),
  ),
);
