// Values of a source as their field indexes them, for `fields`: what the doc values of each value would show, in the
// order of the source.

import { EngineError } from '../../errors.ts';
import { plainNumber, plainText } from '../../json/java-text.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { geoPoints } from '../../mapping/document/geo-point.ts';
import { shortestFloat } from '../../mapping/types/shortest-float.ts';
import type { FieldType, RangeType } from '../../mapping/types/type.ts';

/** The values of a field; empty where it is not mapped. Values that the field cannot take are left out. */
export function indexedValues(
  field: FieldType | undefined,
  values: readonly JsonValue[],
  format?: string,
): JsonValue[] {
  if (field === undefined) return [];
  const out: JsonValue[] = [];
  for (const value of values) {
    try {
      if (field.kind === 'geo_point') {
        for (const { lat, lon } of geoPoints(value, field.path, true)) out.push({ lat, lon });
        continue;
      }
      const indexed =
        field.range === undefined
          ? indexedValue(field, value, format)
          : rangeValue(field.range, value, format);
      if (indexed !== undefined) out.push(indexed);
    } catch (error) {
      // Such a value was ignored when it was indexed, too.
      if (!(error instanceof EngineError)) throw error;
    }
  }
  // The peer shows the doc values of these, which ascend.
  return field.kind === 'token_count' ? out.sort((a, b) => Number(a) - Number(b)) : out;
}

function indexedValue(field: FieldType, value: JsonValue, format: string | undefined): JsonValue | undefined {
  const { kind, numeric, bytes } = field;
  switch (kind) {
    case 'text':
    case 'match_only_text':
      return plainText(value);
    case 'double':
      return finite(plainNumber(value));
    // The doc values of a half_float have fewer digits than the value that the peer shows.
    case 'float':
    case 'half_float':
    case 'rank_feature':
      return finite(shortestFloat(Math.fround(plainNumber(value))));
    case 'long':
    case 'integer':
    case 'short':
    case 'byte':
    case 'unsigned_long':
      return numeric === undefined ? value : formatted(numeric, truncated(value), undefined);
    case 'token_count':
      return field.hasDocValues ? field.countWords!(plainText(value)) : undefined;
    case 'keyword': {
      const text = plainText(value);
      const longest = field.params['ignore_above'];
      if (typeof longest === 'number' && text.length > longest) return undefined;
      return bytes === undefined ? text : bytes.decode(bytes.encode(text));
    }
    default:
      if (numeric !== undefined) return formatted(numeric, value, format);
      return bytes === undefined || typeof value === 'object' ? value : bytes.decode(bytes.encode(value));
  }
}

/** A range with each bound as it is shown. */
function rangeValue({ printed }: RangeType, value: JsonValue, format: string | undefined): JsonValue {
  if (printed === undefined || typeof value !== 'object' || value === null || Array.isArray(value))
    return value;
  const bounds = Object.entries(value).map(([name, bound]) => [name, printed(bound, format) ?? null]);
  return Object.fromEntries(bounds) as JsonObject;
}

function formatted(
  numeric: NonNullable<FieldType['numeric']>,
  value: JsonValue,
  format: string | undefined,
): JsonValue | undefined {
  const key = numeric.parse(value);
  return key === undefined ? undefined : numeric.format(key.hi, key.lo, format);
}

/** A number without its decimals, as it was given where it has none: as a double it could lose digits. */
function truncated(value: JsonValue): JsonValue {
  if (typeof value === 'bigint' || (typeof value === 'string' && /^[+-]?\d+$/.test(value))) return value;
  return Math.trunc(plainNumber(value));
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
