// The numeric values of an aggregation: of one field in every view, as rows of document, bucket and value.
// Booleans are 0 and 1, dates are milliseconds. The values of a document ascend.

import { illegalArgument } from '../../errors.ts';
import { popcount32 } from '../../kernels/bits.ts';
import { dateMath } from '../../mapping/dates/date-math.ts';
import { readBoolean } from '../../mapping/types/booleans.ts';
import { readFloat } from '../../mapping/types/floats.ts';
import {
  doubleKey,
  doubleOf,
  longKey,
  longOf,
  unsignedKey,
  unsignedOf,
} from '../../mapping/types/sortable-key.ts';
import type { FieldKind, FieldType, Key64 } from '../../mapping/types/type.ts';
import type { NumericColumn } from '../../segment/leaf.ts';
import { type AggregationBatch, type AggregationLeaf, BATCH_DOCS } from '../collect/aggregator.ts';
import { grown } from '../collect/bucket-table.ts';
import type { AggregationContext } from '../collect/context.ts';
import type { ValuesSpec } from '../request/values-spec.ts';
import { fieldsOf, isNumeric, unsupportedField } from './fields.ts';
import { type ValueFormat, valueFormat } from './value-format.ts';

/** How the 64-bit keys of values are read. */
export type NumericSpace = 'long' | 'unsigned' | 'double';

/** How a column stores its values. */
type Stored = NumericSpace | 'nanos' | 'scaled';

const STORED: Partial<Record<FieldKind, Stored>> = {
  double: 'double',
  float: 'double',
  half_float: 'double',
  scaled_float: 'scaled',
  unsigned_long: 'unsigned',
  date_nanos: 'nanos',
};

/** `value_type` as a kind of field. */
const VALUE_TYPES: Readonly<Record<string, FieldKind>> = {
  long: 'long',
  integer: 'long',
  int: 'long',
  short: 'long',
  byte: 'long',
  unsigned_long: 'unsigned_long',
  double: 'double',
  float: 'double',
  number: 'double',
  numeric: 'double',
  date: 'date',
  boolean: 'boolean',
};

/** The kind of field that a `value_type` stands for; undefined for texts, addresses and none. */
export function kindOfValueType(valueType: string | undefined): FieldKind | undefined {
  return valueType === undefined ? undefined : VALUE_TYPES[valueType];
}

/** Rows of document, bucket and value. The values of a document follow each other, ascending. */
interface NumericRows {
  docs: Uint32Array;
  buckets: Uint32Array;
  values: Float64Array;
  count: number;
}

/** Rows of document, bucket and 64-bit key. */
interface KeyRows {
  docs: Uint32Array;
  buckets: Uint32Array;
  hi: Uint32Array;
  lo: Uint32Array;
  count: number;
}

/** The values of one field. */
export class NumericSource {
  readonly space: NumericSpace;
  /** The kind of field where it is mapped, or of `value_type`; undefined without both. */
  readonly kind: FieldKind | undefined;
  readonly format: ValueFormat;
  /** The value of documents without one, as a number. */
  readonly missing: number | undefined;
  readonly #fields: readonly (FieldType | undefined)[];
  readonly #missingKey: Key64 | undefined;
  #column: NumericColumn | undefined;
  #stored: Stored = 'long';
  #path = '';
  /** What scaled values are multiplied by. */
  #inverse = 1;
  readonly #rows: NumericRows = {
    docs: new Uint32Array(BATCH_DOCS),
    buckets: new Uint32Array(BATCH_DOCS),
    values: new Float64Array(BATCH_DOCS),
    count: 0,
  };
  readonly #keys: KeyRows = {
    docs: this.#rows.docs,
    buckets: this.#rows.buckets,
    hi: new Uint32Array(0),
    lo: new Uint32Array(0),
    count: 0,
  };

  /**
   * `preset` is the kind of the values in an index that does not map the field: numbers by default. `accepts` tells of a kind of
   * field whether the aggregation takes it; all numeric ones by default.
   */
  constructor(
    spec: ValuesSpec,
    context: AggregationContext,
    aggregation: string,
    preset?: FieldKind,
    accepts: (kind: FieldKind) => boolean = () => true,
  ) {
    this.#fields = fieldsOf(spec.field, context.views);
    const mapped = this.#fields.filter((field) => field !== undefined);
    for (const field of mapped)
      if (!isNumeric(field) || !accepts(field.kind))
        throw unsupportedField(spec.field, field.kind, aggregation);
    const first = mapped[0];
    const unmapped = kindOfValueType(spec.valueType) ?? preset;
    this.kind = first?.kind ?? unmapped;
    this.format = valueFormat(this.kind, first, spec.format, spec.timeZone);
    if (spec.missing !== undefined) {
      requireMissing(spec, this.#fields, unmapped, context);
      this.missing = readMissing(spec, this.kind, this.format, context);
    }
    const space = commonSpace(mapped.length === 0 ? [this.kind ?? 'double'] : mapped.map(({ kind }) => kind));
    // With a fraction that stands for none, whole numbers are read as such, too.
    this.space = Number.isInteger(this.missing ?? 0) ? space : 'double';
    if (this.missing !== undefined) this.#missingKey = this.keyOf(this.missing);
  }

  /** Whether any view maps the field. */
  get isMapped(): boolean {
    return this.#fields.some((field) => field !== undefined);
  }

  /** Whether there can be any value. */
  get hasValues(): boolean {
    return this.missing !== undefined || this.isMapped;
  }

  /** The column of the leaf; undefined where no document has a value. */
  get column(): NumericColumn | undefined {
    return this.#column;
  }

  /** The field of the leaf, and how its values are read. */
  get identity(): string {
    return `${this.#path} ${this.space}`;
  }

  /** The value at a place of the column. */
  valueAt(place: number): number {
    const { hi, lo } = this.#column!;
    return this.#decode(hi[place]!, lo[place]!);
  }

  /** The key in `space` of the value at a place of the column. */
  keyAt(place: number): Key64 {
    const { hi, lo } = this.#column!;
    return this.#stored === this.space
      ? { hi: hi[place]!, lo: lo[place]! }
      : this.keyOf(this.#decode(hi[place]!, lo[place]!));
  }

  enter({ leaf, indexPlace }: AggregationLeaf): void {
    const field = this.#fields[indexPlace];
    this.#path = field?.path ?? '';
    const column = field === undefined ? undefined : leaf.column(field.path);
    this.#column = column?.kind === 'numeric' ? column : undefined;
    this.#stored = (field === undefined ? undefined : STORED[field.kind]) ?? 'long';
    if (this.#stored === 'scaled') this.#inverse = 1 / Number(field!.params['scaling_factor']);
  }

  /** How many values a document of the leaf has. */
  countOf(doc: number): number {
    const starts = this.#column?.starts;
    return starts === undefined ? 1 : starts[doc + 1]! - starts[doc]!;
  }

  /** The values of a batch as doubles. The rows are valid until the next call. */
  rows(batch: AggregationBatch): NumericRows {
    const rows = this.#rows;
    const column = this.#column;
    rows.count = 0;
    if (column === undefined) this.#allMissing(batch);
    else if (column.starts === undefined) this.#singleRows(batch, column);
    else this.#manyRows(batch, column, column.starts);
    return rows;
  }

  /** The values of the documents of some words of a bitmap, without their documents. Valid until the next call. */
  within(bits: Uint32Array, from: number, to: number): Pick<NumericRows, 'values' | 'count'> {
    const rows = this.#rows;
    const column = this.#column;
    const { missing } = this;
    let most = (to - from) * 32;
    if (column?.starts !== undefined) {
      // A document without a value may have the missing one.
      const { starts } = column;
      const last = starts.length - 1;
      most += starts[Math.min(last, to * 32)]! - starts[Math.min(last, from * 32)]!;
    }
    this.#reserve(most);
    const { values } = rows;
    let n = 0;
    for (let w = from; w < to; w++) {
      const word = bits[w]!;
      const has = column === undefined ? 0 : word & column.present[w]!;
      if (has !== 0) n = this.#putWord(n, (w << 5) + 31, has, column!);
      if (missing !== undefined && word !== has) {
        const end = n + popcount32(word & ~has);
        values.fill(missing, n, end);
        n = end;
      }
    }
    rows.count = n;
    return rows;
  }

  /** Adds the values of some documents to the rows; `last` is the document of the highest bit. */
  #putWord(at: number, last: number, word: number, { hi, lo, starts }: NumericColumn): number {
    const { values } = this.#rows;
    const isLong = this.#stored === 'long';
    let n = at;
    for (let left = word; left !== 0; ) {
      const low = left & -left;
      left ^= low;
      const doc = last - Math.clz32(low);
      if (starts !== undefined)
        for (let at = starts[doc]!; at < starts[doc + 1]!; at++) values[n++] = this.#decode(hi[at]!, lo[at]!);
      else if (isLong) values[n++] = (hi[doc]! ^ 0x80000000) * 4294967296 + lo[doc]!;
      else values[n++] = this.#decode(hi[doc]!, lo[doc]!);
    }
    return n;
  }

  /** Whether all values are integers. */
  get isWhole(): boolean {
    return this.#stored === 'long' && Number.isInteger(this.missing ?? 0);
  }

  /** The values of a batch as keys of `space`. The rows are valid until the next call. */
  keyRows(batch: AggregationBatch): KeyRows {
    const out = this.#keys;
    const column = this.#column;
    const isRaw = this.#stored === this.space;
    if (column !== undefined && isRaw) {
      this.#placeRows(batch, column);
    } else this.rows(batch);
    const { count, values, docs, buckets } = this.#rows;
    out.docs = docs;
    out.buckets = buckets;
    out.count = count;
    if (out.hi.length < docs.length) {
      out.hi = new Uint32Array(docs.length);
      out.lo = new Uint32Array(docs.length);
    }
    for (let i = 0; i < count; i++) {
      const value = values[i]!;
      if (column !== undefined && isRaw && value >= 0) {
        out.hi[i] = column.hi[value]!;
        out.lo[i] = column.lo[value]!;
        continue;
      }
      const key = column !== undefined && isRaw ? this.#missingKey! : this.keyOf(value);
      out.hi[i] = key.hi;
      out.lo[i] = key.lo;
    }
    return out;
  }

  /** The key of a number in `space`. */
  keyOf(value: number): Key64 {
    if (this.space === 'double') return doubleKey(value);
    if (this.space === 'unsigned') return unsignedKey(BigInt(Math.trunc(value)));
    return longKey(Number.isSafeInteger(value) ? value : BigInt(Math.trunc(value)));
  }

  /** The key of an integer of any size. */
  keyOfInteger(value: bigint): Key64 {
    if (this.space === 'double') return doubleKey(Number(value));
    return this.space === 'unsigned' ? unsignedKey(value) : longKey(value);
  }

  /** The number of a key. */
  valueOf(hi: number, lo: number): number | bigint {
    if (this.space === 'double') return doubleOf(hi, lo);
    return this.space === 'unsigned' ? unsignedOf(hi, lo) : longOf(hi, lo);
  }

  #allMissing({ docs, buckets, count }: AggregationBatch): void {
    if (this.missing === undefined) return;
    this.#reserve(count);
    const rows = this.#rows;
    rows.docs.set(docs.subarray(0, count));
    rows.buckets.set(buckets.subarray(0, count));
    rows.values.fill(this.missing, 0, count);
    rows.count = count;
  }

  #singleRows(batch: AggregationBatch, column: NumericColumn): void {
    this.#reserve(batch.count);
    if (this.#stored === 'long') this.#longRows(batch, column);
    else this.#otherRows(batch, column);
  }

  /** A loop of its own for the kind of most fields takes half the time. */
  #longRows({ docs, buckets, count }: AggregationBatch, { hi, lo, present }: NumericColumn): void {
    const { docs: toDocs, buckets: toBuckets, values } = this.#rows;
    const { missing } = this;
    let n = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (((present[doc >>> 5]! >>> (doc & 31)) & 1) !== 0)
        values[n] = (hi[doc]! ^ 0x80000000) * 4294967296 + lo[doc]!;
      else if (missing !== undefined) values[n] = missing;
      else continue;
      toDocs[n] = doc;
      toBuckets[n++] = buckets[i]!;
    }
    this.#rows.count = n;
  }

  #otherRows({ docs, buckets, count }: AggregationBatch, { hi, lo, present }: NumericColumn): void {
    const { docs: toDocs, buckets: toBuckets, values } = this.#rows;
    const { missing } = this;
    let n = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (((present[doc >>> 5]! >>> (doc & 31)) & 1) !== 0) values[n] = this.#decode(hi[doc]!, lo[doc]!);
      else if (missing !== undefined) values[n] = missing;
      else continue;
      toDocs[n] = doc;
      toBuckets[n++] = buckets[i]!;
    }
    this.#rows.count = n;
  }

  #manyRows(batch: AggregationBatch, column: NumericColumn, starts: Uint32Array): void {
    const { docs, buckets, count } = batch;
    const { hi, lo } = column;
    let n = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      const start = starts[doc]!;
      const end = starts[doc + 1]!;
      if (start === end) {
        if (this.missing !== undefined) n = this.#put(n, doc, buckets[i]!, this.missing);
        continue;
      }
      for (let at = start; at < end; at++) n = this.#put(n, doc, buckets[i]!, this.#decode(hi[at]!, lo[at]!));
    }
    this.#rows.count = n;
  }

  /** Rows whose values are places in the column; -1 for the missing value. */
  #placeRows({ docs, buckets, count }: AggregationBatch, { starts, present }: NumericColumn): void {
    let n = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      const bucket = buckets[i]!;
      if (((present[doc >>> 5]! >>> (doc & 31)) & 1) === 0) {
        if (this.#missingKey !== undefined) n = this.#put(n, doc, bucket, -1);
      } else if (starts === undefined) n = this.#put(n, doc, bucket, doc);
      else for (let at = starts[doc]!; at < starts[doc + 1]!; at++) n = this.#put(n, doc, bucket, at);
    }
    this.#rows.count = n;
  }

  #put(n: number, doc: number, bucket: number, value: number): number {
    if (n === this.#rows.docs.length) this.#reserve(n * 2);
    this.#rows.docs[n] = doc;
    this.#rows.buckets[n] = bucket;
    this.#rows.values[n] = value;
    return n + 1;
  }

  #decode(hi: number, lo: number): number {
    switch (this.#stored) {
      case 'long':
        return (hi ^ 0x80000000) * 4294967296 + lo;
      case 'double':
        return doubleOf(hi, lo);
      case 'unsigned':
        return hi * 4294967296 + lo;
      case 'scaled':
        return ((hi ^ 0x80000000) * 4294967296 + lo) * this.#inverse;
      default: {
        // 2^32 ns are 4,294 ms and 967,296 ns: exact in doubles.
        const high = hi ^ 0x80000000;
        return high * 4294 + Math.floor((high * 967_296 + lo) / 1_000_000);
      }
    }
  }

  #reserve(rows: number): void {
    const out = this.#rows;
    if (out.docs.length >= rows) return;
    out.docs = grown(out.docs, rows);
    out.buckets = grown(out.buckets, rows);
    out.values = grown(out.values, rows);
  }
}

/**
 * Throws if some index cannot read `missing` as a value of the field; that index then fails. `unmapped` is the kind of the values in an index
 * without the field; 'keyword' takes any.
 */
export function requireMissing(
  spec: ValuesSpec,
  fields: readonly (FieldType | undefined)[],
  unmapped: FieldKind | undefined,
  context: AggregationContext,
): void {
  for (const field of new Set(fields)) {
    if (field === undefined ? unmapped === 'keyword' : !isNumeric(field)) continue;
    const kind = field === undefined ? unmapped : field.kind;
    readMissing(spec, kind, valueFormat(kind, field, spec.format, spec.timeZone), context);
  }
}

/** The value of documents without one, as values of this kind are read. */
function readMissing(
  { missing, field }: ValuesSpec,
  kind: FieldKind | undefined,
  { date, zone }: ValueFormat,
  context: AggregationContext,
): number {
  const value = missing!;
  if (kind === 'boolean') return typeof value === 'number' ? value : readBoolean(value) ? 1 : 0;
  if (date !== undefined && typeof value === 'string')
    return dateMath(value, date, () => context.now, false, zone).ms;
  const number = readFloat(value);
  if (Number.isNaN(number)) throw illegalArgument(`[missing] of field [${field}] is not a number`);
  return number;
}

/** The one space of a field over all views: doubles win, as does a mixture of signed and unsigned. */
function commonSpace(kinds: readonly FieldKind[]): NumericSpace {
  const spaces = new Set(kinds.map((kind) => spaceOf(kind)));
  return spaces.size === 1 ? spaces.values().next().value! : 'double';
}

function spaceOf(kind: FieldKind): NumericSpace {
  const stored = STORED[kind] ?? 'long';
  if (stored === 'scaled') return 'double';
  return stored === 'nanos' ? 'long' : stored;
}
