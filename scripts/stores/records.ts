// Do records behave the same on PostgreSQL? The very test files that run on SQLite, run there.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import type { PostgresServer } from './postgres-server.ts';

/** Those that are done soon. */
export const QUICK_FILES: readonly string[] = [
  'packages/records/src/feed/feed.test.ts',
  'packages/records/src/entries/users/users.test.ts',
  'packages/server/test/users.test.ts',
  'packages/records/src/ledger/ledger.test.ts',
  'packages/server/test/chats.test.ts',
  'packages/server/test/keys.test.ts',
];

/** All others. */
export const SLOW_FILES: readonly string[] = [
  'packages/records/src/entries/list.property.test.ts',
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
  'packages/server/test/leaks.property.test.ts',
  'packages/server/test/security.test.ts',
];

/** A test for each file: it passes on a PostgreSQL. Without one they are skipped. */
export function recordsOnPostgres(postgres: PostgresServer | undefined, files: readonly string[]): void {
  const skip = postgres === undefined ? 'PostgreSQL is not installed' : false;
  for (const file of files)
    test(`PostgreSQL: ${file}`, { skip, timeout: 600_000 }, async () => {
      const child = spawn(process.execPath, ['--test', file], {
        env: { ...environment(), OCTAVO_TEST_POSTGRES: postgres!.url },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
      const [code] = (await once(child, 'close')) as [number | null];
      assert.equal(code, 0, output);
    });
}

/** Without what tells a test runner that another one runs it. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return env;
}
