// Which store does a place name? `postgres://…` a PostgreSQL, anything else a data directory.

import type { End, Role } from './ends/end.ts';
import { openPostgresEnd } from './ends/postgres-end.ts';
import { watchPostgres } from './ends/postgres-watch.ts';
import { openSqliteEnd } from './ends/sqlite-end.ts';
import { watchSqlite } from './ends/sqlite-watch.ts';
import type { Watch } from './ends/watch.ts';

export function openEnd(place: string, role: Role): Promise<End> {
  return isPostgres(place) ? openPostgresEnd(place, role) : openSqliteEnd(place, role);
}

export async function openWatch(place: string): Promise<Watch> {
  return isPostgres(place) ? await watchPostgres(place) : watchSqlite(place);
}

function isPostgres(place: string): boolean {
  return /^postgres(?:ql)?:/i.test(place);
}
