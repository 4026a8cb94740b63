// Records behave the same on PostgreSQL: the test files of SQLite run there.

import type { PostgresServer } from './postgres-server.ts';
import { filesPass } from './run-test-files.ts';

/** The fast files. */
export const QUICK_FILES: readonly string[] = [
  'packages/records/test/outbox.test.ts',
  'packages/records/test/intents.test.ts',
  'packages/records/src/feed/feed.test.ts',
  'packages/records/src/users/users.test.ts',
  'packages/server/test/users.test.ts',
  'packages/records/src/ledger/ledger.test.ts',
  'packages/server/test/chats.test.ts',
  'packages/server/test/keys.test.ts',
];

/** All other files. */
export const SLOW_FILES: readonly string[] = [
  'packages/records/src/entries/list/list-entries.property.test.ts',
  'packages/records/src/entries/walk.property.test.ts',
  'packages/records/src/ledger/oracle.property.test.ts',
  'packages/server/test/ledger.test.ts',
  'packages/server/test/newsfeed.test.ts',
  'packages/server/test/events.test.ts',
  'packages/server/test/webhooks.test.ts',
  'packages/server/test/holds-list.test.ts',
  'packages/server/test/chat-delete.test.ts',
  'packages/server/test/preconditions.test.ts',
  'packages/server/test/planting.test.ts',
  'packages/server/test/event-streams.test.ts',
  'packages/server/test/cluster-events.test.ts',
  'packages/server/test/cluster-followed.test.ts',
  'packages/server/src/cli/commands/doctor.test.ts',
  'packages/server/test/leaks.property.test.ts',
  'packages/server/test/security.test.ts',
];

/** A test per file: it passes on PostgreSQL. Skipped without PostgreSQL. */
export function recordsOnPostgres(postgres: PostgresServer | undefined, files: readonly string[]): void {
  filesPass(files, {
    store: 'PostgreSQL',
    environment: { OCTAVO_TEST_POSTGRES: postgres?.url },
    skip: postgres === undefined ? 'PostgreSQL is not installed' : false,
    // Each file has its own schema and waits for the server half of the time.
    atOnce: 2,
  });
}
