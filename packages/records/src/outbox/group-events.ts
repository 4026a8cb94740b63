// The events that a group of writes emits, in order; they get their positions when the group is written. Transfers that are
// neighbours in the journal share one row: what it says of each is read from the journal when somebody asks.

import type { DocumentEvents, NewEvent } from '../contracts/events.ts';
import { insertRows } from '../contracts/insert-rows.ts';
import type { SqlValue, Statements } from '../contracts/operation.ts';
import { eventRow } from './event-rows.ts';

const OUTBOX = 'outbox (position, time, type, subject, data, journal, count)';

/** Transfers that are neighbours in the journal, one event each. */
interface TransferRange {
  /** The position of the first in the journal. */
  readonly first: bigint;
  count: number;
}

/** See above. */
export class GroupEvents {
  readonly #events: (NewEvent | DocumentEvents | TransferRange)[] = [];
  /** Ranges before this index do not grow, so that `backTo` can take back what came after its mark. */
  #mark = 0;

  add(event: NewEvent | DocumentEvents): void {
    this.#events.push(event);
  }

  /** Adds `transfer.created` for the transfer at a position of the journal. */
  addTransfer(position: bigint): void {
    const last = this.#events.at(-1);
    if (this.#events.length > this.#mark && last !== undefined && follows(last, position)) last.count += 1;
    else this.#events.push({ first: position, count: 1 });
  }

  /** The events so far, for `backTo`. */
  mark(): number {
    this.#mark = this.#events.length;
    return this.#mark;
  }

  /** Takes back what came after the newest mark. */
  backTo(mark: number): void {
    this.#events.length = mark;
  }

  /** Writes the events behind position `last`. Returns the new last position, undefined where there are no events. */
  write(sql: Statements, last: bigint, now: number): bigint | undefined {
    if (this.#events.length === 0) return undefined;
    const time = BigInt(now);
    const rows: SqlValue[] = [];
    let position = last;
    for (const event of this.#joined()) {
      if ('first' in event) {
        const { first, count } = event;
        position += BigInt(count);
        rows.push(position, time, 'transfer.created', '', '', first, BigInt(count));
      } else {
        const { type, subject, data, count } = eventRow(event);
        position += BigInt(count);
        rows.push(position, time, type, subject, data, null, BigInt(count));
      }
    }
    insertRows(sql, OUTBOX, 7, rows);
    return position;
  }

  /** The ranges of neighbouring operations become one. */
  *#joined(): Iterable<NewEvent | DocumentEvents | TransferRange> {
    let open: TransferRange | undefined;
    for (const event of this.#events) {
      if (open !== undefined && 'first' in event && follows(open, event.first)) {
        open = { first: open.first, count: open.count + event.count };
        continue;
      }
      if (open !== undefined) yield open;
      open = undefined;
      if ('first' in event) open = event;
      else yield event;
    }
    if (open !== undefined) yield open;
  }
}

function follows(event: NewEvent | DocumentEvents | TransferRange, position: bigint): event is TransferRange {
  return 'first' in event && event.first + BigInt(event.count) === position;
}
