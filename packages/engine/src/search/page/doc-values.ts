// Reads the doc values of a document, for `docvalue_fields` and `fields`.

import type { SortValue } from '../../api.ts';
import { illegalArgument } from '../../errors.ts';
import { hasBit } from '../../kernels/bits.ts';
import { latOf, lonOf } from '../../mapping/geo/geo-points.ts';
import { textFielddata } from '../../mapping/types/fielddata-errors.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { Leaf } from '../../segment/leaf.ts';
import { unsortable } from '../request/sort-errors.ts';

/** The values of one field of a document, ascending; empty where it has none or the field is unmapped. */
export function docValues(
  view: IndexView,
  leaf: Leaf,
  doc: number,
  path: string,
  format?: string,
): SortValue[] {
  if (path === '_id') return [leaf.docs.id(doc)];
  if (path === '_index') return [view.name];
  if (path === '_seq_no') return [leaf.docs.seqNo(doc)];
  if (path === '_type') return [leaf.docs.type(doc)];
  const field = view.mapping.field(path);
  if (field === undefined) return [];
  if (field.kind === 'text' || field.kind === 'match_only_text') throw textFielddata(path);
  if (!field.hasDocValues) throw unsortable(path, field.kind);
  if (field.range !== undefined)
    throw illegalArgument(`Field [${path}] of type [${field.kind}] has no doc values that can be returned`);
  const column = leaf.column(field.path);
  if (column === undefined || !hasBit(column.present, doc)) return [];
  const start = column.starts === undefined ? doc : column.starts[doc]!;
  const end = column.starts === undefined ? doc + 1 : column.starts[doc + 1]!;
  const out: SortValue[] = [];
  for (let i = start; i < end; i++) {
    if (column.kind === 'numeric') {
      if (field.kind === 'geo_point') {
        out.push(`${degrees(latOf(column.hi[i]!))}, ${degrees(lonOf(column.lo[i]!))}`);
        continue;
      }
      if (field.numeric === undefined)
        throw illegalArgument(`Field [${path}] has no doc values that can be returned`);
      out.push(field.numeric.format(column.hi[i]!, column.lo[i]!, format));
    } else {
      const bytes = column.terms.term(column.ordinals[i]!);
      out.push(field.bytes === undefined ? new TextDecoder().decode(bytes) : field.bytes.decode(bytes));
    }
  }
  return out;
}

/** Whole degrees have a point, too. */
function degrees(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
