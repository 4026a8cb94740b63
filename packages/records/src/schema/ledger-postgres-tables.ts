// The differences of the ledger's tables on PostgreSQL, where several processes write. A transfer is
// committed before it has its place in the journal; the sequencer adds position, balances and hash afterwards
// (ledger/postgres/journal-sequencer.ts).
//
//   transfer    number           in the order of insertion; rises with the commits of any account that cannot go negative
//               position         null until the pass
//               from_balance, to_balance, hash   null until the pass
//               journal_time     the time, or that of the transfer before it if that is later: never falls with positions
//   account     balance          unused for accounts that may go negative: theirs is the balance after their
//                                last transfer of the journal, plus the transfers without a position

import { sql } from './kysely.ts';
import { INTEGER, type Migration } from './migration.ts';

export const ledgerPostgresMigrations: readonly Migration[] = [
  {
    name: '0070-ledger-several',
    async up(db, dialect) {
      if (dialect === 'sqlite') return;
      for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
    },
  },
];

const STATEMENTS = [
  'ALTER TABLE transfer DROP CONSTRAINT transfer_pkey',
  'ALTER TABLE transfer ALTER COLUMN position DROP NOT NULL, ALTER COLUMN from_balance DROP NOT NULL, ' +
    'ALTER COLUMN to_balance DROP NOT NULL, ALTER COLUMN hash DROP NOT NULL',
  `ALTER TABLE transfer ADD COLUMN number ${INTEGER} GENERATED ALWAYS AS IDENTITY PRIMARY KEY`,
  `ALTER TABLE transfer ADD COLUMN journal_time ${INTEGER}`,
  'CREATE UNIQUE INDEX transfer_position ON transfer (position)',
  'CREATE INDEX transfer_time ON transfer (journal_time, position)',
  'CREATE INDEX transfer_by_currency ON transfer (currency, position)',
  'CREATE INDEX transfer_waiting ON transfer (number) WHERE position IS NULL',
  'CREATE INDEX transfer_waiting_from ON transfer (from_account) WHERE position IS NULL',
  'CREATE INDEX transfer_waiting_to ON transfer (to_account) WHERE position IS NULL',
];
