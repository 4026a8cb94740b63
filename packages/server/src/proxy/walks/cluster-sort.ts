// In which order does the cluster give out a list that is walked? The caller's own, with ties broken by `_id` (and by the
// index where there are several), as the embedded store breaks them; turned round for walks towards the start.

import type { JsonObject, JsonValue } from '@octavo/engine';
import { isObject } from '../../wire/router/json-body.ts';

/** One entry of a sort. */
export interface SortEntry {
  readonly field: string;
  readonly descending: boolean;
  /** What else it says, such as `missing`. */
  readonly options: JsonObject;
}

/** Entries that have no values of documents: what is missing means nothing to them. */
const WITHOUT_MISSING: ReadonlySet<string> = new Set(['_score', '_doc', '_id', '_index', '_shard_doc']);

/** The entries of a sort as a body has them; by score where there is none. */
export function sortEntries(sort: JsonValue | undefined): SortEntry[] {
  const list = sort === undefined ? [] : Array.isArray(sort) ? (sort as JsonValue[]) : [sort];
  const entries = list.flatMap(entriesOf);
  return entries.length === 0 ? [entry('_score', {})] : entries;
}

/** The same with what breaks their ties. */
export function withTiebreak(entries: readonly SortEntry[]): SortEntry[] {
  return [...entries, entry('_id', {}), entry('_index', {})];
}

/** Entries as the cluster reads them; backwards, the same list from its other end. */
export function printed(entries: readonly SortEntry[], backwards: boolean): JsonValue[] {
  return entries.map(({ field, descending, options }) => {
    const { missing, mode, ...rest } = options;
    const order = descending === backwards ? 'asc' : 'desc';
    if (WITHOUT_MISSING.has(field)) return { [field]: { order } };
    // Of several values the one that decides must be the same in both directions.
    const deciding = mode ?? (field.startsWith('_') ? undefined : descending ? 'max' : 'min');
    return {
      [field]: {
        ...rest,
        order,
        ...(deciding === undefined ? {} : { mode: deciding }),
        ...(field.startsWith('_') ? {} : { missing: turned(missing ?? '_last', backwards) }),
      },
    };
  });
}

function turned(missing: JsonValue, backwards: boolean): JsonValue {
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
