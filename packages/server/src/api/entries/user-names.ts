// Shows the present names of users mentioned in entries. Entities of kind `user` whose id is in the directory
// get the current name; the text is changed only where it is certainly an earlier name. One directory lookup
// per page.

import { convertUnit, type Entity, renameUsers } from '@octavo/mention';
import { type Entry, type Records, type User, usersById } from '@octavo/records';

interface ResolveQuery {
  /** @default true */
  readonly resolve?: boolean;
}

/** Returns the entry to show: the stored one if no name has changed. */
export type ShowEntry = (entry: Entry) => Entry;

const AS_STORED: ShowEntry = (entry) => entry;

/** How to show some entries. Reads the directory once, and only if users with ids are mentioned. */
export async function currentUserNames(
  records: Records,
  entries: readonly Entry[],
  { resolve = true }: ResolveQuery,
): Promise<ShowEntry> {
  const ids = resolve ? idsOf(entries) : [];
  if (ids.length === 0) return AS_STORED;
  const found = await records.read(usersById, { ids });
  if (found.length === 0) return AS_STORED;
  const users = new Map(found.map((user) => [user.id, user]));
  return (entry) => renameEntry(entry, users);
}

function idsOf(entries: readonly Entry[]): string[] {
  const ids = new Set<string>();
  for (const { entities } of entries) {
    for (const { kind, id } of entities) if (kind === 'user' && id !== undefined) ids.add(id);
  }
  return [...ids];
}

function renameEntry(entry: Entry, users: ReadonlyMap<string, User>): Entry {
  const isKnown = ({ kind, id }: Entity): boolean => kind === 'user' && id !== undefined && users.has(id);
  if (!entry.entities.some(isKnown)) return entry;
  // Slices of the text count UTF-16 units, whatever unit the entities use.
  const content = convertUnit({ text: entry.text, entities: entry.entities, unit: entry.unit }, 'utf16');
  const shown = renameUsers(content, (entity) => {
    const user = entity.id === undefined ? undefined : users.get(entity.id);
    if (user === undefined) return undefined;
    const display = currentDisplay(entity, content.text.slice(entity.start, entity.end), user);
    return { username: user.username, ...(display === undefined ? {} : { display }) };
  });
  return { ...entry, ...convertUnit(shown, entry.unit) };
}

/** The text to show instead of `slice`; undefined if `slice` is the writer's own wording. */
function currentDisplay({ username }: Entity, slice: string, user: User): string | undefined {
  if (slice === `@${username}`) return `@${user.username}`;
  return user.formerDisplays.includes(slice) ? user.display : undefined;
}
