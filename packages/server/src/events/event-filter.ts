// Which events does a follower want, and which may it have? Types, subjects, indices; and for each type the scope to
// read what it is about.

import { RECORDS_EVENT_TYPES } from '@octavo/records';
import { allows, type Principal } from '../access/callers/principal.ts';
import { matchesWildcard } from '../patterns/wildcard.ts';
import { bareType, type CloudEvent, scopeAreaOf } from './cloud-event.ts';

/** Wishes; everything that is left out is any. */
export interface EventFilter {
  /** `item.created`, `item.*`, with or without `octavo.`; empty is all. */
  readonly types?: readonly string[] | undefined;
  /** The beginning of subjects. */
  readonly subject?: string | undefined;
  /** Documents of indices whose name fits; other events are not asked. */
  readonly index?: string | undefined;
}

/** All types of events, without `octavo.`. */
export const EVENT_TYPES: readonly string[] = [
  ...RECORDS_EVENT_TYPES,
  'document.indexed',
  'document.deleted',
  'document.changed',
];

/** The first wish that no type of event can meet. */
export function findUnknownType(types: readonly string[]): string | undefined {
  return types.find((wanted) => !EVENT_TYPES.some((type) => matchesWildcard(bareType(wanted), type)));
}

/** True where an event is wanted and allowed. */
export function mayReceive(event: CloudEvent, filter: EventFilter, principal: Principal): boolean {
  const type = bareType(event.type);
  const { types = [], subject, index } = filter;
  if (types.length > 0 && !types.some((wanted) => matchesWildcard(bareType(wanted), type))) return false;
  if (subject !== undefined && !event.subject.startsWith(subject)) return false;
  if (
    index !== undefined &&
    type.startsWith('document.') &&
    !matchesWildcard(index, String(event.data['index']))
  ) {
    return false;
  }
  return allows(principal, scopeAreaOf(type), 'read');
}

/** False where no type of an area can pass: its source need not be read. */
export function needsSource(
  kind: 'records' | 'documents',
  filter: EventFilter,
  principal: Principal,
): boolean {
  const wanted = filter.types ?? [];
  const documents = (type: string): boolean =>
    matchesWildcard(bareType(type), 'document.indexed') || bareType(type).startsWith('document.');
  if (kind === 'documents') {
    return allows(principal, 'search', 'read') && (wanted.length === 0 || wanted.some(documents));
  }
  return wanted.length === 0 || wanted.some((type) => !bareType(type).startsWith('document.'));
}
