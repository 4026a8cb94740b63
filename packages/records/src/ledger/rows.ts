// How do transfers become rows? Many in one statement. What all of them have in common is said once, and what plain ones do
// not have is not said: a value costs as much as the column that it goes to.

import type { SqlValue, Statements } from '../operation.ts';
import { insertRows } from '../store/insert.ts';
import type { Transfer } from './transfer.ts';

const COLUMNS = 'position, id, from_account, to_account, amount, from_balance, to_balance, hash';
const WIDTH = 8;
const MORE = 'currency, time, kind, reference, external_id, hold, reverses';
const MORE_WIDTH = 7;

/** Rows that are put off. */
export class TransferRows {
  #transfers: Transfer[] = [];
  /** COLUMNS of each, one behind the other. */
  #values: SqlValue[] = [];
  /** True while all are plain transfers of one currency and time. */
  #alike = true;

  get isEmpty(): boolean {
    return this.#transfers.length === 0;
  }

  add(transfer: Transfer, from: bigint, to: bigint, hash: Uint8Array): void {
    const { position, id, amount, fromBalance, toBalance } = transfer;
    const first = this.#transfers[0] ?? transfer;
    this.#alike &&= isPlain(transfer) && transfer.currency === first.currency && transfer.time === first.time;
    this.#transfers.push(transfer);
    this.#values.push(position, id, from, to, amount, fromBalance, toBalance, hash);
  }

  /** Writes them; the time of the last one, as it is kept. REQUIRES: there is one. */
  write(sql: Statements): bigint {
    const last = this.#transfers.at(-1)!;
    const time = BigInt(last.time);
    if (this.#alike) {
      const alike = [last.currency, time, last.kind];
      insertRows(sql, `transfer (currency, time, kind, ${COLUMNS})`, WIDTH, this.#values, alike);
    } else {
      const values = this.#transfers.flatMap((transfer, i) => [
        ...this.#values.slice(i * WIDTH, (i + 1) * WIDTH),
        ...moreOf(transfer),
      ]);
      insertRows(sql, `transfer (${COLUMNS}, ${MORE})`, WIDTH + MORE_WIDTH, values);
    }
    return time;
  }

  clear(): void {
    this.#transfers = [];
    this.#values = [];
    this.#alike = true;
  }
}

function isPlain({ kind, reference, externalId, hold, reverses }: Transfer): boolean {
  return (
    kind === 'transfer' && reference === null && externalId === null && hold === null && reverses === null
  );
}

function moreOf({ currency, time, kind, reference, externalId, hold, reverses }: Transfer): SqlValue[] {
  return [currency, BigInt(time), kind, reference, externalId, hold, reverses];
}
