// A table of all its rows, sorted by the column whose heading is pressed. For long lists there is the grid (list).

import { type ReactElement, type ReactNode, useState } from 'react';

export interface DataColumn<Row> {
  readonly name: string;
  /** What is shown, and sorted by. */
  readonly value: (row: Row) => string | number | bigint;
  /** What is shown instead. */
  readonly show?: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly DataColumn<Row>[];
  readonly keyOf: (row: Row) => string;
}

interface Order {
  readonly name: string;
  readonly isDown: boolean;
}

export function DataTable<Row>({ label, rows, columns, keyOf }: DataTableProps<Row>): ReactElement {
  const [order, setOrder] = useState<Order>();
  const by = columns.find(({ name }) => name === order?.name);
  const sorted = by === undefined ? rows : rows.toSorted((a, b) => compare(by.value(a), by.value(b)));
  const shown = order?.isDown === true ? sorted.toReversed() : sorted;
  return (
    <div className="table-box">
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, value }) => {
              const isDown = order?.name === name ? order.isDown : undefined;
              const aria = isDown === undefined ? 'none' : isDown ? 'descending' : 'ascending';
              return (
                <th key={name} scope="col" aria-sort={aria} className={alignment(rows[0], value)}>
                  <button
                    type="button"
                    className="link"
                    onClick={() => setOrder({ name, isDown: isDown === false })}
                  >
                    {name}
                    {isDown === undefined ? '' : isDown ? ' ↓' : ' ↑'}
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, value, show }) => (
                <td key={name} className={alignment(row, value)}>
                  {show === undefined ? String(value(row)) : show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Numbers are at the end of their cell. */
function alignment<Row>(row: Row | undefined, value: DataColumn<Row>['value']): string | undefined {
  return row === undefined || typeof value(row) === 'string' ? undefined : 'number';
}

function compare(a: string | number | bigint, b: string | number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
