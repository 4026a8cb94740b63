// Which events does a group of writes tell of? In their order, numbered when the group is written. Transfers that lie one
// behind the other in the journal are one row: what it says of each is read from the journal when somebody asks.

import type { DocumentEvents, NewEvent } from '../contracts/events.ts';
import { insertRows } from '../contracts/insert-rows.ts';
import type { JournalStretch, SqlValue, Statements } from '../contracts/operation.ts';
import { rowOf } from './rows.ts';

const OUTBOX = 'outbox (position, time, type, subject, data, journal, count)';

/** The events of one group. */
export class EventsOfGroup {
  readonly #events: Told[] = [];

  add(event: NewEvent | DocumentEvents): void {
    this.#events.push(event);
  }

  addJournal(stretch: JournalStretch): void {
    this.#events.push(stretch);
  }

  /** To go back to with `backTo`. */
  mark(): number {
    return this.#events.length;
  }

  backTo(mark: number): void {
    this.#events.length = mark;
  }

  /** Writes them behind `last`; the new position of the last one, undefined where there are none. */
  write(sql: Statements, last: bigint, now: number): bigint | undefined {
    if (this.#events.length === 0) return undefined;
    const time = BigInt(now);
    const rows: SqlValue[] = [];
    let position = last;
    for (const event of joined(this.#events)) {
      if ('first' in event) {
        const { first, count } = event;
        position += BigInt(count);
        rows.push(position, time, 'transfer.created', '', '', first, BigInt(count));
      } else {
        const { type, subject, data, count } = rowOf(event);
        position += BigInt(count);
        rows.push(position, time, type, subject, data, null, BigInt(count));
      }
    }
    insertRows(sql, OUTBOX, 7, rows);
    return position;
  }
}

type Told = NewEvent | DocumentEvents | JournalStretch;

function joined(events: readonly Told[]): Told[] {
  const out: Told[] = [];
  let open: { first: bigint; count: number } | undefined;
  for (const event of events) {
    if (!('first' in event)) {
      open = undefined;
      out.push(event);
    } else if (open !== undefined && open.first + BigInt(open.count) === event.first) {
      open.count += event.count;
    } else {
      open = { ...event };
      out.push(open);
    }
  }
  return out;
}
