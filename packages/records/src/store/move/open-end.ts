// Opens the store of a place: `postgres://…` is a PostgreSQL, anything else a data directory.

import type { ChangeWatch } from './ends/change-watch.ts';
import type { EndRole, MoveEnd } from './ends/move-end.ts';
import { openPostgresEnd } from './ends/postgres-end.ts';
import { watchPostgres } from './ends/postgres-watch.ts';
import { openSqliteEnd } from './ends/sqlite-end.ts';
import { watchSqlite } from './ends/sqlite-watch.ts';

export function openEnd(place: string, role: EndRole): Promise<MoveEnd> {
  return isPostgres(place) ? openPostgresEnd(place, role) : openSqliteEnd(place, role);
}

export async function openWatch(place: string): Promise<ChangeWatch> {
  return isPostgres(place) ? await watchPostgres(place) : watchSqlite(place);
}

function isPostgres(place: string): boolean {
  return /^postgres(?:ql)?:/i.test(place);
}
