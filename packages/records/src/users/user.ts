// A user of the directory: an id that lasts, and its current name, by which mentions are shown.

import type { Selectable } from 'kysely';
import type { UserTable } from '../schema/user-tables.ts';

/** The names of a user, as the caller gives them. */
export interface UserNames {
  /** Unique, upper and lower case being different. */
  readonly username: string;
  /** The name that readers see. @default `@username` */
  readonly display?: string | undefined;
}

/** A user as the directory has it. */
export interface User extends UserNames {
  /** The caller's own id, which entities refer to. */
  readonly id: string;
  readonly display: string | undefined;
  /** Former values of `display`, oldest first. */
  readonly formerDisplays: readonly string[];
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** The public view of a user: the body of a GET, and the data of events. Times are RFC 3339. */
export interface UserView {
  readonly id: string;
  readonly username: string;
  readonly display?: string;
  readonly updated_at: string;
}

export function userView({ id, username, display, updatedAt }: User): UserView {
  return {
    id,
    username,
    ...(display === undefined ? {} : { display }),
    updated_at: new Date(updatedAt).toISOString(),
  };
}

/** A row as a user. */
export function userOfRow(row: Selectable<UserTable>): User {
  return {
    id: row.id,
    username: row.username,
    display: row.display ?? undefined,
    formerDisplays: JSON.parse(row.former_displays) as string[],
    updatedAt: Number(row.updated_at),
  };
}

/** Displays of one user that are remembered. */
const MOST_FORMER = 16;

/** The former displays of a user after a change: each once, the oldest forgotten first. */
export function formerDisplays(before: User, display: string | undefined): readonly string[] {
  const { display: last, formerDisplays: all } = before;
  if (last === display) return all;
  const former = last === undefined ? all : [...all.filter((each) => each !== last), last];
  return former.filter((each) => each !== display).slice(-MOST_FORMER);
}
