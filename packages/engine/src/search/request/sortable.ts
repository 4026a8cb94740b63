// Resolves a sort against the mappings of indices. Each field becomes an entry of an order, a way to print
// its values (sort-values.ts) and a way to read them back from `search_after` (cursor-values.ts).

import { EngineError, illegalArgument } from '../../errors.ts';
import { plainNumber, plainText } from '../../json/java-text.ts';
import { doubleKey, doubleOf, longKey, longOf, unsignedOf } from '../../mapping/types/sortable-key.ts';
import type { FieldKind, FieldType, Key64 } from '../../mapping/types/type.ts';
import { toKey } from '../../order/keys/sort-keys.ts';
import type { ComputedColumns, KeySpace, MissingBytes, OrderEntry } from '../../order/order-spec.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { SortField } from './parse-sort.ts';
import { unsortable } from './sort-errors.ts';

/** The type of a sorted field's values. */
interface SortValueType {
  readonly kind: FieldKind | '_id' | '_score' | '_doc' | '_index' | '_seq_no';
  readonly space: KeySpace | undefined;
  /** Undefined for what is not a mapped field here. */
  readonly field: FieldType | undefined;
  readonly format: string | undefined;
}

/** An entry of a sort that fits an index. */
export interface Sortable {
  readonly sort: SortField;
  readonly entry: OrderEntry;
  readonly type: SortValueType;
}

const SPACES: Partial<Record<FieldKind, KeySpace>> = {
  long: 'long',
  integer: 'long',
  short: 'long',
  byte: 'long',
  token_count: 'long',
  boolean: 'long',
  date: 'long',
  date_nanos: 'long',
  unsigned_long: 'unsigned',
  double: 'double',
  float: 'double',
  half_float: 'double',
  scaled_float: 'double',
};
const INT_KINDS = new Set<string>(['integer', 'short', 'byte', 'boolean', 'token_count']);
const BYTES_KINDS = new Set<string>(['keyword', 'constant_keyword', 'wildcard', 'ip', 'flat_object']);

const SPECIAL = new Set(['_id', '_score', '_doc', '_shard_doc', '_index']);

/** The values that are computed for a sort, for one index. */
export type ComputedSorts = ReadonlyMap<SortField, ComputedColumns>;

function computedOf(sort: SortField, planned: ComputedSorts | undefined): ComputedColumns | undefined {
  if (sort.nested === undefined && sort.computed === undefined) return undefined;
  const columns = planned?.get(sort);
  if (sort.mode === 'median' && sort.nested !== undefined)
    throw illegalArgument('Unsupported sort mode: MEDIAN');
  if (columns !== undefined) return columns;
  const name = sort.nested === undefined ? sort.field : 'nested';
  throw illegalArgument(`[${name}] is not supported in a sort of hits inside hits`);
}

/** An entry whose values are not those of a field. */
function computedSort(sort: SortField, computed: ComputedColumns): Sortable {
  const { field: path, descending } = sort;
  if (sort.computed?.by === 'script' && sort.computed.type === 'string') {
    const type: SortValueType = { kind: 'keyword', space: undefined, field: undefined, format: undefined };
    const missing = descending ? 'low' : 'high';
    const mode = sort.mode === 'max' ? 'max' : 'min';
    return { sort, entry: { kind: 'bytes', path, descending, mode, missing, computed }, type };
  }
  const type: SortValueType = { kind: 'double', space: 'double', field: undefined, format: undefined };
  const missing = doubleKey(Number.POSITIVE_INFINITY);
  const mode = sort.mode ?? (descending ? 'max' : 'min');
  const convert = undefined;
  return {
    sort,
    entry: { kind: 'numeric', path, descending, space: 'double', mode, missing, convert, computed },
    type,
  };
}

/** The field kind that an entry has in an index: the mapped one, or undefined. */
function kindIn(view: IndexView, sort: SortField): FieldKind | undefined {
  const field = view.mapping.field(sort.field);
  if (field === undefined) return undefined;
  const sortable = SPACES[field.kind] !== undefined || BYTES_KINDS.has(field.kind);
  if (!sortable || !field.hasDocValues) throw unsortable(sort.field, field.kind);
  return field.kind;
}

function unmappedKind(sort: SortField): FieldKind {
  if (sort.unmappedType === undefined) throw unsortable(sort.field, undefined);
  const kind = sort.unmappedType as FieldKind;
  if (SPACES[kind] !== undefined || BYTES_KINDS.has(kind)) return kind;
  if (kind === 'text' || kind === 'geo_point' || kind === 'binary') throw unsortable(sort.field, kind);
  throw illegalArgument(`No mapper found for type [${sort.unmappedType}]`);
}

/** The one key space of an entry over all indices: doubles win over longs, other mixtures are refused. */
function commonSpace(sort: SortField, kinds: ReadonlySet<FieldKind>): KeySpace | undefined {
  const spaces = new Set(Array.from(kinds, (k) => SPACES[k]));
  if (sort.numericType === 'double' && !spaces.has(undefined)) return 'double';
  if (spaces.size === 1) return spaces.values().next().value;
  if (spaces.has(undefined) || spaces.has('unsigned')) {
    const one = spaces.has('unsigned') ? 'unsigned_long' : [...kinds].find((k) => SPACES[k] === undefined)!;
    throw illegalArgument(
      `Can't do sort across indices, as a field has [${one}] type in one index, and different type in another index!`,
    );
  }
  return 'double';
}

function numericMissing(sort: SortField, kind: string, space: KeySpace): Key64 {
  const { missing } = sort;
  if (missing === '_first' || missing === '_last') {
    const high = (missing === '_last') !== sort.descending;
    if (space === 'double') return doubleKey(high ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
    if (space === 'unsigned') return high ? { hi: 0xffff_ffff, lo: 0xffff_ffff } : { hi: 0, lo: 0 };
    if (INT_KINDS.has(kind) && sort.numericType === undefined)
      return longKey(high ? 2_147_483_647 : -2_147_483_648);
    return high ? { hi: 0xffff_ffff, lo: 0xffff_ffff } : { hi: 0, lo: 0 };
  }
  const number = typeof missing === 'bigint' ? missing : plainNumber(missing);
  if (
    typeof missing === 'boolean' ||
    (typeof number === 'number' && Number.isNaN(number)) ||
    missing === ''
  ) {
    throw new EngineError('number_format_exception', `For input string: "${plainText(missing)}"`);
  }
  if (space === 'double') return doubleKey(Number(number));
  return toKey(space, typeof number === 'bigint' ? number : clampedLong(number));
}

/** The integer part of a number, kept within 64 bits. */
export function clampedLong(x: number): bigint {
  if (x >= 2 ** 63) return 2n ** 63n - 1n;
  return x <= -(2 ** 63) ? -(2n ** 63n) : BigInt(Math.trunc(x));
}

function bytesMissing(sort: SortField, field: FieldType | undefined): MissingBytes {
  const { missing } = sort;
  if (missing === '_first' || missing === '_last')
    return (missing === '_last') !== sort.descending ? 'high' : 'low';
  const text = typeof missing === 'string' ? missing : plainText(missing);
  return field?.kind === 'ip' ? field.bytes!.encode(text) : new TextEncoder().encode(text);
}

/** Converts keys of a column to keys of the entry, where their kinds differ. */
function conversion(
  sort: SortField,
  own: FieldType,
  space: KeySpace,
): ((hi: number, lo: number) => Key64) | undefined {
  const { kind, numeric } = own;
  if (kind === 'scaled_float') {
    // The column holds the scaled long.
    const value = (hi: number, lo: number): number => Number(numeric!.decode(hi, lo));
    return space === 'double'
      ? (hi, lo) => doubleKey(value(hi, lo))
      : (hi, lo) => toKey('long', clampedLong(value(hi, lo)));
  }
  const stored = SPACES[kind];
  if (space === 'double' && stored === 'long') return (hi, lo) => doubleKey(Number(longOf(hi, lo)));
  if (space === 'double' && stored === 'unsigned') return (hi, lo) => doubleKey(Number(unsignedOf(hi, lo)));
  if (space === 'long' && stored === 'double')
    return (hi, lo) => toKey('long', clampedLong(doubleOf(hi, lo)));
  if (sort.numericType === 'date_nanos' && kind === 'date') {
    return (hi, lo) => toKey('long', BigInt(longOf(hi, lo)) * 1_000_000n);
  }
  if (sort.numericType === 'date' && kind === 'date_nanos') {
    return (hi, lo) => toKey('long', BigInt(longOf(hi, lo)) / 1_000_000n);
  }
  return undefined;
}

function special(sort: SortField, view: IndexView): Sortable {
  const { descending } = sort;
  const type = (kind: SortValueType['kind'], space?: KeySpace): SortValueType => ({
    kind,
    space,
    field: undefined,
    format: undefined,
  });
  if (sort.field === '_score') return { sort, entry: { kind: 'score', descending }, type: type('_score') };
  if (sort.field === '_id') return { sort, entry: { kind: 'id', descending }, type: type('_id') };
  if (sort.field === '_index') {
    const value = new TextEncoder().encode(view.name);
    return { sort, entry: { kind: 'constant', descending, value }, type: type('_index') };
  }
  return { sort, entry: { kind: 'position', descending }, type: type('_doc') };
}

/**
 * Resolves a sort: one list of entries per index, with one entry per field. Throws the peer's errors for fields
 * that cannot be sorted on, or that an index does not map. With an `unmapped_type`, or if `ignoreUnmapped` and
 * another index maps it, the documents of that index have no value.
 */
export function resolveSort(
  fields: readonly SortField[],
  views: readonly IndexView[],
  computed: readonly ComputedSorts[] = [],
  ignoreUnmapped = false,
): Sortable[][] {
  const columns = fields.map((sort) => {
    if (SPECIAL.has(sort.field)) return views.map((view) => special(sort, view));
    if (sort.field === '_seq_no') return views.map(() => seqNo(sort, views.length));
    if (sort.computed !== undefined)
      return views.map((_, i) => computedSort(sort, computedOf(sort, computed[i])!));
    const kinds = views.map((view) => kindIn(view, sort));
    const mapped = new Set(kinds.filter((k) => k !== undefined));
    const hasGap = kinds.includes(undefined) && !ignoreUnmapped;
    // Where an index lacks the field, the sort says what type it has there.
    const unmapped = mapped.size === 0 || hasGap ? unmappedKind(sort) : undefined;
    if (unmapped !== undefined) mapped.add(unmapped);
    const fallback = unmapped ?? mapped.values().next().value!;
    const known = views.find((_, i) => kinds[i] !== undefined)?.mapping.field(sort.field);
    const space =
      sort.numericType === 'long' && !BYTES_KINDS.has(fallback) ? 'long' : commonSpace(sort, mapped);
    return views.map((view, i) =>
      fit(
        sort,
        view.mapping.field(sort.field),
        known,
        kinds[i] ?? fallback,
        space,
        computedOf(sort, computed[i]),
      ),
    );
  });
  return views.map((_, i) => columns.map((column) => column[i]!));
}

/**
 * Sequence numbers are insertion order. Over several indices they need the index beside them, as `_doc` has.
 */
function seqNo(sort: SortField, indices: number): Sortable {
  const entry: OrderEntry = { kind: 'position', descending: sort.descending };
  return {
    sort,
    entry,
    type: { kind: indices === 1 ? '_seq_no' : '_doc', space: 'long', field: undefined, format: undefined },
  };
}

function fit(
  sort: SortField,
  own: FieldType | undefined,
  known: FieldType | undefined,
  kind: FieldKind,
  space: KeySpace | undefined,
  computed: ComputedColumns | undefined,
): Sortable {
  const field = own ?? known;
  const path = own?.path ?? sort.field;
  const type: SortValueType = { kind, space, field, format: sort.format };
  const { descending } = sort;
  if (space === undefined) {
    if (sort.mode !== undefined && sort.mode !== 'min' && sort.mode !== 'max') {
      throw new EngineError(
        'query_shard_exception',
        'we only support AVG, MEDIAN and SUM on number based fields',
      );
    }
    const mode = sort.mode ?? (descending ? 'max' : 'min');
    return {
      sort,
      entry: { kind: 'bytes', path, descending, mode, missing: bytesMissing(sort, field), computed },
      type,
    };
  }
  const missing = numericMissing(sort, kind, space);
  const mode = sort.mode ?? (descending ? 'max' : 'min');
  const convert = own === undefined ? undefined : conversion(sort, own, space);
  return {
    sort,
    entry: { kind: 'numeric', path, descending, space, mode, missing, convert, computed },
    type,
  };
}
