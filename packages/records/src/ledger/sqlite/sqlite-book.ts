// What is written when money moves? A transfer in the journal, and an event.

import type { Statements, WriteContext } from '../../contracts/operation.ts';
import { type Decision, moved } from '../core/rules.ts';
import { type Account, findAccount, statementsOf } from '../model/account.ts';
import { type Transfer, type TransferKind, transferView } from '../model/transfer.ts';
import { type Journal, journalOf } from './ledger-buffer.ts';

/** What a transfer says beside the money. */
export interface Annotation {
  readonly kind: TransferKind;
  readonly reference: string | null;
  readonly externalId: string | null;
  readonly hold: string | null;
  readonly reverses: string | null;
}

/** Money that moves, and the accounts as they are afterwards. */
export interface Posting {
  readonly after: { readonly from: Account; readonly to: Account };
  readonly amount: bigint;
  readonly annotation: Annotation;
}

const TAKEN = 'SELECT 1 FROM transfer WHERE external_id = ?';

/** The accounts of one operation, as the operation would leave them: nothing is changed yet. */
export class AccountsInUse {
  readonly #sql: Statements;
  readonly #now: number;
  /** Undefined where nothing can be put off: in a read. */
  readonly #journal: Journal | undefined;
  readonly #accounts = new Map<string, Account | undefined>();

  constructor(context: Parameters<typeof statementsOf>[0] & { readonly now: number }, journal?: Journal) {
    this.#sql = statementsOf(context);
    this.#now = context.now;
    this.#journal = journal;
  }

  find(id: string): Account | undefined {
    const known = this.#accounts.get(id);
    if (known !== undefined || this.#accounts.has(id)) return known;
    const account = this.#journal?.find(id, this.#now) ?? findAccount(this.#sql, id, this.#now);
    this.#accounts.set(id, account);
    return account;
  }

  isExternalIdTaken(externalId: string): boolean {
    if (this.#journal !== undefined) return this.#journal.isExternalIdTaken(externalId);
    return this.#sql.get(TAKEN, externalId) !== undefined;
  }

  /** The accounts as they are after the decision. */
  move(decision: Decision): { from: Account; to: Account } {
    const after = moved(decision);
    this.#accounts.set(after.from.id, after.from);
    this.#accounts.set(after.to.id, after.to);
    return after;
  }
}

/** Puts transfers at the end of the journal, in order, and tells the world. REQUIRES: the rules allow all of it. */
export function append(context: WriteContext, postings: readonly Posting[]): Transfer[] {
  const journal = journalOf(context);
  const { idNow } = context;
  if (idNow === undefined) throw new Error('the ledger runs on the embedded store only');
  const transfers: Transfer[] = [];
  for (const { after, amount, annotation } of postings) {
    const { from, to } = after;
    transfers.push(
      journal.add(from, to, {
        position: journal.next(),
        id: idNow('@journal'),
        kind: annotation.kind,
        from: from.id,
        to: to.id,
        currency: from.currency,
        amount,
        fromBalance: from.balance,
        toBalance: to.balance,
        reference: annotation.reference,
        externalId: annotation.externalId,
        hold: annotation.hold,
        reverses: annotation.reverses,
        time: context.now,
      }),
    );
  }
  tell(context, transfers);
  return transfers;
}

function tell(context: WriteContext, transfers: readonly Transfer[]): void {
  const [first] = transfers;
  if (first === undefined) return;
  if (context.emitJournal !== undefined) {
    context.emitJournal({ first: first.position, count: transfers.length });
    return;
  }
  for (const transfer of transfers)
    context.emit({
      type: 'transfer.created',
      subject: `transactions/${transfer.id}`,
      data: { ...transferView(transfer) },
    });
}

/** The same for operations that read and write the tables themselves. */
export function appendNow(context: WriteContext, posting: Posting): Transfer {
  const [transfer] = append(context, [posting]);
  const journal = journalOf(context);
  journal.flush();
  journal.forgetAccounts();
  return transfer!;
}
