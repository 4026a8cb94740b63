// Several openers of the same records, in a PostgreSQL schema of the test file. Each opener locks, groups and
// numbers for itself, as a separate process would.

import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import { openRecords, type Records } from '@octavo/records';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** The records of one test file. At its end all openers are closed and the server stops. */
interface SeveralOpeners {
  readonly postgres: PostgresServer | undefined;
  /** The reason for skipping its tests, or false. */
  readonly skip: string | false;
  /** The address of a new schema. */
  place(): string;
  /** Opens the records at an address several times. */
  openers(count: number, url?: string): Promise<Records[]>;
}

/** Starts PostgreSQL if it is installed. */
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
