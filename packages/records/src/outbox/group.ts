// Which events does a group of writes tell of? In their order, numbered when the group is written. Transfers that lie one
// behind the other in the journal are one row: what it says of each is read from the journal when somebody asks.

import type { NewEvent } from '../events.ts';
import type { JournalStretch, SqlValue, Statements } from '../operation.ts';
import { insertRows } from '../store/insert.ts';

const OUTBOX = 'outbox (position, time, type, subject, data, journal, count)';

/** The events of one group. */
export class EventsOfGroup {
  readonly #events: (NewEvent | JournalStretch)[] = [];

  add(event: NewEvent): void {
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
      position += 'count' in event ? BigInt(event.count) : 1n;
      if ('count' in event) {
        const { first, count } = event;
        rows.push(position, time, 'transfer.created', '', '', first, BigInt(count));
      } else rows.push(position, time, event.type, event.subject, JSON.stringify(event.data), null, 1n);
    }
    insertRows(sql, OUTBOX, 7, rows);
    return position;
  }
}

function joined(events: readonly (NewEvent | JournalStretch)[]): (NewEvent | JournalStretch)[] {
  const out: (NewEvent | JournalStretch)[] = [];
  let open: { first: bigint; count: number } | undefined;
  for (const event of events) {
    if (!('count' in event)) {
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
