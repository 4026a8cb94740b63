// The columns of a list, with their visibility and widths, by TanStack Table. Rows are not given to it: they are drawn from pages.

import {
  type Column,
  type ColumnDef,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createCoreRowModel,
  metaHelper,
  type ReactTable,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import { countText } from './cell-text.ts';
import type { Field, FieldKind } from './fields.ts';
import type { ListHit } from './snapshot.ts';

/** What a column shows. */
interface ColumnFacts {
  readonly name: string;
  readonly exact: string | undefined;
  readonly kind: FieldKind;
}

const FEATURES = tableFeatures({
  columnVisibilityFeature,
  columnSizingFeature,
  columnResizingFeature,
  coreRowModel: createCoreRowModel(),
  columnMeta: metaHelper<ColumnFacts>(),
});

export type ColumnTable = ReactTable<typeof FEATURES, ListHit>;
export type ColumnOf = Column<typeof FEATURES, ListHit, unknown>;

const WIDTHS: Readonly<Record<FieldKind, number>> = {
  number: 110,
  date: 160,
  boolean: 84,
  keyword: 150,
  text: 300,
  other: 200,
};
const ID_WIDTH = 130;
/** A new list shows so many fields of its mapping. */
const SHOWN_FIELDS = 9;
const CHARACTER_PIXELS = 8;
const NO_ROWS: ListHit[] = [];

/** `shown` names the columns of the address; without it the first fields are shown. */
export function useColumns(
  fields: readonly Field[],
  shown: readonly string[] | undefined,
  options: { readonly hasScores: boolean; readonly hasIndices: boolean },
): ColumnTable {
  const { hasScores, hasIndices } = options;
  const columns = useMemo(() => {
    const meta: ColumnFacts[] = [
      ...(hasIndices ? [{ name: '_index', exact: undefined, kind: 'keyword' as const }] : []),
      { name: '_id', exact: '_id', kind: 'keyword' },
      ...(hasScores ? [{ name: '_score', exact: undefined, kind: 'number' as const }] : []),
      ...fields,
    ];
    return meta.map(
      (facts): ColumnDef<typeof FEATURES, ListHit> => ({
        id: facts.name,
        header: facts.name,
        size: facts.name === '_id' ? ID_WIDTH : WIDTHS[facts.kind],
        minSize: 48,
        meta: { name: facts.name, exact: facts.exact, kind: facts.kind },
      }),
    );
  }, [fields, hasScores, hasIndices]);
  const columnVisibility = useMemo(() => {
    const first = fields.slice(0, SHOWN_FIELDS).map(({ name }) => name);
    const visible = new Set(shown ?? ['_index', '_id', '_score', ...first]);
    return Object.fromEntries(columns.map(({ id = '' }) => [id, visible.has(id)]));
  }, [columns, fields, shown]);
  return useTable({
    features: FEATURES,
    columns,
    data: NO_ROWS,
    columnResizeMode: 'onChange',
    state: { columnVisibility },
  });
}

/** The columns for CSS: the number of the row, then all; the last takes what is left. */
export function columnTemplate(columns: readonly ColumnOf[], rows: number): string {
  const rank = `${Math.max(44, 20 + countText(rows).length * CHARACTER_PIXELS)}px`;
  const widths = columns.map((column, at) =>
    at === columns.length - 1 ? `minmax(${column.getSize()}px, 1fr)` : `${column.getSize()}px`,
  );
  return [rank, ...widths].join(' ');
}
