// The tags of an entry, by which lists are filtered: its author, the users it mentions, its topics.

import { convertUnit, type Entity } from '@octavo/mention';
import type { Draft } from './entry.ts';

type TagKind = 'author' | 'mention' | 'topic';

export interface Tag {
  readonly kind: TagKind;
  readonly name: string;
}

/** Entries must match all given members. */
export interface EntryFilter {
  readonly author?: string;
  /** The username of a mentioned user. */
  readonly mention?: string;
  /** The id of a topic or, for topics without one, its text without `#`; either case. */
  readonly topic?: string;
}

/** The tags of a filter. */
export function tagsOfFilter(filter: EntryFilter): Tag[] {
  const tags: Tag[] = [];
  if (filter.topic !== undefined) tags.push({ kind: 'topic', name: topicName(filter.topic) });
  if (filter.mention !== undefined) tags.push({ kind: 'mention', name: filter.mention });
  if (filter.author !== undefined) tags.push({ kind: 'author', name: filter.author });
  return tags;
}

/** The tags of a draft, each once. They come from its entities, never from its text. */
export function tagsOf(draft: Pick<Draft, 'author' | 'text' | 'entities' | 'unit'>): Tag[] {
  const tags = new Map<string, Tag>();
  const add = (kind: TagKind, name: string): void => void tags.set(`${kind} ${name}`, { kind, name });
  add('author', draft.author);
  // The text of a topic is its slice, which JavaScript cuts by UTF-16.
  const entities = draft.unit === 'utf16' ? draft.entities : convertUnit(draft, 'utf16').entities;
  for (const entity of entities) {
    if (entity.kind === 'user' && entity.username !== undefined) add('mention', entity.username);
    if (entity.kind === 'topic') add('topic', topicName(entity.id ?? slice(draft.text, entity)));
  }
  return [...tags.values()];
}

function slice(text: string, { start, end }: Entity): string {
  return text.slice(start, end);
}

function topicName(name: string): string {
  return name.replace(/^#/, '').normalize('NFC').toLowerCase();
}
