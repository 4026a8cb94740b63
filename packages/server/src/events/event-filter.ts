// Which events a follower wants and may receive: types, subjects, indices, and for each type the scope to
// read its subject.

import { RECORDS_EVENT_TYPES } from '@octavo/records';
import { allows, type Principal } from '../access/callers/principal.ts';
import { matchesWildcard } from '../patterns/wildcard.ts';
import { bareType, type CloudEvent, scopeAreaOf } from './cloud-event.ts';

/** Absent members match anything. */
export interface EventFilter {
  /** `item.created`, `item.*`, with or without `octavo.`; empty for all. */
  readonly types?: readonly string[] | undefined;
  /** The beginning of subjects. */
  readonly subject?: string | undefined;
  /** A pattern of index names for document events; other events are not affected. */
  readonly index?: string | undefined;
}

/** All event types, without `octavo.`. */
export const EVENT_TYPES: readonly string[] = [
  ...RECORDS_EVENT_TYPES,
  'document.indexed',
  'document.deleted',
  'document.changed',
];

/** The first pattern that no event type matches. */
export function findUnknownType(types: readonly string[]): string | undefined {
  return types.find((wanted) => !EVENT_TYPES.some((type) => matchesWildcard(bareType(wanted), type)));
}

/** True if an event matches the filter and the caller may read it. */
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

/** False if no event of a source can match: it need not be read. */
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
