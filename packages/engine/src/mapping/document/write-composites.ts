// Writes fields whose values are whole objects: flat_object stores every leaf as terms; the points of a
// geo_point become keys of its column; a stored range becomes a term.

import { illegalArgument } from '../../errors.ts';
import type { ByteScratch } from '../../json/bytes.ts';
import { readValue } from '../../json/parse.ts';
import { ARRAY_END, ARRAY_START, KEY, NULL, OBJECT_START, type Scanner, STRING } from '../../json/scanner.ts';
import { mapperParsing } from '../definition/type-params.ts';
import type { Field } from '../field.ts';
import type { DocSink, FieldSpec } from '../field-spec.ts';
import { type GeoPoint, latKey, lonKey } from '../geo/geo-points.ts';
import { MAX_TERM } from '../types/keywords.ts';
import { storedBounds } from '../types/ranges.ts';
import { isDocumentFault, WholeDocumentError } from './document-errors.ts';
import { geoPoints } from './geo-point.ts';
import { immenseTermFault, type Scalar, scalarText } from './write-scalar.ts';

/** The scanner's token as a scalar, unescaped if necessary. Valid until the scanner unescapes again. */
export function readScalar(scanner: Scanner, value: Scalar): Scalar {
  value.token = scanner.token;
  value.integer = scanner.integer;
  if (scanner.token === STRING && scanner.escaped) {
    const plain = scanner.unescape();
    value.bytes = plain.bytes;
    value.start = 0;
    value.stop = plain.length;
    value.ascii = false;
  } else {
    value.bytes = scanner.bytes;
    value.start = scanner.start;
    value.stop = scanner.stop;
    value.ascii = scanner.token !== STRING || scanner.ascii;
  }
  return value;
}

/** A flat_object below `path`: values as terms of the field, and as `path.key=value` for its keys. */
export function writeFlat(
  target: Field,
  path: string,
  scanner: Scanner,
  sink: DocSink,
  scratch: ByteScratch,
): void {
  const value: Scalar = { token: 0, bytes: scanner.bytes, start: 0, stop: 0, ascii: true, integer: false };
  const put = (spec: FieldSpec, text: string): void => {
    const length = scratch.setText(text);
    if (length > MAX_TERM)
      throw new WholeDocumentError(immenseTermFault(spec.path, scratch.bytes, 0, length));
    sink.keyword(spec, scratch.bytes, 0, length);
  };
  const walk = (at: string): void => {
    const token = scanner.token;
    if (token === OBJECT_START) {
      while (scanner.next() === KEY) {
        const below = `${at}.${scanner.keys.text(scanner.key)}`;
        scanner.next();
        walk(below);
      }
    } else if (token === ARRAY_START) {
      while (scanner.next() !== ARRAY_END) walk(at);
    } else if (token !== NULL) {
      const text = scalarText(readScalar(scanner, value));
      put(target.spec, text);
      put(target.keys!, `${at}=${text}`);
    }
  };
  walk(path);
}

/**
 * Writes one or several points, and returns them. A malformed point is an error, or goes to `ignored` if the field says so; in a document that
 * was accepted before (`isAccepted`) it counts as a point, as it did then.
 */
export function writeGeo(
  target: Field,
  scanner: Scanner,
  sink: DocSink,
  ignored: Set<string>,
  isAccepted: boolean,
): readonly GeoPoint[] {
  const json = readValue(scanner);
  try {
    const points = geoPoints(json, target.path, target.ignoreMalformed);
    for (const { lat, lon } of points) {
      if (target.spec.column === 'none') sink.present(target.spec);
      else sink.numeric(target.spec, latKey(lat), lonKey(lon));
    }
    return points;
  } catch (error) {
    if (!isDocumentFault(error)) throw error;
    if (isAccepted && !target.ignoreMalformed) {
      sink.present(target.spec);
      return [];
    }
    if (!target.ignoreMalformed)
      throw mapperParsing(`failed to parse field [${target.path}] of type [geo_point]`, error);
    ignored.add(target.path);
    return [];
  }
}

/** Writes one range. An empty one, or one that cannot be read, is an error. */
export function writeRange(target: Field, scanner: Scanner, sink: DocSink): void {
  const json = readValue(scanner);
  try {
    const term = target.range!.encode(storedBounds(json, target.path, target.kind));
    if (term === undefined) throw illegalArgument('min value is greater than max value');
    sink.keyword(target.spec, term, 0, term.length);
  } catch (error) {
    if (!isDocumentFault(error)) throw error;
    throw mapperParsing(`failed to parse field [${target.path}] of type [${target.kind}]`, error);
  }
}
