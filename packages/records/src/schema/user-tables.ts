// The table of users: one row for each id of the caller's own, with its current name. Names are unique.

import type { ColumnType } from 'kysely';
import { INTEGER, type Migration } from './migration.ts';

type Integer = ColumnType<bigint, bigint | number, bigint | number>;

export interface UserTables {
  users: UserTable;
}

/** Times in ms since 1970. In the plural, as PostgreSQL has a word `user` of its own. */
export interface UserTable {
  id: string;
  username: string;
  display: string | null;
  /** Former displays, oldest first: a JSON list. */
  former_displays: string;
  updated_at: Integer;
}

export const userMigrations: readonly Migration[] = [
  {
    name: '0072-users',
    async up(db) {
      await db.schema
        .createTable('users')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('username', 'text', (column) => column.notNull().unique())
        .addColumn('display', 'text')
        .addColumn('former_displays', 'text', (column) => column.notNull())
        .addColumn('updated_at', INTEGER, (column) => column.notNull())
        .execute();
    },
  },
];
