// Parses the `sort` of a request body into a list of fields with options. Only the shape is checked here;
// sortable.ts checks that the fields exist and can be sorted on.

import { EngineError, illegalArgument } from '../../errors.ts';
import { plainText } from '../../json/java-text.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { SortMode } from '../../order/order-spec.ts';
import { attachPlace } from '../../place.ts';
import {
  type ComputedSortOptions,
  type DistanceSort,
  parseDistanceSort,
  parseScriptSort,
  type ScriptSort,
  type SortReaders,
} from './computed-sort.ts';

/** One entry of a sort, as the caller gave it. */
export interface SortField {
  readonly field: string;
  readonly descending: boolean;
  /** '_first', '_last' or a value. */
  readonly missing: JsonValue;
  readonly mode: SortMode | undefined;
  readonly unmappedType: string | undefined;
  readonly format: string | undefined;
  readonly numericType: 'long' | 'double' | 'date' | 'date_nanos' | undefined;
  readonly nested: NestedSort | undefined;
  /** Present for `_script` and `_geo_distance`. */
  readonly computed: ScriptSort | DistanceSort | undefined;
}

/** Whose values count: objects at a nested path that match a filter, or objects within them. */
export interface NestedSort {
  readonly path: string;
  readonly filter: JsonObject | undefined;
  /** Objects of one document that are looked at. */
  readonly maxChildren: number;
  readonly inner: NestedSort | undefined;
}

const MODES = ['min', 'max', 'avg', 'sum', 'median'] as const;
const NUMERIC_TYPES = ['long', 'double', 'date', 'date_nanos'] as const;

function parseFailure(parser: string, option: string, cause: string): EngineError {
  return new EngineError('x_content_parse_exception', `[${parser}] failed to parse field [${option}]`, {
    causedBy: illegalArgument(cause),
  });
}

function isDescending(text: JsonValue): boolean {
  const order = plainText(text).toLowerCase();
  if (order === 'asc' || order === 'desc') return order === 'desc';
  throw illegalArgument(
    `No enum constant org.opensearch.search.sort.SortOrder.${plainText(text).toUpperCase()}`,
  );
}

function defaultSort(field: string, descending: boolean): SortField {
  return {
    field,
    descending,
    missing: '_last',
    mode: undefined,
    unmappedType: undefined,
    format: undefined,
    numericType: undefined,
    nested: undefined,
    computed: undefined,
  };
}

function parseScore(options: JsonObject): SortField {
  let descending = true;
  for (const [name, value] of Object.entries(options)) {
    if (name !== 'order')
      throw attachPlace(new EngineError('x_content_parse_exception', `[_score] unknown field [${name}]`), {
        holder: options,
        key: name,
        at: 'key',
      });
    descending = orderOption('_score', value);
  }
  return defaultSort('_score', descending);
}

function orderOption(parser: string, value: JsonValue): boolean {
  try {
    return isDescending(value);
  } catch (e) {
    throw parseFailure(parser, 'order', (e as Error).message);
  }
}

function modeOption(parser: string, value: JsonValue): SortMode {
  const mode = plainText(value).toLowerCase();
  if (MODES.some((m) => m === mode)) return mode as SortMode;
  throw parseFailure(parser, 'mode', `Unknown SortMode [${plainText(value)}]`);
}

function readersOf(parser: string): SortReaders {
  return { order: (value) => orderOption(parser, value), mode: (value) => modeOption(parser, value) };
}

function computedSort(field: string, { computed, descending, mode }: ComputedSortOptions): SortField {
  return { ...defaultSort(field, descending), computed, mode };
}

function parseField(field: string, options: JsonObject): SortField {
  const sort: { -readonly [K in keyof SortField]: SortField[K] } = defaultSort(field, false);
  for (const [name, value] of Object.entries(options)) {
    try {
      switch (name) {
        case 'order':
          sort.descending = orderOption('field_sort', value);
          break;
        case 'missing':
          sort.missing = value ?? '_last';
          break;
        case 'mode':
          sort.mode = modeOption('field_sort', value);
          break;
        case 'unmapped_type':
          sort.unmappedType = value === null ? undefined : plainText(value);
          break;
        case 'format':
          sort.format = value === null ? undefined : plainText(value);
          break;
        case 'numeric_type': {
          const type = plainText(value).toLowerCase();
          if (!NUMERIC_TYPES.some((t) => t === type)) {
            const cause = `invalid value for [numeric_type], must be [long, double, date, date_nanos], got ${plainText(value)}`;
            throw parseFailure('field_sort', 'numeric_type', cause);
          }
          sort.numericType = type as NonNullable<SortField['numericType']>;
          break;
        }
        case 'nested':
          sort.nested = parseNested(value);
          break;
        default:
          throw attachPlace(
            new EngineError('x_content_parse_exception', `[field_sort] unknown field [${name}]`),
            {
              holder: options,
              key: name,
              at: 'key',
            },
          );
      }
    } catch (error) {
      throw error instanceof EngineError
        ? attachPlace(error, { holder: options, key: name, at: 'value' })
        : error;
    }
  }
  return sort;
}

function parseNested(value: JsonValue): NestedSort {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw illegalArgument('malformed nested format, must start with an object');
  let path: string | undefined;
  let filter: JsonObject | undefined;
  let maxChildren = Number.POSITIVE_INFINITY;
  let inner: NestedSort | undefined;
  for (const [name, member] of Object.entries(value)) {
    if (name === 'path') path = plainText(member);
    else if (name === 'max_children') maxChildren = maxChildrenOf(member);
    else if (name === 'nested') inner = parseNested(member);
    else if (name === 'filter' && typeof member === 'object' && member !== null && !Array.isArray(member))
      filter = member;
    else throw illegalArgument(`malformed nested format, unknown field name [${name}]`);
  }
  if (path === undefined) throw illegalArgument('malformed nested format, [path] is missing');
  return { path, filter, maxChildren, inner };
}

function maxChildrenOf(value: JsonValue): number {
  const count = Number(plainText(value));
  if (Number.isInteger(count)) return count < 0 ? Number.POSITIVE_INFINITY : count;
  throw illegalArgument('[max_children] must be a whole number');
}

function parseEntry(field: string, options: JsonValue): SortField {
  if (typeof options === 'string') return defaultSort(field, isDescending(options));
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new EngineError(
      'x_content_parse_exception',
      `[field_sort] Expected START_OBJECT but was: ${options === null ? 'VALUE_NULL' : 'VALUE'}, in the sort on [${field}]`,
    );
  }
  if (field === '_script') return computedSort(field, parseScriptSort(options, readersOf(field)));
  if (field === '_geo_distance')
    return computedSort(field, parseDistanceSort(options, readersOf('geo_distance_sort')));
  return field === '_score' ? parseScore(options) : parseField(field, options);
}

/** Reads the `sort` of a body. Empty when the order is by score: absent, or only `_score` descending. */
export function parseSort(sort: JsonValue | undefined): readonly SortField[] {
  if (sort === undefined) return [];
  if (sort === null || typeof sort === 'boolean') {
    const token = sort === null ? 'VALUE_NULL' : 'VALUE_BOOLEAN';
    throw new EngineError('parsing_exception', `Unknown key for a ${token} in [sort].`);
  }
  const fields: SortField[] = [];
  const byName = (field: string): SortField => defaultSort(field, field === '_score');
  for (const item of Array.isArray(sort) ? sort : [typeof sort === 'object' ? sort : String(sort)]) {
    if (typeof item === 'string') fields.push(byName(item));
    else if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
      for (const [field, options] of Object.entries(item)) fields.push(parseEntry(field, options));
    } else {
      throw illegalArgument(
        'malformed sort format, within the sort array, an object, or an actual string are allowed',
      );
    }
  }
  const only = fields[0];
  return fields.length === 1 && only!.field === '_score' && only!.descending ? [] : fields;
}
