// Prints a table: columns padded to their widest cell, numbers to the right, one space between; no padding
// after the last column. Or the same as JSON.
//
//     health status index  docs.count
//     green  open   books         117

import { EngineError, type JsonObject } from '@octavo/engine';
import { bytesText, millisText } from '../../json/units.ts';
import { matchesWildcard } from '../../patterns/wildcard.ts';
import type { Call, Params, Reply } from '../router/route.ts';

/** A cell: text, a number, a size, a duration, or nothing. */
export type Cell =
  | string
  | number
  | boolean
  | null
  | { readonly bytes: number }
  | { readonly millis: number };

/** One column of a table over rows of type R. */
export interface TableColumn<R> {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly meaning: string;
  /** Aligned to the right. */
  readonly right?: true;
  /** Shown only if the call names it. */
  readonly extra?: true;
  readonly cell: (row: R) => Cell;
}

/** Parameters of every table. */
export const TABLE_PARAMS: readonly string[] = [
  'v',
  'h',
  's',
  'help',
  'bytes',
  'time',
  'ts',
  'size',
  'local',
  'cluster_manager_timeout',
  'master_timeout',
];

interface ChosenColumn<R> {
  readonly column: TableColumn<R>;
  readonly title: string;
}

/** Answers a `_cat` request: the help text, or the rows as text or JSON. `rows` is not called for help. */
export async function printTable<R>(
  call: Call,
  columns: readonly TableColumn<R>[],
  rows: () => readonly R[] | Promise<readonly R[]>,
): Promise<Reply> {
  const { params } = call;
  if (params.boolean('help')) return { text: helpText(columns) };
  const chosen = chooseColumns(columns, params.list('h'));
  const sorted = sortRows(columns, [...(await rows())], params.list('s'));
  const cells = sorted.map((row) => chosen.map(({ column }) => cellText(column.cell(row), params)));
  if (wantsJson(call)) return { body: cells.map((line) => jsonRow(chosen, line)) };
  return { text: alignedText(chosen, cells, params.boolean('v') === true) };
}

function wantsJson(call: Call): boolean {
  const format = call.params.string('format');
  if (format !== undefined) return format === 'json';
  const accept = call.headers['accept'];
  return typeof accept === 'string' && /^application\/(vnd\.(elasticsearch|opensearch)\+)?json/.test(accept);
}

function jsonRow<R>(chosen: readonly ChosenColumn<R>[], line: readonly (string | null)[]): JsonObject {
  const out: JsonObject = Object.create(null) as JsonObject;
  for (let at = 0; at < chosen.length; at++) out[chosen[at]!.title] = line[at]!;
  return out;
}

/** The columns of `h`: names, aliases and patterns, in their order; unknown ones are skipped. */
function chooseColumns<R>(
  columns: readonly TableColumn<R>[],
  names: readonly string[] | undefined,
): ChosenColumn<R>[] {
  if (names === undefined) {
    return columns.filter(({ extra }) => extra !== true).map((column) => ({ column, title: column.name }));
  }
  const chosen = new Map<string, ChosenColumn<R>>();
  for (const requested of names.map((name) => name.trim())) {
    if (requested.includes('*')) {
      for (const column of columns) {
        const own = [column.name, ...column.aliases];
        if (own.some((name) => matchesWildcard(requested, name)))
          chosen.set(column.name, { column, title: column.name });
      }
      continue;
    }
    const column = findColumn(columns, requested);
    if (column !== undefined) chosen.set(requested, { column, title: requested });
  }
  return [...chosen.values()];
}

function findColumn<R>(columns: readonly TableColumn<R>[], name: string): TableColumn<R> | undefined {
  return (
    columns.find((column) => column.name === name) ?? columns.find(({ aliases }) => aliases.includes(name))
  );
}

/** Sorts by `s=index,docs.count:desc`. Throws unsupported_operation_exception for unknown columns. */
function sortRows<R>(
  columns: readonly TableColumn<R>[],
  rows: R[],
  keys: readonly string[] | undefined,
): R[] {
  if (keys === undefined) return rows;
  const orders = keys.map((key) => {
    const [, name = key, direction] = /^(.*):(asc|desc)$/.exec(key.trim()) ?? [undefined, key.trim()];
    const column = findColumn(columns, name);
    if (column === undefined) {
      throw new EngineError(
        'unsupported_operation_exception',
        `Unable to sort by unknown sort key \`${name}\``,
      );
    }
    return { column, sign: direction === 'desc' ? -1 : 1 };
  });
  return rows.sort((a, b) => {
    for (const { column, sign } of orders) {
      const order = compareCells(column.cell(a), column.cell(b));
      if (order !== 0) return order * sign;
    }
    return 0;
  });
}

function compareCells(a: Cell, b: Cell): number {
  const [x, y] = [sortValue(a), sortValue(b)];
  if (x === null || y === null) return x === y ? 0 : x === null ? -1 : 1;
  if (typeof x === 'number' && typeof y === 'number') return x - y;
  const [s, t] = [String(x), String(y)];
  return s < t ? -1 : s > t ? 1 : 0;
}

function sortValue(cell: Cell): string | number | null {
  if (cell === null || typeof cell === 'number' || typeof cell === 'string') return cell;
  if (typeof cell === 'boolean') return String(cell);
  return 'bytes' in cell ? cell.bytes : cell.millis;
}

function cellText(cell: Cell, params: Params): string | null {
  if (cell === null) return null;
  if (typeof cell !== 'object') return String(cell);
  if ('bytes' in cell) return bytesText(cell.bytes, params.string('bytes'));
  return millisText(cell.millis, params.string('time'));
}

function alignedText<R>(
  chosen: readonly ChosenColumn<R>[],
  cells: readonly (readonly (string | null)[])[],
  verbose: boolean,
): string {
  if (chosen.length === 0) return '';
  const lines = verbose ? [chosen.map(({ title }) => title), ...cells] : cells;
  const widths = chosen.map((_, at) => Math.max(0, ...lines.map((line) => line[at]?.length ?? 0)));
  const last = chosen.length - 1;
  return lines
    .map((line) =>
      line
        .map((text, at) => {
          if (chosen[at]!.column.right === true) return (text ?? '').padStart(widths[at]!);
          return at === last ? (text ?? '') : (text ?? '').padEnd(widths[at]!);
        })
        .join(' '),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** Name, aliases and meaning of every column, every part padded. */
function helpText<R>(columns: readonly TableColumn<R>[]): string {
  const lines = columns.map(({ name, aliases, meaning }) => [name, aliases.join(','), meaning]);
  const widths = [0, 1, 2].map((part) => Math.max(0, ...lines.map((line) => line[part]!.length)));
  return lines
    .map((line) => `${line.map((text, part) => text.padEnd(widths[part]!)).join(' | ')}\n`)
    .join('');
}
