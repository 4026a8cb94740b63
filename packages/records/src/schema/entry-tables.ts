// The tables of entries. An entry is an item of a feed or a message of a chat; feeds and chats are spaces,
// lists that grow at one end. Every entry has a position in its space, given once and never again.
//
//   entry_space    one row a space: how many positions it has given, how many entries live, how many changes it saw
//   entry          the living ones
//   entry_count    how many live in each range of 64, 4096, 262144, … positions, from which page numbers are computed
//   entry_tag      author, mentions and topics of each entry, with the changes between which they held
//   entry_change   deletions and changes of tags, without content: for a day, for walks that began before

import type { ColumnType, Generated } from 'kysely';
import { sql } from './kysely.ts';
import { INTEGER, type Migration } from './migration.ts';

/** Read as bigint; a number may be written. */
type Integer = ColumnType<bigint, bigint | number, bigint | number>;

export interface EntryTables {
  entry_space: EntrySpaceTable;
  entry: EntryTable;
  entry_count: EntryCountTable;
  entry_tag: EntryTagTable;
  entry_change: EntryChangeTable;
}

export interface EntrySpaceTable {
  number: Generated<bigint>;
  /** `feed:`, `feed:news`, `chat:0198…`. */
  name: string;
  /** The next position. */
  positions: Integer;
  live: Integer;
  /** The number of the latest change; the first is 1. */
  changes: Integer;
  /** Changes up to this one are not in `entry_change` any more. */
  forgotten: Integer;
}

/** `entities`, `attachments` and `data` are JSON text; times are milliseconds since 1970. */
export interface EntryTable {
  id: string;
  space: Integer;
  position: Integer;
  author: string;
  text: string;
  entities: string;
  unit: string;
  attachments: string;
  data: string | null;
  created_at: Integer;
  updated_at: Integer;
}

/** Range r of level l holds the positions from r · 64^l to (r + 1) · 64^l - 1. */
export interface EntryCountTable {
  space: Integer;
  level: Integer;
  range: Integer;
  live: Integer;
  /** Of level 1: the id at the first position of the range, which stays when that entry goes. */
  first_id: string | null;
}

export interface EntryTagTable {
  space: Integer;
  /** `author`, `mention`, `topic`. */
  kind: string;
  name: string;
  position: Integer;
  /** The tag holds for change numbers n with added <= n, and n < removed where there is one. */
  added: Integer;
  removed: ColumnType<bigint | null, bigint | number | null, bigint | number | null>;
}

export interface EntryChangeTable {
  space: Integer;
  change: Integer;
  position: Integer;
  /** The id of the entry that was deleted; null where its tags changed. */
  deleted_id: string | null;
  time: Integer;
}

export const entryMigrations: readonly Migration[] = [
  {
    name: '0020-entries',
    async up(db, dialect) {
      const { schema } = db;
      await schema
        .createTable('entry_space')
        .addColumn('number', dialect === 'sqlite' ? 'integer' : INTEGER, (column) =>
          dialect === 'sqlite' ? column.primaryKey() : column.primaryKey().generatedAlwaysAsIdentity(),
        )
        .addColumn('name', 'text', (column) => column.notNull().unique())
        .addColumn('positions', INTEGER, (column) => column.notNull())
        .addColumn('live', INTEGER, (column) => column.notNull())
        .addColumn('changes', INTEGER, (column) => column.notNull())
        .addColumn('forgotten', INTEGER, (column) => column.notNull())
        .execute();
      await schema
        .createTable('entry')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('space', INTEGER, (column) => column.notNull())
        .addColumn('position', INTEGER, (column) => column.notNull())
        .addColumn('author', 'text', (column) => column.notNull())
        .addColumn('text', 'text', (column) => column.notNull())
        .addColumn('entities', 'text', (column) => column.notNull())
        .addColumn('unit', 'text', (column) => column.notNull())
        .addColumn('attachments', 'text', (column) => column.notNull())
        .addColumn('data', 'text')
        .addColumn('created_at', INTEGER, (column) => column.notNull())
        .addColumn('updated_at', INTEGER, (column) => column.notNull())
        .execute();
      await schema
        .createIndex('entry_position')
        .on('entry')
        .columns(['space', 'position'])
        .unique()
        .execute();
      await schema
        .createTable('entry_count')
        .addColumn('space', INTEGER, (column) => column.notNull())
        .addColumn('level', INTEGER, (column) => column.notNull())
        .addColumn('range', INTEGER, (column) => column.notNull())
        .addColumn('live', INTEGER, (column) => column.notNull())
        .addColumn('first_id', 'text')
        .addPrimaryKeyConstraint('entry_count_key', ['space', 'level', 'range'])
        .$call((table) => (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table))
        .execute();
      await schema
        .createIndex('entry_count_first')
        .on('entry_count')
        .columns(['space', 'level', 'first_id'])
        .execute();
      await schema
        .createTable('entry_tag')
        .addColumn('space', INTEGER, (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('position', INTEGER, (column) => column.notNull())
        .addColumn('added', INTEGER, (column) => column.notNull())
        .addColumn('removed', INTEGER)
        // `added`, because an entry may lose a tag and get it back. The space is not the first column: SQLite, without
        // statistics, would then take this index where the next one is meant, and read all tags of the space.
        .addPrimaryKeyConstraint('entry_tag_key', ['kind', 'name', 'space', 'position', 'added'])
        .$call((table) => (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table))
        .execute();
      await schema.createIndex('entry_tag_position').on('entry_tag').columns(['space', 'position']).execute();
      await schema
        .createTable('entry_change')
        .addColumn('space', INTEGER, (column) => column.notNull())
        .addColumn('change', INTEGER, (column) => column.notNull())
        .addColumn('position', INTEGER, (column) => column.notNull())
        .addColumn('deleted_id', 'text')
        .addColumn('time', INTEGER, (column) => column.notNull())
        .addPrimaryKeyConstraint('entry_change_key', ['space', 'change'])
        .$call((table) => (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table))
        .execute();
      await schema
        .createIndex('entry_change_position')
        .on('entry_change')
        .columns(['space', 'position'])
        .execute();
    },
  },
];
