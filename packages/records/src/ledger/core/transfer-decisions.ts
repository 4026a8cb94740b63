// Decides on transfers, batches and reversals, and carries them out in a book. A refusal comes before the first change.

import { RecordsError } from '../../contracts/errors.ts';
import type { Account } from '../model/account.ts';
import type { Transfer, TransferKind, TransferRequest } from '../model/transfer.ts';
import type { LedgerBook, LedgerView } from './ledger-book.ts';
import { applyMove, checkFunds, checkOpen, checkOverflow, type Decision, decide } from './transfer-rules.ts';

/** Transfers of a batch at most. */
export const MOST_IN_BATCH = 10_000;

/** What a transfer records beside the money. */
interface Annotation {
  readonly kind: TransferKind;
  readonly reference?: string | null | undefined;
  readonly externalId?: string | undefined;
  readonly hold?: string;
  readonly reverses?: string;
}

/** A transfer that is decided, and the accounts as they are after it. */
interface PlannedTransfer {
  readonly from: Account;
  readonly to: Account;
  readonly amount: bigint;
  readonly annotation: Annotation;
}

/** A request to reverse a transfer. */
export interface ReversalRequest {
  readonly id: string;
  readonly reference?: string | undefined;
}

/** A batch: all of its transfers happen, in order, or none. */
export interface BatchRequest {
  readonly transfers: readonly TransferRequest[];
}

/** Moves money once. Refusals come in the order of transfer-rules.ts. */
export function moveMoney(book: LedgerBook, request: TransferRequest): Transfer {
  const ground = {
    from: book.account(request.from),
    to: book.account(request.to),
    externalIdTaken: request.externalId !== undefined && book.isExternalIdTaken(request.externalId),
  };
  return addMove(book, decide(request, ground), annotationOf(request));
}

/** Moves money many times or not at all: the first refusal is that of the batch, and its field names the transfer. */
export function moveBatch(book: LedgerBook, { transfers }: BatchRequest): Transfer[] {
  return planTransfers(book, transfers, fieldInBatch).map((planned) => add(book, planned));
}

/** What a transfer or a batch would come to. Ids are empty, and positions are 0. */
export function simulate(
  view: LedgerView,
  { transfers, batch }: BatchRequest & { readonly batch: boolean },
  now: number,
): Transfer[] {
  const planned = planTransfers(view, transfers, batch ? fieldInBatch : () => '');
  return planned.map((one) => transferFor(one, { position: 0n, id: '', time: now }));
}

/** Reverses a transfer, in full, once. The money must still be there. */
export function reverseTransfer(book: LedgerBook, { id, reference }: ReversalRequest): Transfer {
  const past = book.pastTransfer(id);
  if (past === undefined) throw transferNotFound(id);
  const reversal = book.reversalOf(id);
  if (reversal !== undefined)
    throw new RecordsError('already-reversed', `${id} was reversed by ${reversal}.`, { extra: { reversal } });
  const { amount } = past;
  // Accounts are never deleted: those of a transfer are there.
  const from = book.account(past.to)!;
  const to = book.account(past.from)!;
  checkOpen(from, 'id');
  checkOpen(to, 'id');
  checkFunds(from, amount, 'id');
  checkOverflow(from, to, amount, 'id');
  return addMove(book, { from, to, amount }, { kind: 'reversal', reference, reverses: id });
}

/** Adds the transfer of a decision to the book. */
export function addMove(book: LedgerBook, decision: Decision, annotation: Annotation): Transfer {
  return add(book, { ...applyMove(decision), amount: decision.amount, annotation });
}

/** The refusal of an id that no transfer has. */
export function transferNotFound(id: string): RecordsError {
  return new RecordsError('transfer-not-found', `There is no transaction ${id}.`, { field: 'id' });
}

const fieldInBatch = (index: number): string => `transfers[${index}].`;

/** Decides on transfers in order; each sees the accounts as the ones before it leave them. */
function planTransfers(
  view: LedgerView,
  requests: readonly TransferRequest[],
  fieldsOf: (index: number) => string,
): PlannedTransfer[] {
  const accounts = new Map<string, Account>();
  const externalIds = new Set<string>();
  return requests.map((request, index) => {
    const { from, to, externalId } = request;
    const ground = {
      from: accounts.get(from) ?? view.account(from),
      to: accounts.get(to) ?? view.account(to),
      externalIdTaken:
        externalId !== undefined && (externalIds.has(externalId) || view.isExternalIdTaken(externalId)),
    };
    const decision = decide(request, ground, fieldsOf(index));
    const after = applyMove(decision);
    accounts.set(from, after.from);
    accounts.set(to, after.to);
    if (externalId !== undefined) externalIds.add(externalId);
    return { ...after, amount: decision.amount, annotation: annotationOf(request) };
  });
}

function annotationOf({ reference, externalId }: TransferRequest): Annotation {
  return { kind: 'transfer', reference, externalId };
}

function add(book: LedgerBook, planned: PlannedTransfer): Transfer {
  const transfer = transferFor(planned, {
    position: book.nextPosition(),
    id: book.nextTransferId(),
    time: book.now,
  });
  book.addTransfer(transfer, planned.from, planned.to);
  return transfer;
}

function transferFor(
  { from, to, amount, annotation }: PlannedTransfer,
  { position, id, time }: Pick<Transfer, 'position' | 'id' | 'time'>,
): Transfer {
  return {
    position,
    id,
    kind: annotation.kind,
    from: from.id,
    to: to.id,
    currency: from.currency,
    amount,
    fromBalance: from.balance,
    toBalance: to.balance,
    reference: annotation.reference ?? null,
    externalId: annotation.externalId ?? null,
    hold: annotation.hold ?? null,
    reverses: annotation.reverses ?? null,
    time,
  };
}
