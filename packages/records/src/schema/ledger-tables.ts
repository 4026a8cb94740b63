// The tables of the ledger: accounts with their current balances, the append-only journal of transfers, the
// entry sides of each transfer with the balance after it, and holds.

import { sql } from './kysely.ts';
import { bytesType, INTEGER, type Migration } from './migration.ts';

export interface LedgerTables {
  account: AccountTable;
  transfer: TransferTable;
  entry_side: SideTable;
  hold: HoldTable;
  currency_entry: CurrencyEntryTable;
  journal_block: JournalBlockTable;
  journal_list: JournalListTable;
  journal_mark: JournalMarkTable;
}

/** Amounts are minor units of the currency; times are ms since 1970; flags are 0 or 1. */
export interface AccountTable {
  /** The key of the account in other tables. */
  number: bigint;
  id: string;
  currency: string;
  allow_negative: bigint;
  closed: bigint;
  balance: bigint;
  /** The sum of its pending holds, those that have expired and are not marked yet included. */
  held: bigint;
  created_at: bigint;
  updated_at: bigint;
}

/** The transfers of the journal that do not lie in blocks. Rows never change. */
export interface TransferTable {
  /** From 1, without gaps. */
  position: bigint;
  id: string;
  kind: string;
  from_account: bigint;
  to_account: bigint;
  currency: string;
  amount: bigint;
  from_balance: bigint;
  to_balance: bigint;
  reference: string | null;
  external_id: string | null;
  /** The hold that was posted. */
  hold: string | null;
  /** The transfer that this one takes back. */
  reverses: string | null;
  time: bigint;
  /** SHA-256 over the hash before it and this row (chain.ts). */
  hash: Uint8Array;
}

/** Only on the embedded store: plain transfers of the journal, those of a group together. Rows never change. */
export interface JournalBlockTable {
  /** Of the first transfer. */
  position: bigint;
  count: bigint;
  first_id: Uint8Array;
  /** block.ts */
  bytes: Uint8Array;
  /** SHA-256 over the hash before it and `bytes` (chain.ts). */
  hash: Uint8Array;
}

/** Only on the embedded store: which transfers are those of an account or a currency; follows the journal in stretches. */
export interface JournalListTable {
  /** The number of the account, or the currency. */
  list: string;
  /** The position of the first transfer of the stretch. */
  first: bigint;
  /** The distance of each one from `first`, as rising u16 (journal-index.ts). */
  places: Uint8Array;
}

/** Only on PostgreSQL: one side of a transfer. */
export interface SideTable {
  account: bigint;
  position: bigint;
  /** The balance of the account after it. */
  balance: bigint;
}

/** Only on PostgreSQL, and unused there. */
export interface CurrencyEntryTable {
  currency: string;
  position: bigint;
}

/** How far something has followed the journal. */
export interface JournalMarkTable {
  name: string;
  position: bigint;
}

export interface HoldTable {
  id: string;
  from_account: bigint;
  to_account: bigint;
  currency: string;
  amount: bigint;
  status: string;
  expires_at: bigint | null;
  reference: string | null;
  /** The transfer that posted it. */
  transfer: string | null;
  created_at: bigint;
  updated_at: bigint;
}

export const ledgerMigrations: readonly Migration[] = [
  {
    name: '0030-ledger',
    async up(db, dialect) {
      const sqlite = dialect === 'sqlite';
      await db.schema
        .createTable('account')
        .addColumn('number', sqlite ? 'integer' : INTEGER, (column) =>
          sqlite ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity(),
        )
        .addColumn('id', 'text', (column) => column.notNull().unique())
        .addColumn('currency', 'text', (column) => column.notNull())
        .addColumn('allow_negative', INTEGER, (column) => column.notNull())
        .addColumn('closed', INTEGER, (column) => column.notNull())
        .addColumn('balance', INTEGER, (column) => column.notNull())
        .addColumn('held', INTEGER, (column) => column.notNull())
        .addColumn('created_at', INTEGER, (column) => column.notNull())
        .addColumn('updated_at', INTEGER, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('transfer')
        .addColumn('position', sqlite ? 'integer' : INTEGER, (column) => column.primaryKey())
        .addColumn('id', 'text', (column) => column.notNull().unique())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('from_account', INTEGER, (column) => column.notNull())
        .addColumn('to_account', INTEGER, (column) => column.notNull())
        .addColumn('currency', 'text', (column) => column.notNull())
        .addColumn('amount', INTEGER, (column) => column.notNull())
        .addColumn('from_balance', INTEGER, (column) => column.notNull())
        .addColumn('to_balance', INTEGER, (column) => column.notNull())
        .addColumn('reference', 'text')
        .addColumn('external_id', 'text')
        .addColumn('hold', 'text')
        .addColumn('reverses', 'text')
        .addColumn('time', INTEGER, (column) => column.notNull())
        .addColumn('hash', bytesType(dialect), (column) => column.notNull())
        .execute();
      for (const column of ['external_id', 'reverses', 'hold']) {
        await sql`create unique index ${sql.ref(`transfer_${column}`)} on transfer (${sql.ref(column)}) where ${sql.ref(column)} is not null`.execute(
          db,
        );
      }
      await sql`create index transfer_reference on transfer (reference, position) where reference is not null`.execute(
        db,
      );
      await db.schema
        .createIndex('transfer_currency')
        .on('transfer')
        .columns(['currency', 'position'])
        .execute();
      // Without rowid, the table is its index: the sides of an account are neighbours, in the order of the journal.
      const sides = db.schema
        .createTable('entry_side')
        .addColumn('account', INTEGER, (column) => column.notNull())
        .addColumn('position', INTEGER, (column) => column.notNull())
        .addColumn('balance', INTEGER, (column) => column.notNull())
        .addPrimaryKeyConstraint('entry_side_key', ['account', 'position']);
      await (sqlite ? sides.modifyEnd(sql`without rowid`) : sides).execute();
      await db.schema
        .createTable('hold')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('from_account', INTEGER, (column) => column.notNull())
        .addColumn('to_account', INTEGER, (column) => column.notNull())
        .addColumn('currency', 'text', (column) => column.notNull())
        .addColumn('amount', INTEGER, (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('expires_at', INTEGER)
        .addColumn('reference', 'text')
        .addColumn('transfer', 'text')
        .addColumn('created_at', INTEGER, (column) => column.notNull())
        .addColumn('updated_at', INTEGER, (column) => column.notNull())
        .execute();
      await sql`create index hold_expiring on hold (expires_at) where status = 'pending' and expires_at is not null`.execute(
        db,
      );
      await sql`create index hold_pending on hold (from_account, expires_at) where status = 'pending'`.execute(
        db,
      );
    },
  },
  {
    name: '0061-ledger-lists',
    async up(db, dialect) {
      await db.schema
        .createTable('journal_mark')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('position', INTEGER, (column) => column.notNull())
        .execute();
      await sql`insert into journal_mark (name, position) select 'lists', coalesce(max(position), 0) from transfer`.execute(
        db,
      );
      await db.schema.dropIndex('transfer_currency').execute();
      const entries = db.schema
        .createTable('currency_entry')
        .addColumn('currency', 'text', (column) => column.notNull())
        .addColumn('position', INTEGER, (column) => column.notNull())
        .addPrimaryKeyConstraint('currency_entry_key', ['currency', 'position']);
      await (dialect === 'sqlite' ? entries.modifyEnd(sql`without rowid`) : entries).execute();
      await sql`insert into currency_entry (currency, position) select currency, position from transfer order by 1, 2`.execute(
        db,
      );
    },
  },
  {
    name: '0071-hold-lists',
    async up(db) {
      for (const side of ['from_account', 'to_account']) {
        await db.schema.createIndex(`hold_${side}`).on('hold').columns([side, 'id']).execute();
      }
      await sql`create index hold_reference on hold (reference, id) where reference is not null`.execute(db);
    },
  },
  {
    // Earlier transfers stay rows, at the beginning of the journal and of its hash chain. Their index is built when the
    // store opens.
    name: '0080-journal-blocks',
    async up(db, dialect) {
      if (dialect !== 'sqlite') return;
      await db.schema
        .createTable('journal_block')
        .addColumn('position', 'integer', (column) => column.primaryKey())
        .addColumn('count', INTEGER, (column) => column.notNull())
        .addColumn('first_id', 'blob', (column) => column.notNull().unique())
        .addColumn('bytes', 'blob', (column) => column.notNull())
        .addColumn('hash', 'blob', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('journal_list')
        .addColumn('list', 'text', (column) => column.notNull())
        .addColumn('first', INTEGER, (column) => column.notNull())
        .addColumn('places', 'blob', (column) => column.notNull())
        .addPrimaryKeyConstraint('journal_list_key', ['list', 'first'])
        .modifyEnd(sql`without rowid`)
        .execute();
      await db.schema.dropTable('entry_side').execute();
      await db.schema.dropTable('currency_entry').execute();
      await sql`update journal_mark set position = 0 where name = 'lists'`.execute(db);
    },
  },
];
