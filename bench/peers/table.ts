// The requests of a list to a table, and their SQL. A keyset is a range on the first column, which an index
// supports, and the exact comparison behind it.

import type { Sort, SortEntry } from '../corpus/truth.ts';

/** A row per document that is not deleted. */
export interface TableRow {
  readonly id: string;
  readonly section: string;
  readonly score: number;
  readonly gmt_modified: number;
  readonly size: number;
  readonly body: string;
  /** The document as JSON. */
  readonly source: string;
}

interface PageAsk {
  readonly sort: Sort;
  readonly section: string | undefined;
  /** A full-text expression of the store, ranked by its own BM25. */
  readonly text: string | undefined;
  readonly from: number;
  readonly after: readonly (string | number)[] | undefined;
  readonly size: number;
}

export interface Table {
  fill(rows: Iterable<TableRow>): Promise<void>;
  page(ask: PageAsk): Promise<readonly TableRow[]>;
  count(ask: PageAsk): Promise<number>;
  close(): Promise<void>;
}

/** The supported part of a search body. */
export interface Body {
  readonly query: {
    readonly term?: { readonly section: string };
    readonly match?: { readonly body: { readonly query: string; readonly operator: 'or' | 'and' } };
    readonly match_phrase?: { readonly body: string };
  };
  readonly sort?: readonly Record<string, 'asc' | 'desc'>[];
  readonly from?: number;
  readonly search_after?: readonly (string | number)[];
  readonly size: number;
  readonly track_total_hits?: boolean;
}

export function readPageAsk({ query, sort = [], from = 0, search_after: after, size }: Body): PageAsk {
  const words = (query.match?.body.query ?? query.match_phrase?.body)?.split(' ');
  const joint =
    query.match_phrase !== undefined ? ' + ' : query.match?.body.operator === 'and' ? ' AND ' : ' OR ';
  return {
    sort: sort.flatMap((entry) => Object.entries(entry)) as unknown as Sort,
    section: query.term?.section,
    text: words?.join(joint),
    from,
    after,
    size,
  };
}

/** WHERE and ORDER BY, with `?` for values. */
export function conditions({ sort, section, after }: PageAsk): {
  where: string;
  order: string;
  values: unknown[];
} {
  const parts: string[] = [];
  const values: unknown[] = [];
  if (section !== undefined) {
    parts.push('section = ?');
    values.push(section);
  }
  const [first] = sort;
  if (after !== undefined && first !== undefined) {
    parts.push(beyond(first, '='));
    values.push(after[0]);
    const branches = sort.map((entry, at) => {
      values.push(...after.slice(0, at + 1));
      return [...sort.slice(0, at).map(([field]) => `${field} = ?`), beyond(entry)].join(' AND ');
    });
    parts.push(`(${branches.map((branch) => `(${branch})`).join(' OR ')})`);
  }
  const where = parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`;
  const order = `ORDER BY ${sort.map(([field, direction]) => `${field} ${direction}`).join(', ')}`;
  return { where, order, values };
}

function beyond([field, direction]: SortEntry, equal = ''): string {
  return `${field} ${direction === 'asc' ? '>' : '<'}${equal} ?`;
}
