// Stored ranges: integer_range, long_range, float_range, double_range, date_range and ip_range. A range is a term of its
// field: its smallest and its greatest value as sortable bytes, both included.
//
//   [ min: 8 bytes, or 16 of an address | max: the same ]
//
// A query decides for each different range of the dictionary whether it matches, O(different ranges). Lucene: BinaryRange.

import type { JsonObject, JsonValue } from '../../json/value.ts';
import { mapperParsing } from '../definition/type-params.ts';
import { parseCidr, printIp } from './ip.ts';
import type {
  BytesType,
  FieldKind,
  Key64,
  NumericType,
  RangeBounds,
  RangeRelation,
  RangeType,
} from './type.ts';

/** The kinds of stored ranges, and the kind of their ends. */
export const RANGE_ENDS: Readonly<Partial<Record<FieldKind, FieldKind>>> = {
  integer_range: 'integer',
  long_range: 'long',
  float_range: 'float',
  double_range: 'double',
  date_range: 'date',
  ip_range: 'ip',
};

/** Ends that are numbers or dates. */
export function numericRange(ends: NumericType): RangeType {
  const range = rangeOf(8, (bounds, now) => {
    const keys = ends.range(bounds, now);
    return keys && { min: keyBytes(keys.min), max: keyBytes(keys.max) };
  });
  const value = (view: DataView, at: number): number =>
    Number(ends.decode(view.getUint32(at), view.getUint32(at + 4)));
  return {
    ...range,
    printed(bound, format) {
      const key = ends.parse(bound);
      return key && ends.format(key.hi, key.lo, format);
    },
    ends(term) {
      const view = new DataView(term.buffer, term.byteOffset, term.length);
      return [value(view, 0), value(view, 8)];
    },
  };
}

/** Ends that are addresses. */
export function ipRange(ends: BytesType): RangeType {
  return rangeOf(16, (bounds) => {
    const range = ends.range(bounds);
    return range && { min: range.min, max: range.max! };
  });
}

type ReadEnds = (
  bounds: RangeBounds,
  now: () => number,
) => { readonly min: Uint8Array; readonly max: Uint8Array } | undefined;

function rangeOf(size: number, read: ReadEnds): RangeType {
  return {
    encode(bounds) {
      const ends = read(bounds, Date.now);
      if (ends === undefined) return undefined;
      const bytes = new Uint8Array(2 * size);
      bytes.set(ends.min);
      bytes.set(ends.max, size);
      return bytes;
    },
    matcher(bounds, relation, now) {
      const ends = read(bounds, now);
      return (
        ends &&
        ((range) => holds(relation, range.subarray(0, size), range.subarray(size), ends.min, ends.max))
      );
    },
  };
}

/** Whether a stored range [min, max] has a relation to [from, to]. */
function holds(
  relation: RangeRelation,
  min: Uint8Array,
  max: Uint8Array,
  from: Uint8Array,
  to: Uint8Array,
): boolean {
  switch (relation) {
    case 'intersects':
      return Buffer.compare(min, to) <= 0 && Buffer.compare(max, from) >= 0;
    case 'contains':
      return Buffer.compare(min, from) <= 0 && Buffer.compare(max, to) >= 0;
    case 'within':
      return Buffer.compare(min, from) >= 0 && Buffer.compare(max, to) <= 0;
  }
}

function keyBytes({ hi, lo }: Key64): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, hi);
  view.setUint32(4, lo);
  return bytes;
}

const BOUNDS: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte']);

/**
 * The bounds of a stored range: an object of `gt`, `gte`, `lt` and `lte`, or for addresses a block such as `10.0.0.0/8`.
 * Throws mapper_parsing_exception.
 */
export function storedBounds(value: JsonValue, path: string, kind: FieldKind): RangeBounds {
  if (kind === 'ip_range' && typeof value === 'string') return blockBounds(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw mapperParsing(
      `error parsing field [${path}], expected an object but got ${path.slice(path.lastIndexOf('.') + 1)}`,
    );
  const bounds: JsonObject = Object.create(null) as JsonObject;
  for (const [name, bound] of Object.entries(value)) {
    if (!BOUNDS.has(name))
      throw mapperParsing(`error parsing field [${path}], with unknown parameter [${name}]`);
    if (bound !== null && typeof bound === 'object')
      throw mapperParsing(`error parsing field [${path}]: [${name}] must be a single value`);
    if (bound !== null) bounds[name] = bound;
  }
  return { ...bounds, roundsDown: true };
}

function blockBounds(text: string): RangeBounds {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return { gte: text, lte: text };
  const { min, max } = parseCidr(text);
  return { gte: printIp(min), lte: printIp(max) };
}
