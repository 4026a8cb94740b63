// The tables of chats: the chat, its members, and how far each has read. Messages are entries of the space
// `chat:<id>`.

import type { ColumnType } from 'kysely';
import { INTEGER, type Migration } from './migration.ts';

type Integer = ColumnType<bigint, bigint | number, bigint | number>;

export interface ChatTables {
  chat: ChatTable;
  chat_member: ChatMemberTable;
}

export interface ChatTable {
  id: string;
  title: string | null;
  /** 1 where anybody may write, 0 where only members may. */
  open: Integer;
  created_at: Integer;
  updated_at: Integer;
}

export interface ChatMemberTable {
  chat: string;
  member: string;
  joined_at: Integer;
  /** The position in the space up to which the member has read; -1 is nothing. */
  read_position: Integer;
  /** The id that was sent for it. */
  read_id: string | null;
}

export const chatMigrations: readonly Migration[] = [
  {
    name: '0021-chats',
    async up(db) {
      await db.schema
        .createTable('chat')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('title', 'text')
        .addColumn('open', INTEGER, (column) => column.notNull())
        .addColumn('created_at', INTEGER, (column) => column.notNull())
        .addColumn('updated_at', INTEGER, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('chat_member')
        .addColumn('chat', 'text', (column) => column.notNull())
        .addColumn('member', 'text', (column) => column.notNull())
        .addColumn('joined_at', INTEGER, (column) => column.notNull())
        .addColumn('read_position', INTEGER, (column) => column.notNull())
        .addColumn('read_id', 'text')
        .addPrimaryKeyConstraint('chat_member_key', ['chat', 'member'])
        .execute();
      await db.schema
        .createIndex('chat_member_chats')
        .on('chat_member')
        .columns(['member', 'chat'])
        .execute();
    },
  },
];
