// The events that writes emit. They are written to the outbox in the transaction of the change itself.

/** The types of events that records emit; the server adds those of documents, which are in the outbox where documents are elsewhere. */
export type RecordsEventType =
  | 'item.created'
  | 'item.updated'
  | 'item.deleted'
  | 'message.created'
  | 'message.updated'
  | 'message.deleted'
  | 'chat.created'
  | 'chat.updated'
  | 'chat.deleted'
  | 'account.created'
  | 'account.updated'
  | 'transfer.created'
  | 'hold.created'
  | 'hold.posted'
  | 'hold.voided'
  | 'hold.expired'
  | 'key.created'
  | 'key.updated'
  | 'key.revoked'
  | 'user.created'
  | 'user.updated'
  | 'user.deleted';

/** The same, as a list. */
export const RECORDS_EVENT_TYPES: readonly RecordsEventType[] = [
  'item.created',
  'item.updated',
  'item.deleted',
  'message.created',
  'message.updated',
  'message.deleted',
  'chat.created',
  'chat.updated',
  'chat.deleted',
  'account.created',
  'account.updated',
  'transfer.created',
  'hold.created',
  'hold.posted',
  'hold.voided',
  'hold.expired',
  'key.created',
  'key.updated',
  'key.revoked',
  'user.created',
  'user.updated',
  'user.deleted',
];

/** The types of events of documents. */
export type DocumentEventType = 'document.indexed' | 'document.deleted' | 'document.changed';

/** A document that was written or deleted where documents are not ours: what its event tells, and nothing of its source. */
export interface DocumentChange {
  readonly kind: 'index' | 'delete';
  readonly index: string;
  readonly id: string;
  /** Undefined, as `version`, where a document was found to be gone after its write had been left without an answer. */
  readonly seqNo: number | undefined;
  readonly version: number | undefined;
}

/** Documents of an index were changed where documents are not ours, by a query or (`write`) by themselves: which ones nobody says. */
export interface QueryChange {
  readonly index: string;
  readonly by: 'delete_by_query' | 'update_by_query' | 'reindex' | 'write';
}

/** Changes of documents: an event each, numbered one behind the other, kept as one row. */
export interface DocumentEvents {
  /** At least one. */
  readonly documents: readonly DocumentChange[];
}

/** An event before it has a position. */
export interface NewEvent {
  readonly type: RecordsEventType | 'document.changed';
  /** What it is about, as the path below `/api`: `newsfeed/0198…`, `chats/a/messages/0198…`, `transactions/…`. */
  readonly subject: string;
  /** JSON-safe: no bigint. What a GET of the subject would show, or less. No secrets. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event of the outbox. Positions rise in commit order and are never given twice. */
export interface StoredEvent extends Omit<NewEvent, 'type'> {
  readonly type: RecordsEventType | DocumentEventType;
  readonly position: bigint;
  /** Milliseconds since 1970, at commit. */
  readonly time: number;
}
