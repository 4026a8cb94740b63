// The transfers that wait to be written: plain ones are collected in blocks, all others become rows. Both are hashed into one
// chain in the order of the journal, and each table is written with few statements.

import { Buffer } from 'node:buffer';
import { insertRows } from '../../contracts/insert-rows.ts';
import type { SqlValue, Statements } from '../../contracts/operation.ts';
import { hashAfterBlock, hashAfterRow } from '../core/journal-chain.ts';
import type { Account } from '../model/account.ts';
import { isPlainTransfer, type Transfer } from '../model/transfer.ts';
import { BlockWriter } from './block-writer.ts';

const ROWS =
  'transfer (position, id, from_account, to_account, amount, from_balance, to_balance, hash, ' +
  'currency, time, kind, reference, external_id, hold, reverses)';
const ROW_WIDTH = 15;
const BLOCKS = 'journal_block (position, count, first_id, bytes, hash)';
const BLOCK_WIDTH = 5;

/** See above. */
export class JournalBuffer {
  /** The hash of the last row or block, in hex. */
  hash: string;
  readonly #block = new BlockWriter();
  #blockFirst = 0n;
  #blockTime = 0;
  #rows: SqlValue[] = [];
  #blocks: SqlValue[] = [];

  constructor(hash: string) {
    this.hash = hash;
  }

  /** Adds a transfer at the end. The accounts are those of the transfer. */
  add(from: Account, to: Account, transfer: Transfer): void {
    if (isPlainTransfer(transfer)) {
      this.#open(transfer.position, transfer.time);
      this.#block.add(from, to, transfer);
      return;
    }
    this.#close();
    this.hash = hashAfterRow(this.hash, transfer);
    const { position, id, amount, fromBalance, toBalance, currency, time, kind } = transfer;
    const { reference, externalId, hold, reverses } = transfer;
    const hash = Buffer.from(this.hash, 'hex');
    this.#rows.push(position, id, from.number, to.number, amount, fromBalance, toBalance, hash);
    this.#rows.push(currency, BigInt(time), kind, reference, externalId, hold, reverses);
  }

  /** Opens a block with room for at least one more transfer. */
  #open(position: bigint, time: number): void {
    if (this.#block.isFull || (this.#block.count > 0 && this.#blockTime !== time)) this.#close();
    if (this.#block.count > 0) return;
    this.#blockFirst = position;
    this.#blockTime = time;
  }

  #close(): void {
    const { count } = this.#block;
    if (count === 0) return;
    const bytes = this.#block.bytes(this.#blockFirst, this.#blockTime);
    this.hash = hashAfterBlock(this.hash, bytes);
    const hash = Buffer.from(this.hash, 'hex');
    this.#blocks.push(this.#blockFirst, BigInt(count), this.#block.firstId(), bytes, hash);
    this.#block.clear();
  }

  write(sql: Statements): void {
    this.#close();
    insertRows(sql, BLOCKS, BLOCK_WIDTH, this.#blocks);
    insertRows(sql, ROWS, ROW_WIDTH, this.#rows);
    this.#rows = [];
    this.#blocks = [];
  }
}
