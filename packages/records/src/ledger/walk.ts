// Which transfers lie on this side of a place? Those of the journal, or of one of its lists and of the tail that the list
// does not have yet.

import { type RawBuilder, sql as raw, type SqlBool } from 'kysely';
import type { ReadContext } from '../operation.ts';
import { listedUpTo } from './lists.ts';
import { TRANSFER_COLUMNS, TRANSFER_JOIN, type TransferRow } from './transfer.ts';

/** What is looked for. */
export interface Filter {
  /** Walk the list of an account or of a currency instead of the journal. */
  readonly list: { readonly account: bigint } | { readonly currency: string } | undefined;
  /** Positions above and below these, both without them. */
  readonly above: bigint | undefined;
  readonly below: bigint | undefined;
  /** On `t`, the transfer. */
  readonly conditions: readonly RawBuilder<SqlBool>[];
}

/** A walk from a position, without it, up or down. */
export interface Walk {
  readonly from: bigint | undefined;
  readonly up: boolean;
  readonly most: number;
}

interface Source {
  readonly table: RawBuilder<unknown>;
  readonly position: RawBuilder<unknown>;
  readonly conditions: readonly RawBuilder<SqlBool>[];
}

/** Rows in the order of the walk. O(rows), and the tail where a list is walked. */
export async function rowsBeside(context: ReadContext, filter: Filter, walk: Walk): Promise<TransferRow[]> {
  const { list } = filter;
  const journal = { table: raw`transfer t`, position: raw.ref('t.position'), conditions: [] };
  if (list === undefined) return await rowsOf(context, journal, filter, walk);
  const mark = await listedUpTo(context);
  const beyond = raw<SqlBool>`t.position > ${mark}`;
  const tail: Source = {
    ...journal,
    conditions:
      'account' in list
        ? [beyond, raw<SqlBool>`(t.from_account = ${list.account} OR t.to_account = ${list.account})`]
        : [beyond],
  };
  const name = 'account' in list ? 'entry_side' : 'currency_entry';
  const key =
    'account' in list
      ? raw<SqlBool>`s.account = ${list.account}`
      : raw<SqlBool>`s.currency = ${list.currency}`;
  const listed: Source = {
    table: raw`${raw.table(name)} s CROSS JOIN transfer t ON t.position = s.position`,
    position: raw.ref('s.position'),
    conditions: [key],
  };
  const [near, far] = walk.up ? [listed, tail] : [tail, listed];
  const rows = await rowsOf(context, near, filter, walk);
  if (rows.length === walk.most) return rows;
  return [...rows, ...(await rowsOf(context, far, filter, { ...walk, most: walk.most - rows.length }))];
}

async function rowsOf(
  { db }: ReadContext,
  source: Source,
  { above, below, conditions }: Filter,
  { from, up, most }: Walk,
): Promise<TransferRow[]> {
  const { table, position } = source;
  const higher = (than: bigint): RawBuilder<SqlBool> => raw<SqlBool>`${position} > ${than}`;
  const lower = (than: bigint): RawBuilder<SqlBool> => raw<SqlBool>`${position} < ${than}`;
  const all = [
    ...source.conditions,
    ...(from === undefined ? [] : [up ? higher(from) : lower(from)]),
    ...(above === undefined ? [] : [higher(above)]),
    ...(below === undefined ? [] : [lower(below)]),
    ...conditions,
  ];
  const where = all.length === 0 ? raw`` : raw`WHERE ${raw.join(all, raw` AND `)}`;
  const query = raw<TransferRow>`
    SELECT ${raw.raw(TRANSFER_COLUMNS)} FROM ${table} ${raw.raw(TRANSFER_JOIN)} ${where}
    ORDER BY ${position} ${raw.raw(up ? 'ASC' : 'DESC')} LIMIT ${most}`;
  return (await query.execute(db)).rows;
}
