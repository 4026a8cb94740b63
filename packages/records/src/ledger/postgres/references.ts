// Collects what a group of calls refers to before any of them runs, so that all accounts can be locked in one order.

import type { Kysely } from 'kysely';
import type { Database } from '../../schema/database.ts';
import { sql } from '../../schema/kysely.ts';
import { EXPIRE_AT_ONCE, type PastTransfer } from '../core/ledger-book.ts';
import { type HoldRow, SELECT_HOLDS } from '../model/hold.ts';
import type { TransferRequest } from '../model/transfer.ts';

/** A call of a writing operation of the ledger. */
export interface NamedCall {
  readonly name: string;
  readonly args: unknown;
}

/**
 * How an account is locked:
 * - `share`: against changes of its flags. Enough to move money where the account may go negative.
 * - `update`: against everybody who changes its balance or its holds.
 * - `alone`: against everybody.
 */
export type LockMode = 'share' | 'update' | 'alone';

/** A transfer that a call wants to reverse. */
export interface ReversibleTransfer extends PastTransfer {
  readonly from_account: bigint;
  readonly to_account: bigint;
  /** The id of its reversal. */
  readonly reversal: string | null;
}

/** See above. */
interface References {
  /** Accounts by id, with the weakest lock that suffices where they may go negative. */
  readonly byId: ReadonlyMap<string, LockMode>;
  /** Accounts that holds and transfers refer to. */
  readonly byNumber: ReadonlyMap<bigint, LockMode>;
  readonly transfers: readonly ReversibleTransfer[];
  readonly holds: readonly string[];
  readonly externalIds: readonly string[];
  /** The number of new accounts. */
  readonly newAccounts: number;
}

/** An amount with more characters may bring a balance near its bound: then the account is not shared. */
const LONG = 12;
const LARGE: bigint = 10n ** BigInt(LONG);

const STRENGTH: Readonly<Record<LockMode, number>> = { share: 0, update: 1, alone: 2 };

/** Reads the holds and transfers that the calls name; nothing is locked yet. */
export async function referencesOf(
  db: Kysely<Database>,
  calls: readonly NamedCall[],
  now: number,
): Promise<References> {
  const collected = new Collector();
  for (const call of calls) collected.add(call);
  const { byId, byNumber, externalIds, newAccounts } = collected;
  const transfers = await reversibleTransfers(db, [...collected.reversed]);
  for (const { from_account, to_account, amount } of transfers) {
    const mode = amount >= LARGE ? 'alone' : 'share';
    strengthen(byNumber, from_account, mode);
    strengthen(byNumber, to_account, mode);
  }
  const holds = await findHolds(db, [...collected.holds], collected.expires ? now : undefined);
  for (const { from_account, to_account, amount } of holds) {
    strengthen(byNumber, from_account, 'update');
    strengthen(byNumber, to_account, amount >= LARGE ? 'alone' : 'share');
  }
  return {
    ...{ byId, byNumber, transfers, holds: holds.map(({ id }) => id) },
    ...{ externalIds: [...externalIds], newAccounts },
  };
}

class Collector {
  readonly byId = new Map<string, LockMode>();
  readonly byNumber = new Map<bigint, LockMode>();
  readonly reversed = new Set<string>();
  readonly holds = new Set<string>();
  readonly externalIds = new Set<string>();
  newAccounts = 0;
  expires = false;

  add({ name, args }: NamedCall): void {
    switch (name) {
      case 'ledger.transfer':
        this.#addRequest(args as TransferRequest, 'share');
        break;
      case 'ledger.batch':
      case 'ledger.batchJson':
        for (const request of (args as { transfers: readonly TransferRequest[] }).transfers)
          this.#addRequest(request, 'share');
        break;
      case 'ledger.hold':
        this.#addRequest(args as TransferRequest, 'update');
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

  #addRequest({ from, to, money, externalId }: TransferRequest, mode: LockMode): void {
    const weakest = money.length > LONG ? 'alone' : 'share';
    strengthen(this.byId, from, stronger(weakest, mode));
    strengthen(this.byId, to, weakest);
    if (externalId !== undefined) this.externalIds.add(externalId);
  }
}

function strengthen<Key>(modes: Map<Key, LockMode>, key: Key, mode: LockMode): void {
  modes.set(key, stronger(modes.get(key), mode));
}

/** The stronger of two. */
export function stronger(a: LockMode | undefined, b: LockMode | undefined): LockMode {
  const [one, other] = [a ?? 'share', b ?? 'share'];
  return STRENGTH[one] > STRENGTH[other] ? one : other;
}

async function reversibleTransfers(
  db: Kysely<Database>,
  ids: readonly string[],
): Promise<ReversibleTransfer[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ReversibleTransfer>`
    select t.id, f.id as "from", o.id as "to", t.from_account, t.to_account, t.amount, r.id as reversal
    from transfer t left join transfer r on r.reverses = t.id
      join account f on f.number = t.from_account join account o on o.number = t.to_account
    where t.id = any(${ids})`.execute(db);
  return rows;
}

/** Holds by id and, where `due` is given, holds that have expired by then. */
export async function findHolds(
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
  const namedIds = new Set(ids);
  return [...named, ...rows.filter(({ id }) => !namedIds.has(id))];
}
