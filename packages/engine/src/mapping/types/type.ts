// The contract of field types: how queries, sorts and fetches parse query values and format stored ones.
// One `FieldType` per mapped field; the mapping of an index is a table of them.

import type { Analyzer } from '../../analysis/analyzer.ts';
import type { Similarity } from '../../analysis/similarities.ts';
import type { SortValue } from '../../api.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { FieldSpec } from '../field-spec.ts';
import type { CompletionType } from './completion.ts';

/** A sortable 64-bit key: two unsigned 32-bit halves. */
export interface Key64 {
  hi: number;
  lo: number;
}

/** The bounds of a `range` query as sent by the caller. */
export interface RangeBounds {
  readonly gt?: JsonValue;
  readonly gte?: JsonValue;
  readonly lt?: JsonValue;
  readonly lte?: JsonValue;
  /** Date format(s) for this query, `||` between alternatives. */
  readonly format?: string;
  readonly timeZone?: string;
  /** A date without a time means its first instant, also for `gt` and `lte`. Set for stored ranges. */
  readonly roundsDown?: boolean;
}

/**
 * How a numeric column's keys are read and written. Errors are `illegal_argument_exception`-like with the
 * field named.
 */
export interface NumericType {
  /**
   * A query or search_after value as the key of that exact value; undefined when no stored value can equal it
   * (1.5 for a long).
   */
  parse(value: JsonValue, options?: { format?: string }): Key64 | undefined;
  /**
   * Inclusive keys of a range; undefined when it is empty. Dates evaluate date math here and call `now` only
   * if it is named.
   */
  range(bounds: RangeBounds, now: () => number): { min: Key64; max: Key64 } | undefined;
  /**
   * The value as sort values show it: number or bigint, milliseconds for dates, 0/1 → false/true not applied.
   */
  decode(hi: number, lo: number): number | bigint;
  /** The value as docvalue_fields show it: dates formatted, booleans as true/false. */
  format(hi: number, lo: number, format?: string): SortValue;
}

/** How an ordinal column's (or keyword's) bytes are read and written. */
export interface BytesType {
  /** A query value as term bytes: normalised keyword, encoded ip. */
  encode(value: JsonValue): Uint8Array;
  decode(bytes: Uint8Array): string;
  /**
   * A prefix of every value in the dictionary (the keys of a flat_object share one); absent without a prefix.
   */
  readonly prefix?: string;
  /** Inclusive byte bounds of a range (max undefined: no upper bound); undefined when empty. */
  range(bounds: RangeBounds): { min: Uint8Array; max: Uint8Array | undefined } | undefined;
}

/** How a stored range may lie to the range of a query: it shares a value with it, encloses it, or lies within it. */
export type RangeRelation = 'intersects' | 'contains' | 'within';

/** How stored ranges are read and matched. */
export interface RangeType {
  /** The range as a term of its field; undefined if it is empty. */
  encode(bounds: RangeBounds): Uint8Array | undefined;
  /** A bound of a source as it is shown. Absent for addresses, which are shown as they are. */
  readonly printed?: (bound: JsonValue, format: string | undefined) => JsonValue | undefined;
  /** The smallest and the greatest value of a term. Absent for addresses. */
  readonly ends?: (term: Uint8Array) => readonly [number, number];
  /** Tells which terms have the relation to a range; undefined if that range is empty. */
  matcher(
    bounds: RangeBounds,
    relation: RangeRelation,
    now: () => number,
  ): ((term: Uint8Array) => boolean) | undefined;
}

/** The kinds of fields that a mapping knows. */
export type FieldKind =
  | 'text'
  | 'match_only_text'
  | 'keyword'
  | 'constant_keyword'
  | 'wildcard'
  | 'long'
  | 'integer'
  | 'short'
  | 'byte'
  | 'double'
  | 'float'
  | 'half_float'
  | 'scaled_float'
  | 'unsigned_long'
  | 'boolean'
  | 'date'
  | 'date_nanos'
  | 'ip'
  | 'binary'
  | 'geo_point'
  | 'completion'
  | 'token_count'
  | 'rank_feature'
  | 'rank_features'
  | 'integer_range'
  | 'long_range'
  | 'float_range'
  | 'double_range'
  | 'date_range'
  | 'ip_range'
  | 'object'
  | 'flat_object'
  | 'alias'
  | 'unsupported';

/** One mapped field, multi-fields (`title.keyword`) included; objects and aliases are not fields. */
export interface FieldType {
  readonly path: string;
  readonly kind: FieldKind;
  readonly spec: FieldSpec;
  /** Its parameters as the mapping gives them, `type` included. */
  readonly params: JsonObject;
  readonly searchable: boolean;
  readonly hasDocValues: boolean;
  /** How its terms score. */
  readonly similarity: Similarity;
  /** Text fields only. */
  readonly analyzer: Analyzer | undefined;
  readonly searchAnalyzer: Analyzer | undefined;
  readonly searchQuoteAnalyzer: Analyzer | undefined;
  /** Present for fields whose column is numeric (or would be, with doc values off). */
  readonly numeric: NumericType | undefined;
  /** Present for keyword-like fields and ip. */
  readonly bytes: BytesType | undefined;
  /** Present for stored ranges. */
  readonly range: RangeType | undefined;
  /** Counts the words of a text: present for token_count. */
  readonly countWords?: ((text: string) => number) | undefined;
  /** Present for completion fields. */
  readonly completion?: CompletionType | undefined;
  /** Present for completion fields without contexts: their inputs as words, for queries. */
  readonly inputs?: FieldType | undefined;
}

/** The mapping of an index. Immutable: a change creates a new one. */
export interface Mapping {
  /** The field at a path, aliases followed; undefined when unmapped. */
  field(path: string): FieldType | undefined;
  /** All fields, in the order they were mapped. */
  fields(): Iterable<FieldType>;
  /** Paths of fields (aliases included) that a pattern with `*` matches. */
  matching(pattern: string): string[];
  /** Whether the path is an object with mapped fields below it. */
  isObject(path: string): boolean;
  /** Whether the path is a nested object. */
  isNested(path: string): boolean;
  /** Paths of all nested objects, outer ones before those within them. */
  readonly nestedPaths: readonly string[];
  /** How terms of fields score that name no similarity. */
  readonly similarity: Similarity;
  toJson(): JsonObject;
  /** Number of slots ever allocated. */
  readonly slotCount: number;
  /** False when `_source` is switched off. */
  readonly sourceEnabled: boolean;
  /** `_source.includes` and `excludes`; undefined without them. */
  readonly sourceFilter:
    | { readonly includes: readonly string[]; readonly excludes: readonly string[] }
    | undefined;
  /** Whether documents must come with a routing value. */
  readonly routingRequired: boolean;
  /** The field `_ignored`: names of fields whose values were left out of a document. */
  readonly ignored: Pick<FieldSpec, 'slot'>;
}
