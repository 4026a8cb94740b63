// Lists the users that content mentions, and renames them. Both work on entities and never parse the text.

import { type Content, type Entity, withRange } from './content.ts';
import { normalizeContent } from './print.ts';
import { convertUnit } from './units.ts';

/** The current names of a user. */
export interface CurrentUser {
  readonly username: string;
  /** Replaces the text of the mention. If it is absent or empty, the text stays. */
  readonly display?: string;
}

/** Returns the current names, undefined if unknown (no change), or null if deleted (the mention becomes text). */
export type UserLookup = (user: Entity) => CurrentUser | null | undefined;

/** The first entity of each user, in order of appearance. Users are identified by id, or by username without one. */
export function mentionedUsers(content: Content): Entity[] {
  const seen = new Map<string, Entity>();
  for (const entity of [...content.entities].sort((a, b) => a.start - b.start)) {
    if (entity.kind !== 'user') continue;
    const key = entity.id === undefined ? `@${entity.username}` : `#${entity.id}`;
    if (!seen.has(key)) seen.set(key, entity);
  }
  return [...seen.values()];
}

/**
 * Normalized content with the current names of users. `lookup` is called once per mention with its entity. Its result
 * replaces `username` and, if it has a `display`, the text. O(n + k log k).
 */
export function renameUsers(content: Content, lookup: UserLookup): Content {
  const normal = normalizeContent(content);
  const { text, entities } = convertUnit(normal, 'utf16');
  const parts: string[] = [];
  const renamed: Entity[] = [];
  let at = 0;
  let length = 0;
  const append = (part: string): void => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, entity] of entities.entries()) {
    const current = entity.kind === 'user' ? lookup(normal.entities[index]!) : undefined;
    if (current === null) continue;
    append(text.slice(at, entity.start));
    const start = length;
    append(current?.display || text.slice(entity.start, entity.end));
    const username = current === undefined ? {} : { username: current.username };
    renamed.push(withRange({ ...entity, ...username }, start, length));
    at = entity.end;
  }
  append(text.slice(at));
  return convertUnit({ text: parts.join(''), entities: renamed, unit: 'utf16' }, content.unit);
}
