// How does the journal of the ledger move? Its rows never change, so it is gone on with where the target ends, after a look
// whether that is the same journal. The lists of accounts and currencies are made from it as each store keeps them.

import { Buffer } from 'node:buffer';
import type { End, Row, Value } from './end.ts';

/** Transfers that are read and written at a time. */
const ROWS = 1_000;

const COLUMNS = [
  ...['position', 'id', 'kind', 'from_account', 'to_account', 'currency', 'amount', 'from_balance'],
  ...['to_balance', 'reference', 'external_id', 'hold', 'reverses', 'time', 'hash'],
];
const SIDES = ['account', 'position', 'balance'];

/** The end of a journal. */
export interface JournalHead {
  readonly position: bigint;
  /** In hex. */
  readonly hash: string;
}

/** The last transfer that has its position. */
export async function journalHead(end: End, at?: bigint): Promise<JournalHead> {
  const which = at === undefined ? 'position IS NOT NULL ORDER BY position DESC LIMIT 1' : 'position = ?';
  const values = at === undefined ? [] : [at];
  const [row] = await end.all(`SELECT position, hash FROM transfer WHERE ${which}`, ...values);
  if (row === undefined) return { position: 0n, hash: '' };
  return {
    position: row['position'] as bigint,
    hash: Buffer.from(row['hash'] as Uint8Array).toString('hex'),
  };
}

/** Throws Error where the journal of the target is not the beginning of that of the source. */
export async function requireSameJournal(source: End, target: End): Promise<void> {
  const there = await journalHead(target);
  if (there.position === 0n) return;
  const here = await journalHead(source, there.position);
  if (here.hash !== there.hash)
    throw new Error(
      `the target has ${there.position} transfers of another journal, or newer ones: nothing was changed. Is the direction right?`,
    );
}

/** Brings what the target lacks; gives how many transfers. REQUIRES: it is the same journal. */
export async function carryJournal(
  source: End,
  target: End,
  onRows: (rows: number) => void,
): Promise<number> {
  const { position: have } = await journalHead(target);
  const listed = target.kind === 'sqlite' ? await listedUpTo(target) : have;
  const columns = target.kind === 'postgres' ? [...COLUMNS, 'journal_time'] : COLUMNS;
  let time = target.kind === 'postgres' ? await journalTime(target) : 0n;
  let carried = 0;
  for (let after = listed; ; ) {
    const rows = await source.all(
      `SELECT ${COLUMNS.join(', ')} FROM transfer WHERE position > ? ORDER BY position LIMIT ${ROWS}`,
      after,
    );
    if (rows.length === 0) return carried;
    const fresh = rows.filter((row) => bigintOf(row, 'position') > have);
    const timed = fresh.map((row) => {
      // Times of the journal never fall with positions.
      if (bigintOf(row, 'time') > time) time = bigintOf(row, 'time');
      return { ...row, journal_time: time };
    });
    after = bigintOf(rows.at(-1)!, 'position');
    const upTo = after;
    await target.together(async () => {
      await target.insert('transfer', columns, timed);
      await target.insert(
        'entry_side',
        SIDES,
        rows.filter((row) => bigintOf(row, 'position') > listed).flatMap(sidesOf),
      );
      if (target.kind === 'sqlite')
        await list(
          target,
          rows.filter((row) => bigintOf(row, 'position') > listed),
          upTo,
        );
    });
    carried += fresh.length;
    onRows(rows.length);
  }
}

/** On SQLite the lists say how far they go, and there is one by currency. */
async function list(target: End, rows: readonly Row[], upTo: bigint): Promise<void> {
  await target.insert('currency_entry', ['currency', 'position'], rows);
  await mark(target, 'lists', upTo);
}

/** Notes a position of the journal. */
export async function mark(target: End, name: string, position: bigint): Promise<void> {
  await target.remove('journal_mark', ['name'], [{ name }]);
  await target.insert('journal_mark', ['name', 'position'], [{ name, position }]);
}

async function listedUpTo(target: End): Promise<bigint> {
  const [row] = await target.all("SELECT position FROM journal_mark WHERE name = 'lists'");
  return row === undefined ? 0n : bigintOf(row, 'position');
}

async function journalTime(target: End): Promise<bigint> {
  const [row] = await target.all('SELECT max(journal_time) AS time FROM transfer');
  return (row?.['time'] as bigint | null | undefined) ?? 0n;
}

function sidesOf(row: Row): Row[] {
  const { position, from_account, to_account, from_balance, to_balance } = row as Record<string, Value>;
  return [
    { account: from_account!, position: position!, balance: from_balance! },
    { account: to_account!, position: position!, balance: to_balance! },
  ];
}

function bigintOf(row: Row, column: string): bigint {
  return row[column] as bigint;
}
