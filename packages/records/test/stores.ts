// Opens the store that a test runs on: SQLite in a directory of its own, or a schema of its own of the
// PostgreSQL that OCTAVO_TEST_POSTGRES names (scripts/stores starts one and runs these files there).

import { randomBytes } from 'node:crypto';
import { type OpenRecordsOptions, openRecords, type Records } from '../src/index.ts';

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
export async function openStore(options: OpenRecordsOptions = {}): Promise<Records> {
  return await openRecords(newStore(), options);
}
