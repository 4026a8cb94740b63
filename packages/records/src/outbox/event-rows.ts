// The format of events in rows of the outbox. Many changes of documents share one row: a bulk request of
// thousands would otherwise add thousands of rows.

import type { DocumentChange, DocumentEvents, NewEvent, StoredEvent } from '../contracts/events.ts';

/** A row without its position. */
export interface EventRow {
  readonly type: string;
  readonly subject: string;
  /** JSON text. */
  readonly data: string;
  /** Events of this row. */
  readonly count: number;
}

/** The type of a row that holds many changes of documents; no event has it. */
export const DOCUMENTS = 'documents';

/** A change in a row: deleted or not, index, id, sequence number, version; the last two null where unknown. */
type PackedChange = readonly [
  isDeleted: 0 | 1,
  index: string,
  id: string,
  seqNo: number | null,
  version: number | null,
];

/** The row of an event, or of many. */
export function eventRow(event: NewEvent | DocumentEvents): EventRow {
  if (!('documents' in event)) {
    const { type, subject, data } = event;
    return { type, subject, data: JSON.stringify(data), count: 1 };
  }
  const { documents } = event;
  const packed = documents.map(
    ({ kind, index, id, seqNo, version }): PackedChange => [
      kind === 'delete' ? 1 : 0,
      ...([index, id, seqNo ?? null, version ?? null] as const),
    ],
  );
  return { type: DOCUMENTS, subject: '', data: JSON.stringify(packed), count: documents.length };
}

/** At most `most` events of a row of documents that come after a position; `last` is that of the row. */
export function documentEventsOfRow(
  row: { readonly last: bigint; readonly time: number; readonly data: string },
  after: bigint,
  most: number,
): StoredEvent[] {
  const changes = JSON.parse(row.data) as readonly PackedChange[];
  const first = row.last - BigInt(changes.length) + 1n;
  const skipped = after >= first ? Number(after - first) + 1 : 0;
  return changes.slice(skipped, skipped + most).map(([isDeleted, index, id, seqNo, version], i) =>
    eventOf(
      {
        kind: isDeleted === 1 ? 'delete' : 'index',
        ...{ index, id, seqNo: seqNo ?? undefined, version: version ?? undefined },
      },
      { position: first + BigInt(skipped + i), time: row.time },
    ),
  );
}

function eventOf(
  { kind, index, id, seqNo, version }: DocumentChange,
  placed: Pick<StoredEvent, 'position' | 'time'>,
): StoredEvent {
  return {
    ...placed,
    type: kind === 'delete' ? 'document.deleted' : 'document.indexed',
    subject: `${index}/${id}`,
    data: {
      ...{ index, id },
      ...(seqNo === undefined ? {} : { seq_no: seqNo }),
      ...(version === undefined ? {} : { version }),
    },
  };
}
