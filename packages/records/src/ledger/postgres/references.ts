// Which accounts does a group of calls touch? Known before any of them runs, so that all can be locked in one order.

import type { Kysely } from 'kysely';
import type { Database } from '../../schema/database.ts';
import { sql } from '../../schema/kysely.ts';
import type { HoldRow } from '../model/hold.ts';
import { SELECT_HOLDS } from '../model/hold.ts';
import type { TransferRequest } from '../model/transfer.ts';

/** One call of a writing operation of the ledger. */
export interface LedgerCall {
  readonly name: string;
  readonly args: unknown;
}

/**
 * How an account is locked: against a change of its own (`share`), against all who touch its balance or its holds
 * (`update`), against everybody (`alone`). An account that may go negative is shared where money moves.
 */
export type LockMode = 'share' | 'update' | 'alone';

/** A transfer that somebody wants to take back. */
export interface OldTransfer {
  readonly id: string;
  readonly from_account: bigint;
  readonly to_account: bigint;
  readonly amount: bigint;
  /** The transfer that took it back. */
  readonly reversal: string | null;
}

/** What calls refer to. */
export interface Needs {
  /** Accounts by id, with the weakest lock that will do if they may go negative. */
  readonly byId: ReadonlyMap<string, LockMode>;
  /** Accounts that other rows name. */
  readonly byNumber: ReadonlyMap<bigint, LockMode>;
  readonly transfers: readonly OldTransfer[];
  readonly holds: readonly string[];
  readonly externalIds: readonly string[];
  /** Accounts to be made. */
  readonly newAccounts: number;
}

/** Holds that one call of `expireHolds` marks at most. */
export const EXPIRE_AT_ONCE = 500;

/** Amounts with more characters than this may bring a balance to its bound: then nobody shares the account. */
const LONG = 12;

const STRENGTH: Readonly<Record<LockMode, number>> = { share: 0, update: 1, alone: 2 };

/** Reads what ids lead to; nothing is locked yet. */
export async function needsOf(
  db: Kysely<Database>,
  calls: readonly LedgerCall[],
  now: number,
): Promise<Needs> {
  const needs = new Collected();
  for (const call of calls) needs.add(call);
  const transfers = await oldTransfers(db, [...needs.reversed]);
  for (const { from_account, to_account, amount } of transfers) {
    const mode = amount >= 10n ** BigInt(LONG) ? 'alone' : 'share';
    strengthen(needs.byNumber, from_account, mode);
    strengthen(needs.byNumber, to_account, mode);
  }
  const holds = await holdsWith(db, [...needs.holds], needs.expires ? now : undefined);
  for (const hold of holds) {
    strengthen(needs.byNumber, hold.from_account, 'update');
    strengthen(needs.byNumber, hold.to_account, hold.amount >= 10n ** BigInt(LONG) ? 'alone' : 'share');
  }
  return {
    byId: needs.byId,
    byNumber: needs.byNumber,
    transfers,
    holds: holds.map(({ id }) => id),
    externalIds: [...needs.externalIds],
    newAccounts: needs.newAccounts,
  };
}

class Collected {
  readonly byId = new Map<string, LockMode>();
  readonly byNumber = new Map<bigint, LockMode>();
  readonly reversed = new Set<string>();
  readonly holds = new Set<string>();
  readonly externalIds = new Set<string>();
  newAccounts = 0;
  expires = false;

  add({ name, args }: LedgerCall): void {
    switch (name) {
      case 'ledger.transfer':
        this.#request(args as TransferRequest, 'share');
        break;
      case 'ledger.batch':
        for (const request of (args as { transfers: readonly TransferRequest[] }).transfers)
          this.#request(request, 'share');
        break;
      case 'ledger.hold':
        this.#request(args as TransferRequest, 'update');
        break;
      case 'ledger.reverse':
        this.reversed.add((args as { id: string }).id);
        break;
      case 'ledger.postHold':
      case 'ledger.voidHold':
        this.holds.add((args as { id: string }).id);
        break;
      case 'ledger.expireHolds':
        this.expires = true;
        break;
      case 'ledger.changeAccount':
        strengthen(this.byId, (args as { id: string }).id, 'alone');
        break;
      case 'ledger.createAccount':
        this.newAccounts += 1;
        strengthen(this.byId, (args as { id: string }).id, 'share');
        break;
      default:
        throw new Error(`the ledger has no operation ${name}`);
    }
  }

  #request({ from, to, money, externalId }: TransferRequest, mode: LockMode): void {
    const least = money.length > LONG ? 'alone' : 'share';
    strengthen(this.byId, from, STRENGTH[least] > STRENGTH[mode] ? least : mode);
    strengthen(this.byId, to, least);
    if (externalId !== undefined) this.externalIds.add(externalId);
  }
}

function strengthen<Key>(modes: Map<Key, LockMode>, key: Key, mode: LockMode): void {
  const before = modes.get(key);
  if (before === undefined || STRENGTH[mode] > STRENGTH[before]) modes.set(key, mode);
}

/** The stronger of two. */
export function stronger(a: LockMode | undefined, b: LockMode | undefined): LockMode {
  const [one, other] = [a ?? 'share', b ?? 'share'];
  return STRENGTH[one] > STRENGTH[other] ? one : other;
}

async function oldTransfers(db: Kysely<Database>, ids: readonly string[]): Promise<OldTransfer[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<OldTransfer>`
    select t.id, t.from_account, t.to_account, t.amount, r.id as reversal
    from transfer t left join transfer r on r.reverses = t.id where t.id = any(${ids})`.execute(db);
  return rows;
}

/** Holds by id, and those whose time is up where `due` is given. */
export async function holdsWith(
  db: Kysely<Database>,
  ids: readonly string[],
  due: number | undefined,
): Promise<HoldRow[]> {
  const select = sql.raw(SELECT_HOLDS);
  const named =
    ids.length === 0 ? [] : (await sql<HoldRow>`${select} where h.id = any(${ids})`.execute(db)).rows;
  if (due === undefined) return named;
  const { rows } = await sql<HoldRow>`${select}
    where h.status = 'pending' and h.expires_at <= ${BigInt(due)}
    order by h.expires_at limit ${EXPIRE_AT_ONCE}`.execute(db);
  const known = new Set(ids);
  return [...named, ...rows.filter(({ id }) => !known.has(id))];
}
