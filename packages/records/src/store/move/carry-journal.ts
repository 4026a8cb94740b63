// Moves the journal of the ledger. Its contents never change, so the move continues where the target ends,
// after a check that both journals are the same. Transfers arrive as rows, each hashed with the one before
// it, whether they are rows or blocks at the source: the hash of the last row is the same on both sides. Each
// store builds its own index of accounts and currencies.

import { Buffer } from 'node:buffer';
import { FIRST_HASH, hashAfterBlock, hashAfterRow } from '../../ledger/core/journal-chain.ts';
import {
  TRANSFER_COLUMNS,
  TRANSFER_JOIN,
  type Transfer,
  type TransferRow,
  transferOfRow,
} from '../../ledger/model/transfer.ts';
import { type BlockAccount, JournalBlock } from '../../ledger/sqlite/journal-block.ts';
import type { EndRow, MoveEnd } from './ends/move-end.ts';

/** Transfers that are read and written at a time. */
const ROWS = 1_000;

const COLUMNS = [
  ...['position', 'id', 'kind', 'from_account', 'to_account', 'currency', 'amount', 'from_balance'],
  ...['to_balance', 'reference', 'external_id', 'hold', 'reverses', 'time', 'hash'],
];
const SIDES = ['account', 'position', 'balance'];

/** The end of a journal. */
interface JournalHead {
  readonly position: bigint;
  /** Of its transfers as rows, in hex. */
  readonly hash: string;
}

/** The progress of carrying a journal; the next pass continues from there. */
export interface JournalProgress {
  readonly position: bigint;
  /** The hash of the last row or block at the source. */
  readonly own: string;
  /** The hash of the last transfer as a row, in hex. */
  readonly asRows: string;
  /** The hash of the last row of a target whose journal has blocks of its own. */
  readonly link: string | undefined;
}

/** The result of a pass over the journal. */
interface CarriedJournal {
  readonly transfers: number;
  readonly place: JournalProgress;
  /** The balances after the last of these transfers, by account number. */
  readonly balances: ReadonlyMap<bigint, bigint>;
}

/** A transfer, the numbers of its accounts, and its hash as a row. */
interface Linked {
  readonly transfer: Transfer;
  readonly from: bigint;
  readonly to: bigint;
  readonly hash: string;
}

/** The last transfer that has its position, up to `at` where that is given. O(transfers in blocks). */
async function journalHead(end: MoveEnd, at?: bigint): Promise<JournalHead> {
  const upTo = at ?? (await journalLength(end));
  const rows = await lastRow(end, (await firstBlock(end)) ?? upTo + 1n, upTo);
  let head = rows;
  for await (const links of new JournalWalk(end, rows.position).links()) {
    for (const { transfer, hash } of links)
      if (transfer.position <= upTo) head = { position: transfer.position, hash };
    if (head.position === upTo) break;
  }
  return head;
}

/** How many transfers there are. */
export async function journalLength(end: MoveEnd): Promise<bigint> {
  const tables = end.kind === 'sqlite' ? BOTH : 'SELECT max(position) AS position FROM transfer';
  const [row] = await end.all(tables);
  return (row!['position'] as bigint | null) ?? 0n;
}

const BOTH =
  'SELECT max((SELECT coalesce(max(position), 0) FROM transfer), ' +
  '(SELECT coalesce(max(position + count - 1), 0) FROM journal_block)) AS position';

/** The last row before a position, and not beyond another. */
async function lastRow(end: MoveEnd, before: bigint, upTo: bigint): Promise<JournalHead> {
  const [row] = await end.all(
    'SELECT position, hash FROM transfer WHERE position < ? AND position <= ? ORDER BY position DESC LIMIT 1',
    ...[before, upTo],
  );
  if (row === undefined) return { position: 0n, hash: FIRST_HASH };
  return { position: bigintOf(row, 'position'), hash: hexOf(row['hash']) };
}

/** The stored hash of the last row or block. */
async function lastHash(end: MoveEnd): Promise<string> {
  const blocks = end.kind === 'sqlite' ? ' UNION ALL SELECT position, hash FROM journal_block' : '';
  const [row] = await end.all(
    `SELECT hash FROM (SELECT position, hash FROM transfer WHERE position > 0${blocks}) AS links ORDER BY position DESC LIMIT 1`,
  );
  return row === undefined ? FIRST_HASH : hexOf(row['hash']);
}

async function firstBlock(end: MoveEnd): Promise<bigint | undefined> {
  if (end.kind !== 'sqlite') return undefined;
  const [row] = await end.all('SELECT position FROM journal_block ORDER BY position LIMIT 1');
  return row?.['position'] as bigint | undefined;
}

/** Throws Error where the journal of the target is not the beginning of that of the source. */
export async function requireSameJournal(source: MoveEnd, target: MoveEnd): Promise<void> {
  const there = await journalHead(target);
  if (there.position === 0n) return;
  const here = await journalHead(source, there.position);
  if (here.hash !== there.hash)
    throw new Error(
      `the target has ${there.position} transfers of another journal, or newer ones: nothing was changed. Is the direction right?`,
    );
}

/** Carries the transfers that the target lacks. REQUIRES: both journals are the same, and `from` is the end of the last pass. */
export async function carryJournal(
  source: MoveEnd,
  target: MoveEnd,
  onRows: (rows: number) => void,
  from?: JournalProgress,
): Promise<CarriedJournal> {
  const have = from?.position ?? (await journalLength(target));
  // A target with blocks continues their hash chain; any other takes the hashes of rows.
  let link = from?.link;
  if (from === undefined && (await firstBlock(target)) !== undefined) link = await lastHash(target);
  const walk = new JournalWalk(source, have, from);
  const balances = new Map<bigint, bigint>();
  const onPostgres = target.kind === 'postgres';
  const columns = onPostgres ? [...COLUMNS, 'journal_time'] : COLUMNS;
  let time = onPostgres ? await journalTime(target) : 0n;
  let carried = 0;
  for await (const links of walk.links()) {
    const rows = links.map((one): EndRow => {
      if (link !== undefined) link = hashAfterRow(link, one.transfer);
      const row = rowOf({ ...one, hash: link ?? one.hash });
      // Times of the journal never fall with positions.
      if (bigintOf(row, 'time') > time) time = bigintOf(row, 'time');
      return { ...row, journal_time: time };
    });
    await target.transaction(async () => {
      await target.insert('transfer', columns, rows);
      if (onPostgres) await target.insert('entry_side', SIDES, links.flatMap(sidesOf));
    });
    for (const { transfer, from: payer, to } of links)
      balances.set(payer, transfer.fromBalance).set(to, transfer.toBalance);
    carried += rows.length;
    onRows(rows.length);
  }
  return { transfers: carried, place: { ...walk.place, link }, balances };
}

/** Throws Error unless both journals end where the last pass has ended. O(1). */
export async function requireSameEnd(
  source: MoveEnd,
  target: MoveEnd,
  place: JournalProgress,
): Promise<void> {
  const lengths = [await journalLength(source), await journalLength(target)];
  if (lengths.some((length) => length !== place.position))
    throw new Error(`the journals have ${lengths.join(' and ')} transfers: who else writes to the target?`);
  if ((await lastHash(target)) !== (place.link ?? place.asRows))
    throw new Error('the journals end differently: who else writes to the target?');
}

/** Sets a mark of the journal. */
export async function setJournalMark(target: MoveEnd, name: string, position: bigint): Promise<void> {
  await target.remove('journal_mark', ['name'], [{ name }]);
  await target.insert('journal_mark', ['name', 'position'], [{ name, position }]);
}

async function journalTime(target: MoveEnd): Promise<bigint> {
  const [row] = await target.all('SELECT max(journal_time) AS time FROM transfer');
  return (row?.['time'] as bigint | null | undefined) ?? 0n;
}

/**
 * Transfers after a position, in order, some at a time. Rows before the first block have the hash that they need. From there on
 * each is hashed again, after a check against its stored hash: a manipulated transfer does not move.
 */
class JournalWalk {
  readonly #end: MoveEnd;
  readonly #after: bigint;
  #place: Omit<JournalProgress, 'link'> | undefined;

  constructor(end: MoveEnd, after: bigint, place?: JournalProgress) {
    this.#end = end;
    this.#after = after;
    this.#place = place;
  }

  /** The progress. REQUIRES: the walk has begun. */
  get place(): Omit<JournalProgress, 'link'> {
    return this.#place!;
  }

  async *links(): AsyncGenerator<readonly Linked[]> {
    const block = await firstBlock(this.#end);
    let place = this.#place;
    if (place === undefined) {
      const { position, hash } = await lastRow(this.#end, block ?? this.#after + 1n, this.#after);
      place = { position, own: hash, asRows: hash };
    }
    this.#place = place;
    for (let { position, own, asRows } = place; ; this.#place = { position, own, asRows }) {
      const piece = await pieceAt(this.#end, position + 1n);
      if (piece.length === 0) return;
      const links: Linked[] = [];
      for (const { transfers, next } of piece) {
        const isBeforeBlocks = own === asRows && transfers.length === 1 && next.isRow;
        if (!isBeforeBlocks && next.expected(own) !== next.stored)
          throw new Error(
            `the journal of the source does not fit its hashes at position ${transfers[0]?.transfer.position}: run octavo doctor for details`,
          );
        own = next.stored;
        for (const one of transfers) {
          asRows = isBeforeBlocks ? own : hashAfterRow(asRows, one.transfer);
          position = one.transfer.position;
          if (position > this.#after) links.push({ ...one, hash: asRows });
        }
      }
      if (links.length > 0) yield links;
    }
  }
}

/** A unit with one hash at the source: a row or a block. */
interface Unit {
  readonly transfers: readonly Omit<Linked, 'hash'>[];
  readonly next: { readonly isRow: boolean; readonly stored: string; expected(own: string): string };
}

/** The block at a position, or rows up to the next one. */
async function pieceAt(end: MoveEnd, position: bigint): Promise<Unit[]> {
  let upTo = position + BigInt(ROWS) - 1n;
  if (end.kind === 'sqlite') {
    const [row] = await end.all(
      'SELECT position, bytes, hash FROM journal_block WHERE position >= ? ORDER BY position LIMIT 1',
      position,
    );
    if (row !== undefined && bigintOf(row, 'position') === position) return [blockUnit(row)];
    if (row !== undefined && bigintOf(row, 'position') <= upTo) upTo = bigintOf(row, 'position') - 1n;
  }
  const rows = await end.all(
    `SELECT ${TRANSFER_COLUMNS}, t.from_account, t.to_account, t.hash FROM transfer t ${TRANSFER_JOIN} ` +
      'WHERE t.position >= ? AND t.position <= ? ORDER BY t.position',
    ...[position, upTo],
  );
  return rows.map(rowUnit);
}

function rowUnit(row: EndRow): Unit {
  const transfer = transferOfRow(row as unknown as TransferRow);
  const numbers = { from: bigintOf(row, 'from_account'), to: bigintOf(row, 'to_account') };
  return {
    transfers: [{ transfer, ...numbers }],
    next: { isRow: true, stored: hexOf(row['hash']), expected: (own) => hashAfterRow(own, transfer) },
  };
}

function blockUnit(row: EndRow): Unit {
  const bytes = row['bytes'] as Uint8Array;
  const block = new JournalBlock(bytes);
  const numberOf = (account: BlockAccount | undefined): bigint => account!.number;
  return {
    transfers: Array.from({ length: block.count }, (_, place) => ({
      transfer: block.transfer(place),
      from: numberOf(block.accounts[block.from(place)]),
      to: numberOf(block.accounts[block.to(place)]),
    })),
    next: { isRow: false, stored: hexOf(row['hash']), expected: (own) => hashAfterBlock(own, bytes) },
  };
}

function rowOf({ transfer, from, to, hash }: Linked): EndRow {
  const { position, id, kind, currency, amount, fromBalance, toBalance } = transfer;
  const { reference, externalId, hold, reverses, time } = transfer;
  return {
    ...{ position, id, kind, from_account: from, to_account: to, currency, amount },
    ...{ from_balance: fromBalance, to_balance: toBalance, reference, external_id: externalId },
    ...{ hold, reverses, time: BigInt(time), hash: Buffer.from(hash, 'hex') },
  };
}

function sidesOf({ transfer, from, to }: Linked): EndRow[] {
  const { position, fromBalance, toBalance } = transfer;
  return [
    { account: from, position, balance: fromBalance },
    { account: to, position, balance: toBalance },
  ];
}

function hexOf(value: unknown): string {
  return Buffer.from(value as Uint8Array).toString('hex');
}

function bigintOf(row: EndRow, column: string): bigint {
  return row[column] as bigint;
}
