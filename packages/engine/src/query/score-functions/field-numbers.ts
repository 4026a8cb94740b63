// The numbers of a field, as score functions read them: dates are milliseconds, booleans 0 and 1. The values of
// a document ascend.

import { hasBit } from '../../kernels/bits.ts';
import { noFielddata, textFielddata } from '../../mapping/types/fielddata-errors.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import type { Column, Leaf, NumericColumn } from '../../segment/leaf.ts';
import { isTextField } from '../field/field-value.ts';

/** Where the values of a document lie in a column. */
interface ValueRows<C extends Column> {
  readonly column: C;
  /** The first value of a document, and the end of its values: equal where it has none. */
  start(doc: number): number;
  end(doc: number): number;
}

/** Finds the values of each document in a column. */
export function rowsOf<C extends Column>(column: C): ValueRows<C> {
  const { starts, present } = column;
  if (starts !== undefined) return { column, start: (doc) => starts[doc]!, end: (doc) => starts[doc + 1]! };
  return { column, start: (doc) => doc, end: (doc) => (hasBit(present, doc) ? doc + 1 : doc) };
}

/** The numbers of a field in a leaf; undefined where no document has any. */
export function numericRows(leaf: Leaf, path: string): ValueRows<NumericColumn> | undefined {
  const column = leaf.column(path);
  return column?.kind === 'numeric' ? rowsOf(column) : undefined;
}

/** Reads the number at a place of the column. */
export function numberReader(field: FieldType, { hi, lo }: NumericColumn): (at: number) => number {
  const { numeric, kind } = field;
  if (kind === 'date_nanos') return (at) => Number(BigInt(numeric!.decode(hi[at]!, lo[at]!)) / 1_000_000n);
  return (at) => Number(numeric!.decode(hi[at]!, lo[at]!));
}

/** Throws where a field has no values that can be read by document. */
export function checkFielddata(field: FieldType): void {
  if (isTextField(field)) throw textFielddata(field.path);
  if (!field.hasDocValues) throw noFielddata(field.path, field.kind);
}
