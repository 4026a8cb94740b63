// Values that a script computes, as fields: an aggregation whose body has a `script` reads a field that exists only for it.

import type { ScriptSpec } from '../../api.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isObject } from '../../query/parameters.ts';
import type { ComputedKind } from '../../scripts/documents/value-script.ts';
import { readScript } from '../../scripts/script-spec.ts';
import { kindOfValueType } from '../values/numeric-source.ts';

/** A field of one aggregation. */
export interface ComputedField {
  /** The path by which the aggregation reads it; no field of an index has such a path. */
  readonly path: string;
  readonly script: ScriptSpec;
  /** The field whose values the script gets, one after the other; undefined for one that gets documents. */
  readonly field: string | undefined;
  /** The kind of its values; undefined for that of `field`: texts or doubles. */
  readonly kind: ComputedKind | undefined;
}

/** What computed values are in an aggregation, by its name; other aggregations have no scripts. */
const KINDS: ReadonlyMap<string, ComputedKind> = new Map<string, ComputedKind>([
  ...['terms', 'rare_terms', 'cardinality', 'value_count', 'missing'].map(
    (name) => [name, 'keyword'] as const,
  ),
  ...['date_histogram', 'auto_date_histogram', 'date_range'].map((name) => [name, 'date'] as const),
  ...['avg', 'sum', 'min', 'max', 'stats', 'extended_stats'].map((name) => [name, 'double'] as const),
  ...['percentiles', 'percentile_ranks', 'median_absolute_deviation'].map(
    (name) => [name, 'double'] as const,
  ),
  ...['histogram', 'variable_width_histogram', 'range', 'weighted_avg'].map(
    (name) => [name, 'double'] as const,
  ),
]);

/** The body with computed fields in the place of scripts, and these fields. */
export function readComputedFields(
  type: string,
  body: JsonObject,
): { readonly body: JsonObject; readonly computed: readonly ComputedField[] } {
  const computed: ComputedField[] = [];
  const replace = (json: JsonValue | undefined, preset: ComputedKind | undefined): JsonValue | undefined => {
    if (!isObject(json) || json['script'] === undefined || preset === undefined) return json;
    const path = `\u0000script ${computed.length}`;
    const { script: _, field, ...rest } = json;
    const valueType = json['value_type'] ?? json['valueType'];
    const asked = typeof valueType === 'string' ? kindOfValueType(valueType) : undefined;
    const own = typeof field === 'string' ? field : undefined;
    computed.push({
      path,
      script: readScript(json, 'script', type),
      field: own,
      kind:
        (asked as ComputedKind | undefined) ?? (own === undefined || preset === 'date' ? preset : undefined),
    });
    return { ...rest, field: path };
  };
  const preset = KINDS.get(type);
  if (type === 'multi_terms' && Array.isArray(body['terms'])) {
    const terms = body['terms'].map((each) => replace(each, 'keyword')!);
    return { body: computed.length === 0 ? body : { ...body, terms }, computed };
  }
  if (type === 'weighted_avg') {
    const [value, weight] = [replace(body['value'], 'double'), replace(body['weight'], 'double')];
    return { body: computed.length === 0 ? body : { ...body, value: value!, weight: weight! }, computed };
  }
  return { body: replace(body, preset) as JsonObject, computed };
}
