// The store of a test: SQLite in a temporary directory, or a schema of the PostgreSQL that
// OCTAVO_TEST_POSTGRES names (scripts/stores starts one and runs these files there).

import { randomBytes } from 'node:crypto';
import { openRecords, type Records } from '@octavo/records';

const SERVER: string | undefined = process.env['OCTAVO_TEST_POSTGRES'];

/** True where tests run on PostgreSQL. */
export const ON_POSTGRES: boolean = SERVER !== undefined;

/** An address for `openRecords`: `:memory:`, or that of a new schema, which goes with its server. */
export function newStore(): string {
  if (SERVER === undefined) return ':memory:';
  const url = new URL(SERVER);
  url.searchParams.set('options', `-c search_path=test_${randomBytes(6).toString('hex')}`);
  return url.href;
}

/** Empty records on the store that is tested. */
export async function openStore(): Promise<Records> {
  return await openRecords(newStore());
}
