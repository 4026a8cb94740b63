// The tools of a list: which columns it has, where to go, what to take away.

import { DropdownMenu, Popover } from 'radix-ui';
import { type FormEvent, type ReactElement, useState } from 'react';
import { Icon } from '../frame/icons.tsx';
import { messageOf } from '../frame/problem.tsx';
import { countText } from './cell-text.ts';
import type { ColumnTable } from './columns.ts';

interface ColumnMenuProps {
  readonly table: ColumnTable;
  readonly onChange: (names: readonly string[] | undefined) => void;
}

export function ColumnMenu({ table, onChange }: ColumnMenuProps): ReactElement {
  const columns = table.getAllLeafColumns();
  const toggle = (id: string, isShown: boolean): void =>
    onChange(columns.filter((each) => (each.id === id ? isShown : each.getIsVisible())).map(({ id }) => id));
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="button quiet" aria-label="Choose columns">
        <Icon name="columns" />
        <span>Columns</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6}>
          {columns.map((column) => (
            <DropdownMenu.CheckboxItem
              key={column.id}
              className="menu-item"
              checked={column.getIsVisible()}
              onCheckedChange={(isShown) => toggle(column.id, isShown)}
              onSelect={(event) => event.preventDefault()}
            >
              <span className="menu-mark">
                <DropdownMenu.ItemIndicator>
                  <Icon name="check" />
                </DropdownMenu.ItemIndicator>
              </span>
              {column.id}
            </DropdownMenu.CheckboxItem>
          ))}
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Item className="menu-item" onSelect={() => onChange(undefined)}>
            <span className="menu-mark" />
            As at first
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface JumpProps {
  readonly rows: number;
  /** The sorted field; undefined if the list is in no order of a field. */
  readonly field: string | undefined;
  readonly onRank: (rank: number) => void;
  readonly rankOf: (value: string) => Promise<number>;
}

export function Jump({ rows, field, onRank, rankOf }: JumpProps): ReactElement {
  const [open, setOpen] = useState(false);
  const [item, setItem] = useState('');
  const [value, setValue] = useState('');
  const [failure, setFailure] = useState<string>();
  const go = (rank: number): void => {
    setOpen(false);
    setFailure(undefined);
    onRank(Math.max(0, Math.min(rank, rows - 1)));
  };
  const toItem = (event: FormEvent): void => {
    event.preventDefault();
    const number = Number(item.replaceAll(/[,\s]/g, ''));
    if (Number.isSafeInteger(number) && number >= 1) go(number - 1);
    else setFailure('Enter the number of an item, such as 90000.');
  };
  const toValue = (event: FormEvent): void => {
    event.preventDefault();
    rankOf(value.trim()).then(go, (error: unknown) => setFailure(messageOf(error)));
  };
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="button quiet" aria-label="Jump">
        <Icon name="jump" />
        <span>Jump</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="popover" align="end" sideOffset={6} aria-label="Jump to">
          <form onSubmit={toItem} className="stack">
            <label className="field">
              <span>Item, from 1 to {countText(rows)}</span>
              <input inputMode="numeric" value={item} onChange={(event) => setItem(event.target.value)} />
            </label>
          </form>
          {field !== undefined && (
            <form onSubmit={toValue} className="stack">
              <label className="field">
                <span>
                  First item at <code>{field}</code>
                </span>
                <input value={value} onChange={(event) => setValue(event.target.value)} />
              </label>
            </form>
          )}
          <p className="hint">
            {failure ?? (field === undefined ? 'Sort by a column to jump to a value.' : 'Enter goes there.')}
          </p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface ExportMenuProps {
  readonly rows: number;
  readonly onExport: (format: 'ndjson' | 'csv') => void;
}

export function ExportMenu({ rows, onExport }: ExportMenuProps): ReactElement {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="button quiet" aria-label="Export">
        <Icon name="export" />
        <span>Export</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6}>
          <DropdownMenu.Label className="menu-label">
            {countText(rows)} documents, in this order
          </DropdownMenu.Label>
          <DropdownMenu.Item className="menu-item" onSelect={() => onExport('ndjson')}>
            NDJSON, whole documents
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => onExport('csv')}>
            CSV, the columns shown
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
