// Who is mentioned, and what are they called today? Answered from the entities, never by reading the text again.

import { type Content, type Entity, placed } from './content.ts';
import { normalizeContent } from './print.ts';
import { convertUnit } from './units.ts';

/** What a user is called now. */
export interface CurrentUser {
  readonly username: string;
  /** Shown instead of what the writer saw; without it, or empty, the text stays. */
  readonly display?: string;
}

/** Says what a user is called now: undefined if unknown (all stays), null if gone (the mention becomes plain text). */
export type UserLookup = (user: Entity) => CurrentUser | null | undefined;

/** The entities of users, each user once (by id, or by username where there is none), in order of appearance. */
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
 * Content with users called as they are now, in normal form. `lookup` is asked once for each mention, with its entity;
 * what it answers goes into `username` and, if it gives a `display`, into the text. O(n + k log k).
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
    renamed.push(placed({ ...entity, ...username }, start, length));
    at = entity.end;
  }
  append(text.slice(at));
  return convertUnit({ text: parts.join(''), entities: renamed, unit: 'utf16' }, content.unit);
}
