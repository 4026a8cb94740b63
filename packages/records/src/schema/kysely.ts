// Where does Kysely come from? With its first use: the serving thread names operations and runs none of them where the
// store has threads of its own, those threads begin with statements that are texts, and Kysely is three hundred files.

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
