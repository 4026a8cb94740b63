// Loads Kysely with its first use. The serving thread runs no operation where the store has threads, and
// those begin with statements that are texts; Kysely is three hundred files.

import { createRequire } from 'node:module';
import type { Sql } from 'kysely';

let loaded: typeof import('kysely') | undefined;

/** All of Kysely. */
export function loadKysely(): typeof import('kysely') {
  loaded ??= createRequire(import.meta.url)('kysely') as typeof import('kysely');
  return loaded;
}

/** Kysely's `sql`. */
export const sql: Sql = new Proxy((() => {}) as unknown as Sql, {
  apply: (_target, _this, args: Parameters<Sql>) => loadKysely().sql(...args),
  get: (_target, name: keyof Sql) => loadKysely().sql[name],
});
