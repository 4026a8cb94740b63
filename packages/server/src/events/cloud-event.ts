// Events as CloudEvents 1.0 (JSON format), the same for streams, polls and webhooks.

import type { Change } from '@octavo/engine';
import type { StoredEvent } from '@octavo/records';
import type { ScopeArea } from '../access/callers/principal.ts';

/** Members as the specification of CloudEvents 1.0 names them. */
export interface CloudEvent {
  readonly specversion: '1.0';
  /** Identifies the event, the same for every reader. */
  readonly id: string;
  readonly source: '/api' | '/';
  /** `octavo.item.created`. */
  readonly type: string;
  /** The path of the changed resource below `/api/`; of a document, `{index}/{id}`. */
  readonly subject: string;
  /** When it was committed, RFC 3339. Absent for documents of this server. */
  readonly time?: string;
  readonly datacontenttype: 'application/json';
  readonly data: Readonly<Record<string, unknown>>;
}

const PREFIX = 'octavo.';

/** The area a key must be able to read to receive a type. */
const AREAS: Readonly<Record<string, ScopeArea>> = {
  item: 'feed',
  message: 'chat',
  chat: 'chat',
  account: 'ledger',
  transfer: 'ledger',
  hold: 'ledger',
  key: 'keys',
  user: 'feed',
  document: 'search',
};

/** The area of a type, with or without `octavo.`. Unknown types are for admins. */
export function scopeAreaOf(type: string): ScopeArea {
  const [kind = ''] = bareType(type).split('.', 1);
  return Object.hasOwn(AREAS, kind) ? AREAS[kind]! : 'admin';
}

/** `octavo.item.created` → `item.created`. */
export function bareType(type: string): string {
  return type.startsWith(PREFIX) ? type.slice(PREFIX.length) : type;
}

/** An event of the outbox: of a record, or of a document in a cluster. */
export function cloudEventOfRecord(event: StoredEvent): CloudEvent {
  return {
    specversion: '1.0',
    id: `r${event.position}`,
    source: isDocumentEvent(event.type) ? '/' : '/api',
    type: PREFIX + event.type,
    subject: event.subject,
    time: new Date(event.time).toISOString(),
    datacontenttype: 'application/json',
    data: event.data,
  };
}

/** True for types of document events, with or without `octavo.`. */
export function isDocumentEvent(type: string): boolean {
  return bareType(type).startsWith('document.');
}

/** A change of a document, without its source: whoever may read it can fetch it by id. */
export function cloudEventOfChange(change: Change): CloudEvent {
  const { commit, item, index, id, kind, seqNo, version } = change;
  return {
    specversion: '1.0',
    id: `d${commit}.${item}.${index}`,
    source: '/',
    type: `${PREFIX}document.${kind === 'index' ? 'indexed' : 'deleted'}`,
    subject: `${index}/${id}`,
    datacontenttype: 'application/json',
    data: { index, id, seq_no: seqNo, version },
  };
}
