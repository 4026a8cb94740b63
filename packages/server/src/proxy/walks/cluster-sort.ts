// The sort of a list that is walked: the caller's entries, then `_id` and `_index` as tie breakers, as in the
// embedded store. It can be reversed to walk towards the start.

import { isObject, type JsonObject, type JsonValue } from '@octavo/engine';

export interface SortEntry {
  readonly field: string;
  readonly descending: boolean;
  /** Other options, such as `missing`. */
  readonly options: JsonObject;
}

/** Fields every document has, so `missing` does not apply. */
const WITHOUT_MISSING: ReadonlySet<string> = new Set(['_score', '_doc', '_id', '_index', '_shard_doc']);

/** The entries of a sort in a body; `_score` if there is none. */
export function sortEntries(sort: JsonValue | undefined): SortEntry[] {
  const list = sort === undefined ? [] : Array.isArray(sort) ? (sort as JsonValue[]) : [sort];
  const entries = list.flatMap(entriesOf);
  return entries.length === 0 ? [entry('_score', {})] : entries;
}

/** Appends the tie breakers. */
export function withTiebreak(entries: readonly SortEntry[]): SortEntry[] {
  return [...entries, entry('_id', {}), entry('_index', {})];
}

/** The sort for the cluster. Backwards it is the same list read from its other end. */
export function printSort(entries: readonly SortEntry[], backwards: boolean): JsonValue[] {
  return entries.map(({ field, descending, options }) => {
    const { missing, mode, ...rest } = options;
    const order = descending === backwards ? 'asc' : 'desc';
    if (WITHOUT_MISSING.has(field)) return { [field]: { order } };
    // For several values, the same value must decide in both directions.
    const deciding = mode ?? (field.startsWith('_') ? undefined : descending ? 'max' : 'min');
    return {
      [field]: {
        ...rest,
        order,
        ...(deciding === undefined ? {} : { mode: deciding }),
        ...(field.startsWith('_') ? {} : { missing: reverseMissing(missing ?? '_last', backwards) }),
      },
    };
  });
}

function reverseMissing(missing: JsonValue, backwards: boolean): JsonValue {
  if (!backwards) return missing;
  return missing === '_last' ? '_first' : missing === '_first' ? '_last' : missing;
}

function entriesOf(value: JsonValue): SortEntry[] {
  if (typeof value === 'string') return [entry(value, {})];
  if (!isObject(value)) return [];
  return Object.entries(value).map(([field, how]) =>
    typeof how === 'string' ? entry(field, { order: how }) : entry(field, isObject(how) ? how : {}),
  );
}

function entry(field: string, { order, reverse: _, ...options }: JsonObject): SortEntry {
  const descending = order === undefined ? field === '_score' : String(order).toLowerCase() === 'desc';
  return { field, descending, options };
}
