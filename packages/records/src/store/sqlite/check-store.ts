// Checks the file: what SQLite finds when it reads all pages, indices and references of records.db.

import type { AnyOperation, ReadOperation } from '../../contracts/operation.ts';

/** What is wrong, one sentence each, at most 100; empty for a sound file. */
export const checkStore: ReadOperation<undefined, readonly string[]> = {
  kind: 'read',
  name: 'store.check',
  run({ sql }) {
    if (sql === undefined) return [];
    const pages = sql
      .all<{ integrity_check: string }>('PRAGMA integrity_check(100)')
      .map((row) => row.integrity_check)
      .filter((line) => line !== 'ok');
    const references = sql
      .all<{ table: string; parent: string }>('PRAGMA foreign_key_check')
      .slice(0, 100)
      .map(({ table, parent }) => `a row of ${table} refers to one of ${parent} that is not there`);
    return [...pages, ...references];
  },
};

export const storeOperations: readonly AnyOperation[] = [checkStore];
