// Lists holds by cursor and filters, newest first. The statement is the same on both stores.

import type { RawBuilder, SqlBool } from 'kysely';
import { type KeysetPage, type KeysetRequest, keysetPage } from '../../contracts/keyset-page.ts';
import type { AnyOperation, ReadContext, ReadOperation } from '../../contracts/operation.ts';
import { lowestUuid7 } from '../../ids/uuid.ts';
import { sql as raw } from '../../schema/kysely.ts';
import { accountMissing } from '../core/transfer-rules.ts';
import { digitsOf } from '../model/currency.ts';
import { type Hold, type HoldRow, type HoldStatus, holdOfRow, SELECT_HOLDS } from '../model/hold.ts';

/** Filters; all that are given must hold. */
export interface HoldFilter {
  /** Either side. */
  readonly account?: string | undefined;
  readonly status?: HoldStatus | undefined;
  readonly reference?: string | undefined;
  readonly currency?: string | undefined;
  /** Created at this time or later, ms since 1970. */
  readonly since?: number | undefined;
  /** Created before this time, ms since 1970. */
  readonly until?: number | undefined;
}

/** A page of the holds, newest first. Keys are ids. */
export interface HoldsRequest extends HoldFilter, KeysetRequest<string> {}

/** Holds, newest first. Throws `unknown-currency`, `account-not-found`. */
export const listHolds: ReadOperation<HoldsRequest, KeysetPage<Hold>> = {
  kind: 'read',
  name: 'ledger.listHolds',
  async run(context, request) {
    const conditions = conditionsOf(context, request);
    const account = await accountOf(context, request.account);
    const side = async (from: string | undefined, up: boolean, most: number): Promise<HoldRow[]> => {
      const beyond =
        from === undefined ? [] : [up ? raw<SqlBool>`h.id > ${from}` : raw<SqlBool>`h.id < ${from}`];
      const walk = (onSide: readonly RawBuilder<SqlBool>[]): Promise<HoldRow[]> =>
        rowsOf(context, [...onSide, ...conditions, ...beyond], up, most);
      if (account === undefined) return await walk([]);
      // Each side has an index of its own; no hold has the same account on both sides.
      const rows = [
        ...(await walk([raw`h.from_account = ${account}`])),
        ...(await walk([raw`h.to_account = ${account}`])),
      ];
      return rows.sort((a, b) => (a.id < b.id === up ? -1 : 1)).slice(0, most);
    };
    const { rows, ...sides } = await keysetPage(request, side, ({ id }) => id);
    return { rows: rows.map((row) => holdOfRow(row, context.now)), ...sides };
  },
};

async function rowsOf(
  { db }: ReadContext,
  conditions: readonly RawBuilder<SqlBool>[],
  up: boolean,
  most: number,
): Promise<HoldRow[]> {
  const where = conditions.length === 0 ? raw`` : raw`WHERE ${raw.join(conditions, raw` AND `)}`;
  const order = raw.raw(up ? 'ASC' : 'DESC');
  const query = raw<HoldRow>`${raw.raw(SELECT_HOLDS)} ${where} ORDER BY h.id ${order} LIMIT ${most}`;
  return (await query.execute(db)).rows;
}

function conditionsOf({ now }: ReadContext, filter: HoldFilter): RawBuilder<SqlBool>[] {
  const { status, reference, currency, since, until } = filter;
  if (currency !== undefined) digitsOf(currency);
  const conditions: RawBuilder<SqlBool>[] = [];
  if (reference !== undefined) conditions.push(raw`h.reference = ${reference}`);
  if (currency !== undefined) conditions.push(raw`h.currency = ${currency}`);
  // Ids begin with their time.
  if (since !== undefined) conditions.push(raw`h.id >= ${lowestUuid7(Math.max(0, since))}`);
  if (until !== undefined) conditions.push(raw`h.id < ${lowestUuid7(Math.max(0, until))}`);
  if (status !== undefined) conditions.push(hasStatus(status, BigInt(now)));
  return conditions;
}

async function accountOf({ db }: ReadContext, id: string | undefined): Promise<bigint | undefined> {
  if (id === undefined) return undefined;
  const row = await db.selectFrom('account').select('number').where('id', '=', id).executeTakeFirst();
  return row?.number ?? accountMissing(id, 'account');
}

/** As `holdOf` has it: expired when its time is up, marked or not. */
function hasStatus(status: HoldStatus, now: bigint): RawBuilder<SqlBool> {
  const due = raw<SqlBool>`(h.status = 'pending' AND h.expires_at IS NOT NULL AND h.expires_at <= ${now})`;
  if (status === 'expired') return raw`(h.status = 'expired' OR ${due})`;
  return status === 'pending' ? raw`(h.status = 'pending' AND NOT ${due})` : raw`h.status = ${status}`;
}

export const holdListOperations: readonly AnyOperation[] = [listHolds];
