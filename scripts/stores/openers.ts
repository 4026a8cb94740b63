// Where do several openers of the same records find them? In a schema of a PostgreSQL that is the test file's own; each
// opener locks, groups and numbers for itself, as a process of its own would.

import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import { openRecords, type Records } from '@octavo/records';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** Records of one test file; all that was opened is closed behind it, and the server stopped. */
export interface SeveralOpeners {
  readonly postgres: PostgresServer | undefined;
  /** Why its tests are skipped. */
  readonly skip: string | false;
  /** The address of a schema that is not there yet. */
  place(): string;
  /** Opens the records of a place so many times. */
  openers(count: number, url?: string): Promise<Records[]>;
}

/** Starts a PostgreSQL, where it is installed. */
export async function severalOpeners(): Promise<SeveralOpeners> {
  const postgres = await startPostgres();
  const opened: Records[] = [];
  after(async () => {
    for (const records of opened) await records.close();
    await postgres?.stop();
  });
  const place = (): string => {
    const url = new URL(postgres!.url);
    url.searchParams.set('options', `-c search_path=test_${randomBytes(6).toString('hex')}`);
    return url.href;
  };
  return {
    postgres,
    skip: postgres === undefined ? 'PostgreSQL is not installed' : false,
    place,
    async openers(count, url = place()) {
      const all = await Promise.all(Array.from({ length: count }, () => openRecords(url)));
      opened.push(...all);
      return all;
    },
  };
}
