// What a list shows, as its address has it: a link restores query, order, columns, position and snapshot.

import { type Condition, readConditions } from './conditions.ts';
import type { Sort } from './grid.tsx';

interface ListState {
  readonly text: string;
  readonly conditions: readonly Condition[];
  readonly sort: Sort | undefined;
  readonly columns: readonly string[] | undefined;
  /** The rank of the first row. */
  readonly at: number;
  /** The id of the point in time. */
  readonly snapshot: string | undefined;
  /** The id of the document that is open, with its index if the list is over several. */
  readonly doc: string | undefined;
  readonly docIndex: string | undefined;
}

export function readListState(params: URLSearchParams): ListState {
  const at = Number(params.get('at') ?? 1);
  return {
    text: params.get('q') ?? '',
    conditions: readConditions(params),
    sort: readSort(params.get('sort')),
    columns: params
      .get('columns')
      ?.split(',')
      .filter((name) => name !== ''),
    at: Number.isSafeInteger(at) && at >= 1 ? at - 1 : 0,
    snapshot: params.get('snapshot') ?? undefined,
    doc: params.get('doc') ?? undefined,
    docIndex: params.get('in') ?? undefined,
  };
}

function readSort(text: string | null): Sort | undefined {
  if (text === null || text === '') return undefined;
  const descending = text.startsWith('-');
  return { field: descending ? text.slice(1) : text, descending };
}

export function writeSort(sort: Sort | undefined): string | undefined {
  return sort && (sort.descending ? '-' : '') + sort.field;
}
