// Where does `sql` come from? From Kysely, with its first use: the serving thread names operations and runs none of them
// where the store has threads of its own, and Kysely is three hundred files.

import { createRequire } from 'node:module';
import type { Sql } from 'kysely';

let loaded: Sql | undefined;

function load(): Sql {
  loaded ??= (createRequire(import.meta.url)('kysely') as { readonly sql: Sql }).sql;
  return loaded;
}

/** Kysely's `sql`. */
export const sql: Sql = new Proxy((() => {}) as unknown as Sql, {
  apply: (_target, _this, args: Parameters<Sql>) => load()(...args),
  get: (_target, name: keyof Sql) => load()[name],
});
