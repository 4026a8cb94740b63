// The events that writes emit. They are written to the outbox in the transaction of the change itself.

/** The types of events of records. Events of documents have types of their own; they are in the outbox where the documents are in a cluster. */
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

/** A document of a cluster that was written or deleted: the contents of its event, without its source. */
export interface DocumentChange {
  readonly kind: 'index' | 'delete';
  readonly index: string;
  readonly id: string;
  /** Undefined, as `version`, where the document was found deleted after a write without an answer. */
  readonly seqNo: number | undefined;
  readonly version: number | undefined;
}

/** Unknown documents of an index of a cluster were changed, by a query or (`write`) one by one. */
export interface QueryChange {
  readonly index: string;
  readonly by: 'delete_by_query' | 'update_by_query' | 'reindex' | 'write';
}

/** Changes of documents: one event each, with consecutive positions, stored as one row. */
export interface DocumentEvents {
  /** At least one. */
  readonly documents: readonly DocumentChange[];
}

/** An event before it has a position. */
export interface NewEvent {
  readonly type: RecordsEventType | 'document.changed';
  /** The path of the subject below `/api`: `newsfeed/0198…`, `chats/a/messages/0198…`, `transactions/…`. */
  readonly subject: string;
  /** JSON-safe: no bigint. At most what a GET of the subject shows, without secrets. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event of the outbox. Positions rise in commit order and are never given twice. */
export interface StoredEvent extends Omit<NewEvent, 'type'> {
  readonly type: RecordsEventType | DocumentEventType;
  readonly position: bigint;
  /** Milliseconds since 1970, at commit. */
  readonly time: number;
}
