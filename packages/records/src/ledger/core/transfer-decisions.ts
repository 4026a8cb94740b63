// How does money move in a book? By the rules of the ledger; a refusal comes before any change.

import { RecordsError } from '../../contracts/errors.ts';
import type { Account } from '../model/account.ts';
import { type Transfer, type TransferKind, type TransferRequest, transferView } from '../model/transfer.ts';
import { transferNotFound } from '../operations/transfer-operations.ts';
import type { Book } from '../postgres/postgres-book.ts';
import { checkFunds, checkOpen, checkOverflow, type Decision, decide, moved } from './rules.ts';

/** A transfer without its place in the journal, as it is written. */
export interface NewTransfer {
  readonly transfer: Transfer;
  readonly fromNumber: bigint;
  readonly toNumber: bigint;
}

interface Annotation {
  readonly kind: TransferKind;
  readonly reference?: string | null | undefined;
  readonly externalId?: string | undefined;
  readonly hold?: string;
  readonly reverses?: string;
}

/** All of them, in order, or none. `fieldsOf` says what comes before the names of fields in refusals. */
export function transferAll(
  book: Book,
  requests: readonly TransferRequest[],
  fieldsOf: (at: number) => string,
): Transfer[] {
  const accounts = new Map<string, Account>();
  const externalIds = new Set<string>();
  const decisions = requests.map((request, at) => {
    const { from, to, externalId } = request;
    const ground = {
      from: accounts.get(from) ?? book.account(from),
      to: accounts.get(to) ?? book.account(to),
      externalIdTaken:
        externalId !== undefined && (externalIds.has(externalId) || book.externalIds.has(externalId)),
    };
    const decision = decide(request, ground, fieldsOf(at));
    const after = moved(decision);
    accounts.set(from, after.from);
    accounts.set(to, after.to);
    if (externalId !== undefined) externalIds.add(externalId);
    return decision;
  });
  return decisions.map((decision, at) => {
    const { reference, externalId } = requests[at]!;
    return move(book, decision, { kind: 'transfer', reference, externalId });
  });
}

/** Moves money. REQUIRES: the rules allow it. */
export function move(book: Book, decision: Decision, annotation: Annotation): Transfer {
  const { from, to } = moved(decision);
  const transfer: Transfer = {
    position: 0n,
    id: book.nextId(),
    kind: annotation.kind,
    from: from.id,
    to: to.id,
    currency: from.currency,
    amount: decision.amount,
    fromBalance: from.balance,
    toBalance: to.balance,
    reference: annotation.reference ?? null,
    externalId: annotation.externalId ?? null,
    hold: annotation.hold ?? null,
    reverses: annotation.reverses ?? null,
    time: book.now,
  };
  book.addTransfer({ transfer, fromNumber: from.number, toNumber: to.number }, [from, to]);
  if (annotation.externalId !== undefined) book.externalIds.add(annotation.externalId);
  const data = { ...transferView(transfer) };
  book.emit({ type: 'transfer.created', subject: `transactions/${transfer.id}`, data });
  return transfer;
}

/** Takes a transfer back. Throws as `ledger.reverse`. */
export function takeBack(
  book: Book,
  { id, reference }: { readonly id: string; readonly reference?: string | undefined },
): Transfer {
  const old = book.oldTransfers.get(id);
  if (old === undefined) throw transferNotFound(id);
  const reversal = old.reversal ?? book.reversals.get(id);
  if (reversal !== undefined)
    throw new RecordsError('already-reversed', `${id} was reversed by ${reversal}.`, {
      extra: { reversal },
    });
  const { amount } = old;
  const from = book.numbered(old.to_account);
  const to = book.numbered(old.from_account);
  checkOpen(from, 'id');
  checkOpen(to, 'id');
  checkFunds(from, amount, 'id');
  checkOverflow(from, to, amount, 'id');
  const transfer = move(book, { from, to, amount }, { kind: 'reversal', reference, reverses: id });
  book.reversals.set(id, transfer.id);
  return transfer;
}
