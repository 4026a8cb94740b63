// An entry: an item of a feed or a message of a chat, with its row and its public view.

import type { Entity, Unit } from '@octavo/mention';
import type { Selectable } from 'kysely';
import type { EntryTable } from '../schema/entry-tables.ts';

/** A link to something on the web. */
export interface Attachment {
  /** http or https. */
  readonly url: string;
  /** A media type. */
  readonly type?: string;
  readonly title?: string;
}

/** A JSON object that belongs to the caller; nothing in it is looked at. */
export type FreeData = Readonly<Record<string, unknown>>;

/** The content of an entry with its author. */
export interface Draft {
  readonly author: string;
  readonly text: string;
  /** In the order of the text, without overlap. */
  readonly entities: readonly Entity[];
  readonly unit: Unit;
  readonly attachments: readonly Attachment[];
  readonly data: FreeData | undefined;
}

/** A draft that has its place. */
export interface Entry extends Draft {
  /** UUIDv7; ids of a space rise with positions. */
  readonly id: string;
  /** From 0. Never shown: it would reveal how much was deleted. */
  readonly position: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The public view of an entry: the body of a GET, and the data of events. Times are RFC 3339. */
export interface EntryView {
  readonly id: string;
  readonly author: string;
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly unit: Unit;
  readonly attachments: readonly Attachment[];
  readonly data?: FreeData;
  readonly created_at: string;
  readonly updated_at: string;
}

export function entryView(entry: Entry): EntryView {
  const { id, author, text, entities, unit, attachments, data } = entry;
  return {
    id,
    author,
    text,
    entities,
    unit,
    attachments,
    ...(data === undefined ? {} : { data }),
    created_at: new Date(entry.createdAt).toISOString(),
    updated_at: new Date(entry.updatedAt).toISOString(),
  };
}

/** An entry of its row. */
export function entryOfRow(row: Selectable<EntryTable>): Entry {
  return {
    id: row.id,
    position: Number(row.position),
    author: row.author,
    text: row.text,
    entities: JSON.parse(row.entities) as readonly Entity[],
    unit: row.unit as Unit,
    attachments: JSON.parse(row.attachments) as readonly Attachment[],
    data: row.data === null ? undefined : (JSON.parse(row.data) as FreeData),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}

/** The columns of a draft. */
export function contentColumns(draft: Omit<Draft, 'author'>): {
  text: string;
  entities: string;
  unit: string;
  attachments: string;
  data: string | null;
} {
  return {
    text: draft.text,
    entities: JSON.stringify(draft.entities),
    unit: draft.unit,
    attachments: JSON.stringify(draft.attachments),
    data: draft.data === undefined ? null : JSON.stringify(draft.data),
  };
}
