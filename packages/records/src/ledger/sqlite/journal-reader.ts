// Reads the journal by position, whether a transfer lies in a row of `transfer` or in a block (block.ts).
// Positions have no gaps.

import type { Statements } from '../../contracts/operation.ts';
import { isUuid7, uuidBytes } from '../../ids/uuid.ts';
import {
  TRANSFER_COLUMNS,
  TRANSFER_JOIN,
  type Transfer,
  type TransferRow,
  transferOfRow,
} from '../model/transfer.ts';
import { JournalBlock } from './journal-block.ts';

const ROW = `SELECT ${TRANSFER_COLUMNS} FROM transfer t ${TRANSFER_JOIN}`;
const ROWS_BETWEEN = `${ROW} WHERE t.position >= ? AND t.position <= ? ORDER BY t.position`;
const ROW_WITH_ID = `${ROW} WHERE t.id = ?`;
const BLOCK_UP_TO = 'SELECT bytes FROM journal_block WHERE position <= ? ORDER BY position DESC LIMIT 1';
const BLOCK_AFTER = 'SELECT bytes FROM journal_block WHERE position > ? ORDER BY position LIMIT 1';
const BLOCK_WITH_ID = 'SELECT bytes FROM journal_block WHERE first_id <= ? ORDER BY first_id DESC LIMIT 1';
const END =
  'SELECT max((SELECT coalesce(max(position), 0) FROM transfer), ' +
  'coalesce((SELECT position + count - 1 FROM journal_block ORDER BY position DESC LIMIT 1), 0)) AS position';
const ROW_BELOW_ID = 'SELECT position FROM transfer WHERE id < ? ORDER BY id DESC LIMIT 1';

/** The transfer with an id; undefined where there is none, also for a malformed id. */
export function findTransfer(sql: Statements, id: string): Transfer | undefined {
  return isUuid7(id) ? new JournalReader(sql).withId(id) : undefined;
}

/** The journal in one snapshot. Remembers the block that it has read last. */
export class JournalReader {
  readonly #sql: Statements;
  #block: JournalBlock | undefined;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** The position of the last transfer, 0 before the first. */
  end(): bigint {
    return this.#sql.get<{ position: bigint }>(END)!.position;
  }

  /** The transfer at a position. */
  at(position: bigint): Transfer | undefined {
    const block = this.#blockWith(position);
    if (block !== undefined) return block.transfer(Number(position - block.first));
    const [row] = this.#sql.all<TransferRow>(ROWS_BETWEEN, position, position);
    return row === undefined ? undefined : transferOfRow(row);
  }

  #blockWith(position: bigint): JournalBlock | undefined {
    if (!holds(this.#block, position)) this.#block = this.#read(BLOCK_UP_TO, position) ?? this.#block;
    return holds(this.#block, position) ? this.#block : undefined;
  }

  #read(text: string, key: bigint | Uint8Array): JournalBlock | undefined {
    const row = this.#sql.get<{ bytes: Uint8Array }>(text, key);
    return row === undefined ? undefined : new JournalBlock(row.bytes);
  }

  /** The transfer with an id: a UUID. */
  withId(id: string): Transfer | undefined {
    const row = this.#sql.get<TransferRow>(ROW_WITH_ID, id);
    if (row !== undefined) return transferOfRow(row);
    const block = this.#read(BLOCK_WITH_ID, uuidBytes(id));
    const place = block?.below(id) ?? 0;
    return block !== undefined && place < block.count && block.id(place) === id
      ? block.transfer(place)
      : undefined;
  }

  /** The position of the last transfer whose id is below `id`, 0 without one. */
  below(id: string): bigint {
    const row = this.#sql.get<{ position: bigint }>(ROW_BELOW_ID, id)?.position ?? 0n;
    const block = this.#read(BLOCK_WITH_ID, uuidBytes(id));
    const inBlock = block === undefined ? 0n : block.first + BigInt(block.below(id)) - 1n;
    return inBlock > row ? inBlock : row;
  }

  /** Transfers from one position to another, both with them, in order. */
  between(first: bigint, last: bigint): Transfer[] {
    const transfers: Transfer[] = [];
    const rowsTo = (end: bigint): void => {
      const from = first + BigInt(transfers.length);
      if (from > end) return;
      for (const row of this.#sql.all<TransferRow>(ROWS_BETWEEN, from, end))
        transfers.push(transferOfRow(row));
    };
    for (const block of this.blocksBetween(first, last)) {
      rowsTo(block.first - 1n);
      const from = first > block.first ? Number(first - block.first) : 0;
      const end = block.end > last ? Number(last - block.first) + 1 : block.count;
      for (let place = from; place < end; place++) transfers.push(block.transfer(place));
    }
    rowsTo(last);
    return transfers;
  }

  /** Blocks that hold something from one position to another, in order. */
  *blocksBetween(first: bigint, last: bigint): Iterable<JournalBlock> {
    let block = this.#blockWith(first) ?? this.#read(BLOCK_AFTER, first);
    while (block !== undefined && block.first <= last) {
      yield block;
      block = this.#read(BLOCK_AFTER, block.first);
    }
  }
}

function holds(block: JournalBlock | undefined, position: bigint): boolean {
  return block !== undefined && block.first <= position && position < block.end;
}
