// The rows of a list: as many as the view is high, filled from the pages that are here. A row whose page is on its way shows its number.

import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactElement,
  type Ref,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { cellText, countText } from './cell-text.ts';
import { type ColumnOf, type ColumnTable, columnTemplate } from './columns.ts';
import { valueAt } from './fields.ts';
import { PAGE_ROWS, PageStore } from './page-store.ts';
import { useScrollPosition } from './scroll-position.ts';
import { rowsAt } from './scroll-scale.ts';
import type { ListHit } from './snapshot.ts';

const ROW_HEIGHT = 32;
const HEAD_HEIGHT = 34;
/** How long a position rests before the address has it. */
const REST_MS = 250;

export interface GridHandle {
  /** Shows a row at the top and makes it the current one. */
  readonly goTo: (rank: number) => void;
}

export interface Sort {
  readonly field: string;
  readonly descending: boolean;
}

interface GridProps {
  readonly label: string;
  readonly rows: number;
  readonly table: ColumnTable;
  readonly load: (from: number, size: number, signal: AbortSignal) => Promise<readonly ListHit[]>;
  readonly sort: Sort | undefined;
  readonly initialRow: number;
  readonly openId: string | undefined;
  readonly onSort: (column: ColumnOf) => void;
  readonly onOpen: (hit: ListHit) => void;
  readonly onRest: (first: number, end: number) => void;
  readonly onError: (error: unknown) => void;
  readonly ref?: Ref<GridHandle>;
}

/** What is drawn. */
interface Drawn {
  readonly first: number;
  readonly end: number;
  /** Top of the view, in pixels below the first row. */
  readonly top: number;
}

export function Grid(props: GridProps): ReactElement {
  const { rows, table, load, onError } = props;
  const container = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<Drawn>({ first: 0, end: 0, top: 0 });
  const [active, setActive] = useState(props.initialRow);
  const [, setArrivals] = useState(0);
  const store = useMemo(
    () =>
      new PageStore<ListHit>(
        (page, signal) => load(page * PAGE_ROWS, PAGE_ROWS, signal),
        () => setArrivals((count) => count + 1),
        onError,
      ),
    [load, onError],
  );
  const rest = useRef(0);
  const onRest = useRef(props.onRest);
  onRest.current = props.onRest;
  const position = useScrollPosition({
    ...{ container, rows, initialRow: props.initialRow, rowHeight: ROW_HEIGHT, headHeight: HEAD_HEIGHT },
    draw: (top, viewHeight, moved) => {
      const { first, end } = rowsAt(top, rows, ROW_HEIGHT, viewHeight);
      setDrawn({ first, end, top });
      clearTimeout(rest.current);
      rest.current = window.setTimeout(() => onRest.current(first, end), REST_MS);
      return store.want(first, end, rows, Math.sign(moved));
    },
  });
  const { redraw, moveTo, viewHeight } = position;
  useEffect(() => {
    redraw();
    return () => store.close();
  }, [store, redraw]);
  useEffect(() => () => clearTimeout(rest.current), []);

  /** Makes a row the current one, and moves as far as it takes to see it. */
  const activate = (rank: number): void => {
    const next = Math.max(0, Math.min(rank, rows - 1));
    setActive(next);
    const [above, below] = [next * ROW_HEIGHT, (next + 1) * ROW_HEIGHT - viewHeight];
    if (position.top() > above) moveTo(above);
    else if (position.top() < below) moveTo(below);
  };
  useImperativeHandle(props.ref, () => ({
    goTo: (rank) => {
      setActive(Math.max(0, Math.min(rank, rows - 1)));
      moveTo(rank * ROW_HEIGHT);
      container.current?.focus({ preventScroll: true });
    },
  }));

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLButtonElement || event.altKey || event.metaKey || event.ctrlKey) return;
    const page = Math.max(1, Math.floor(viewHeight / ROW_HEIGHT) - 1);
    const steps: Readonly<Record<string, number>> = {
      ...{ ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 },
      ...{ PageDown: page, ' ': page, PageUp: -page, Home: -rows, End: rows },
    };
    const step = steps[event.key];
    // Keys continue from what is seen, also after the scrollbar has left the current row behind.
    const current = active >= drawn.first && active < drawn.end ? active : drawn.first;
    const hit = store.row(current);
    if (step !== undefined) activate(current + step);
    else if (event.key === 'Enter' && hit !== undefined) props.onOpen(hit);
    else return;
    event.preventDefault();
  };

  const columns = table.getVisibleLeafColumns();
  const ranks = Array.from({ length: drawn.end - drawn.first }, (_, at) => drawn.first + at);
  const style = {
    '--columns': columnTemplate(columns, rows),
    '--row': `${ROW_HEIGHT}px`,
    '--head': `${HEAD_HEIGHT}px`,
  } as CSSProperties;
  return (
    <div
      ref={container}
      className="grid"
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={rows + 1}
      aria-colcount={columns.length + 1}
      aria-activedescendant={active >= drawn.first && active < drawn.end ? `row-${active}` : undefined}
      style={style}
      onKeyDown={onKeyDown}
      data-coarse={position.scale.isCoarse}
    >
      <div className="grid-head" role="row" aria-rowindex={1}>
        <div className="cell rank" role="columnheader">
          #
        </div>
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} sort={props.sort} onSort={props.onSort} table={table} />
        ))}
      </div>
      <div className="grid-spacer" role="presentation" style={{ height: position.scale.spacer }}>
        <div className="grid-view" role="presentation" style={{ height: viewHeight }}>
          <div
            className="grid-rows"
            role="rowgroup"
            style={{ transform: `translateY(${drawn.first * ROW_HEIGHT - drawn.top}px)` }}
          >
            {ranks.map((rank, at) => {
              const hit = store.row(rank);
              return (
                // The n-th element shows the n-th row of the view: a drag changes texts, and neither elements nor their places.
                <Row
                  key={at}
                  rank={rank}
                  hit={hit}
                  columns={columns}
                  isActive={rank === active}
                  isOpen={hit !== undefined && hit._id === props.openId}
                  onActivate={setActive}
                  onOpen={props.onOpen}
                />
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

interface HeadCellProps {
  readonly column: ColumnOf;
  readonly sort: Sort | undefined;
  readonly onSort: (column: ColumnOf) => void;
  readonly table: ColumnTable;
}

function HeadCell({ column, sort, onSort, table }: HeadCellProps): ReactElement {
  const { name, exact, kind } = column.columnDef.meta ?? { name: column.id, exact: undefined, kind: 'other' };
  const isSorted = exact !== undefined && sort?.field === exact;
  const order = isSorted ? (sort?.descending === true ? 'descending' : 'ascending') : 'none';
  const header = table.getLeafHeaders().find((each) => each.column.id === column.id);
  return (
    <div
      className="cell"
      role="columnheader"
      data-kind={kind}
      aria-sort={exact === undefined ? undefined : order}
    >
      {exact === undefined ? (
        <span className="head-name">{name}</span>
      ) : (
        <button type="button" className="head-name" onClick={() => onSort(column)} title={`Sort by ${name}`}>
          {name}
          <span className="sort-mark" aria-hidden="true">
            {isSorted ? (sort?.descending === true ? '↓' : '↑') : ''}
          </span>
        </button>
      )}
      {header !== undefined && (
        <span
          className="resizer"
          aria-hidden="true"
          onPointerDown={(event) => header.getResizeHandler()(event.nativeEvent)}
        />
      )}
    </div>
  );
}

interface RowProps {
  readonly rank: number;
  readonly hit: ListHit | undefined;
  readonly columns: readonly ColumnOf[];
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly onActivate: (rank: number) => void;
  readonly onOpen: (hit: ListHit) => void;
}

const Row = memo(function Row({ rank, hit, columns, isActive, isOpen, ...on }: RowProps): ReactElement {
  // An element shows another row after a scroll: a press that began on the row before opens nothing.
  const pressed = useRef<number>(undefined);
  const open = (): void => {
    const isOther = pressed.current !== undefined && pressed.current !== rank;
    pressed.current = undefined;
    if (isOther) return;
    on.onActivate(rank);
    if (hit !== undefined) on.onOpen(hit);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its current row
    <div
      id={`row-${rank}`}
      className="grid-row"
      role="row"
      aria-rowindex={rank + 2}
      aria-selected={isOpen}
      data-active={isActive}
      data-missing={hit === undefined}
      onPointerDown={() => {
        pressed.current = rank;
      }}
      onClick={open}
    >
      <div className="cell rank" role="rowheader">
        {countText(rank + 1)}
      </div>
      {columns.map((column) => (
        <div key={column.id} className="cell" role="gridcell" data-kind={column.columnDef.meta?.kind}>
          {hit === undefined ? <span className="blank" /> : textOf(hit, column)}
        </div>
      ))}
    </div>
  );
});

function textOf(hit: ListHit, column: ColumnOf): string {
  const { name, kind } = column.columnDef.meta ?? { name: column.id, kind: 'other' as const };
  if (name === '_id') return hit._id;
  if (name === '_index') return hit._index;
  if (name === '_score') return hit._score === null ? '' : hit._score.toFixed(3);
  return cellText(valueAt(hit._source, name), kind);
}
