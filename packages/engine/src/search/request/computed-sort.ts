// Sorts by what is computed from each document: the number or text of a script, or the distance to a point.

import type { ScriptSpec } from '../../api.ts';
import { EngineError, illegalArgument } from '../../errors.ts';
import { plainText } from '../../json/java-text.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { geoPoints } from '../../mapping/document/geo-point.ts';
import { metersOf } from '../../mapping/geo/geo-distance.ts';
import type { GeoPoint } from '../../mapping/geo/geo-points.ts';
import type { SortMode } from '../../order/order-spec.ts';
import { attachPlace } from '../../place.ts';
import { readScript } from '../../scripts/script-spec.ts';

/** `_script`: what a script computes. */
export interface ScriptSort {
  readonly by: 'script';
  readonly type: 'number' | 'string';
  readonly script: ScriptSpec;
}

/** `_geo_distance`: distances between the points of a field and some others. */
export interface DistanceSort {
  readonly by: 'distance';
  readonly path: string;
  readonly points: readonly GeoPoint[];
  /** Metres of the unit of the values. */
  readonly unit: number;
  readonly isPlane: boolean;
  readonly ignoreUnmapped: boolean;
}

/** The options of a sort that are not those of a field. */
export interface ComputedSortOptions {
  readonly computed: ScriptSort | DistanceSort;
  readonly descending: boolean;
  readonly mode: SortMode | undefined;
}

/** How the text of an order and of a mode is read. */
export interface SortReaders {
  readonly order: (value: JsonValue) => boolean;
  readonly mode: (value: JsonValue) => SortMode;
}

/** Reads the options of `_script`. */
export function parseScriptSort(options: JsonObject, readers: SortReaders): ComputedSortOptions {
  let type: ScriptSort['type'] | undefined;
  let script: ScriptSpec | undefined;
  let descending = false;
  let mode: SortMode | undefined;
  for (const [key, value] of Object.entries(options)) {
    switch (key) {
      case 'type':
        type = readType(options, plainText(value));
        break;
      case 'script':
        script = readScript(options, key, '_script');
        break;
      case 'order':
        descending = readers.order(value);
        break;
      case 'mode':
        mode = readers.mode(value);
        break;
      default: {
        const error = new EngineError('x_content_parse_exception', `[_script] unknown field [${key}]`);
        throw attachPlace(error, { holder: options, key, at: 'key' });
      }
    }
  }
  const absent = [...(script === undefined ? ['script'] : []), ...(type === undefined ? ['type'] : [])];
  if (script === undefined || type === undefined) throw illegalArgument(`Required [${absent.join(', ')}]`);
  return { computed: { by: 'script', type, script }, descending, mode };
}

function readType(options: JsonObject, text: string): ScriptSort['type'] {
  const type = text.toLowerCase();
  if (type === 'number' || type === 'string') return type;
  const causedBy = illegalArgument(`Unknown ScriptSortType [${text}]`);
  const error = new EngineError('x_content_parse_exception', '[_script] failed to parse field [type]', {
    causedBy,
  });
  throw attachPlace(error, { holder: options, key: 'type', at: 'value' });
}

/** Reads the options of `_geo_distance`: the member that is no option is the field with the points. */
export function parseDistanceSort(options: JsonObject, readers: SortReaders): ComputedSortOptions {
  let path: string | undefined;
  let raw: JsonValue = null;
  let descending = false;
  let mode: SortMode | undefined;
  let unit = 1;
  let isPlane = false;
  let ignoreUnmapped = false;
  let isLenient = false;
  for (const [key, value] of Object.entries(options)) {
    if (key === 'order') descending = readers.order(value);
    else if (key === 'unit') unit = metersOf(plainText(value));
    else if (key === 'distance_type') isPlane = readPlane(plainText(value));
    else if (key === 'mode' || key === 'sort_mode') mode = readDistanceMode(value, readers);
    else if (key === 'ignore_unmapped') ignoreUnmapped = isTrue(key, value);
    else if (key === 'validation_method') isLenient = isCoerced(plainText(value));
    else if (key === 'nested')
      throw illegalArgument('[nested] is not supported in a sort by [_geo_distance]');
    else if (path !== undefined)
      throw illegalArgument(`Trying to reset fieldName to [${key}], already set to [${path}].`);
    else {
      path = key;
      raw = value;
    }
  }
  const points = path === undefined ? [] : geoPoints(raw, path, isLenient);
  if (path === undefined || points.length === 0)
    throw illegalArgument('Geo distance sorting needs at least one point.');
  // The peer has a shortcut for this sort, which measures along the sphere.
  const isShortcut = points.length === 1 && unit === 1 && !descending && (mode ?? 'min') === 'min';
  return {
    computed: { by: 'distance', path, points, unit, isPlane: isPlane && !isShortcut, ignoreUnmapped },
    descending,
    mode,
  };
}

function readDistanceMode(value: JsonValue, { mode: read }: SortReaders): SortMode {
  const mode = read(value);
  if (mode === 'sum') throw illegalArgument("sort_mode [sum] isn't supported for sorting by geo distance");
  return mode;
}

function readPlane(text: string): boolean {
  if (text === 'arc' || text === 'plane') return text === 'plane';
  throw illegalArgument(`No geo distance for [${text}]`);
}

function isTrue(key: string, value: JsonValue): boolean {
  if (typeof value === 'boolean') return value;
  throw illegalArgument(`[${key}] must be true or false`);
}

/** Whether points outside the globe are turned round it. */
function isCoerced(text: string): boolean {
  const method = text.toLowerCase();
  if (method === 'coerce' || method === 'ignore_malformed' || method === 'strict') return method !== 'strict';
  throw illegalArgument(
    `invalid [validation_method] [${text}]; it is one of [strict, ignore_malformed, coerce]`,
  );
}
