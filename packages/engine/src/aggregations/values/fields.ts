// The field of an aggregation in each index, and the errors for fields that an aggregation cannot read.

import { type EngineError, illegalArgument } from '../../errors.ts';
import { noFielddata, textFielddata } from '../../mapping/types/fielddata-errors.ts';
import type { FieldKind, FieldType } from '../../mapping/types/type.ts';
import type { IndexView } from '../../query/plan/index-view.ts';

const NUMERIC: ReadonlySet<FieldKind> = new Set<FieldKind>([
  ...(['long', 'integer', 'short', 'byte', 'unsigned_long', 'boolean', 'date', 'date_nanos'] as const),
  ...(['double', 'float', 'half_float', 'scaled_float', 'token_count'] as const),
]);
const BYTES: ReadonlySet<FieldKind> = new Set<FieldKind>([
  ...(['keyword', 'constant_keyword', 'wildcard', 'ip', 'flat_object'] as const),
]);

/** Whether the values of a field are numbers: dates and booleans among them. */
export function isNumeric(field: FieldType): boolean {
  return NUMERIC.has(field.kind);
}

/** Whether a kind of numeric field is a date. */
export function isDateKind(kind: FieldKind): boolean {
  return kind === 'date' || kind === 'date_nanos';
}

/** Whether a kind of numeric field holds plain numbers, neither dates nor booleans. */
export function isPlainNumber(kind: FieldKind): boolean {
  return kind !== 'boolean' && !isDateKind(kind);
}

/** Whether the values of a field are terms. */
export function isBytes(field: FieldType): boolean {
  return BYTES.has(field.kind);
}

/** The field at a path in each view; undefined where it is not mapped. */
export function fieldsOf(path: string, views: readonly IndexView[]): (FieldType | undefined)[] {
  return views.map((view) => {
    const field = view.mapping.field(path);
    if (field === undefined) return undefined;
    if (field.kind === 'text' || field.kind === 'match_only_text') throw textFielddata(path);
    if (!field.hasDocValues) throw noFielddata(path, field.kind);
    return field;
  });
}

/** The error for ids as terms: they are not kept in columns. */
export function noIdFielddata(): EngineError {
  return illegalArgument(
    'Fielddata access on the _id field is disallowed: store the id in a keyword field, too, and use that field',
  );
}

/** The error for a field whose values an aggregation does not take. */
export function unsupportedField(path: string, kind: string, aggregation: string): EngineError {
  return illegalArgument(
    `Field [${path}] of type [${kind}] is not supported for aggregation [${aggregation}]`,
  );
}
