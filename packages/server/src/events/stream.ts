// What has happened since a position? A batch from both sources, pulled when there is room for it: nothing is queued for
// a follower, however slow it is.

import type { Change, Engine } from '@octavo/engine';
import { eventsAfter, forgottenEvents, newestEvent, type Records } from '@octavo/records';
import type { Principal } from '../access/callers/principal.ts';
import { audibleChanges, guardEngine } from '../access/guard.ts';
import { Problem } from '../errors/problem.ts';
import { bareType, type CloudEvent, isOfDocument, ofChange, ofRecord } from './cloud-event.ts';
import { type EventFilter, mayPass, passes } from './filter.ts';
import type { Followers } from './followers.ts';
import { BEGINNING, printPosition, type StreamPosition } from './position.ts';

/** An event with the place behind it. */
export interface PlacedEvent {
  readonly event: CloudEvent;
  readonly position: StreamPosition;
}

/** What there is after a position. */
export interface EventBatch {
  readonly events: readonly PlacedEvent[];
  /** Where to go on, beyond what was filtered out. */
  readonly next: StreamPosition;
  /** Is there more already? */
  readonly more: boolean;
}

/** Where events come from. */
export interface EventSources {
  readonly engine: Engine;
  readonly records: Records;
  /** Where the engine has no documents: events of documents are then among those of the records. */
  readonly elsewhere?: DocumentsElsewhere | undefined;
}

/** Documents that the engine has not. */
export interface DocumentsElsewhere {
  /** An engine that has them as they are now. */
  readonly now: () => Promise<Engine>;
  /** Hears that somebody reads their events. */
  readonly followers: Pick<Followers, 'note'>;
}

/** The end of both sources: what comes after it is new. */
export function newest({ engine, records }: EventSources): StreamPosition {
  return { records: records.lastEvent(), documents: { commit: engine.snapshot() } };
}

/**
 * At most `limit` events of each source after `position` are looked at. Throws Problem `events-lost` where something between it and
 * now was forgotten; from the beginning nothing can be lost, it is the beginning of what is kept.
 */
export async function eventsSince(
  sources: EventSources,
  position: StreamPosition,
  filter: EventFilter,
  principal: Principal,
  limit: number,
): Promise<EventBatch> {
  const after = await placeHere(sources, position);
  const isElsewhere = sources.elsewhere !== undefined;
  if (mayPass('documents', filter, principal)) await sources.elsewhere?.followers.note();
  const fromRecords =
    isElsewhere || mayPass('records', filter, principal)
      ? await recordsSince(sources.records, after, limit)
      : { events: [], next: newest(sources).records, more: false };
  const at: StreamPosition = { records: fromRecords.next, documents: after.documents };
  const passing = fromRecords.events.filter(({ event }) => passes(event, filter, principal));
  const events: PlacedEvent[] = (await audible(passing, sources, principal)).map(({ event, position }) => ({
    event,
    position: { ...after, records: position },
  }));
  // One source at a time: while there is more of the first, the second waits, so that limits are limits.
  if (events.length >= limit || fromRecords.more) return { events, next: at, more: true };
  if (isElsewhere || !mayPass('documents', filter, principal)) {
    return { events, next: { ...at, documents: newest(sources).documents }, more: false };
  }
  const guarded = guardEngine(sources.engine, principal);
  const batch = await guarded.changes(after.documents, { limit: limit - events.length });
  if (isLost(after, batch.completeFrom)) throw lost(after);
  const { changes } = batch;
  for (const [i, change] of changes.entries()) {
    const event = ofChange(change);
    if (!passes(event, filter, principal)) continue;
    events.push({ event, position: { records: at.records, documents: placeOf(changes, i, after) } });
  }
  return { events, next: { records: at.records, documents: batch.next }, more: batch.more };
}

/** Behind a change; where the next one shares its number, before both: whoever goes on from there misses neither. */
function placeOf(changes: readonly Change[], i: number, after: StreamPosition): StreamPosition['documents'] {
  const { commit, item } = changes[i]!;
  const next = changes[i + 1];
  if (next === undefined || next.commit !== commit || next.item !== item) return { commit, item };
  let first = i;
  while (changes[first - 1]?.commit === commit && changes[first - 1]?.item === item) first--;
  const before = changes[first - 1];
  return before === undefined ? after.documents : { commit: before.commit, item: before.item };
}

/** An event of the outbox. */
interface Placed {
  readonly event: CloudEvent;
  readonly position: bigint;
}

/** Those events that a caller may hear of: documents are held against what its key allows, as those of the engine are. */
async function audible(
  events: readonly Placed[],
  { engine, elsewhere }: EventSources,
  principal: Principal,
): Promise<readonly Placed[]> {
  const touched = events.flatMap((each) => {
    const { type, data } = each.event;
    if (!isOfDocument(type)) return [];
    // What a filter cannot be held against is told as deletes are.
    const kind = bareType(type) === 'document.indexed' ? ('index' as const) : ('delete' as const);
    return [{ index: String(data['index']), id: String(data['id']), kind, each }];
  });
  if (touched.length === 0) return events;
  const heard = await audibleChanges(touched, principal, elsewhere?.now ?? (() => engine));
  const hidden = new Set(touched.map(({ each }) => each));
  for (const { each } of heard) hidden.delete(each);
  return hidden.size === 0 ? events : events.filter((each) => !hidden.has(each));
}

async function recordsSince(
  records: Records,
  after: StreamPosition,
  limit: number,
): Promise<{ events: Placed[]; next: bigint; more: boolean }> {
  const found = await records.read(eventsAfter, { after: after.records, limit });
  if (after.records > 0n && after.records < (await records.read(forgottenEvents, {}))) throw lost(after);
  return {
    events: found.map((stored) => ({ event: ofRecord(stored), position: stored.position })),
    next: found.at(-1)?.position ?? after.records,
    more: found.length >= limit,
  };
}

/** True where a commit of which something is still to come has forgotten some of it. */
function isLost({ documents }: StreamPosition, completeFrom: number): boolean {
  const { commit, item } = documents;
  return commit > BEGINNING.documents.commit && (item === undefined ? commit + 1 : commit) < completeFrom;
}

function lost(after: StreamPosition): Problem {
  return new Problem(
    'events-lost',
    `Events after ${printPosition(after)} are not kept any more. Read what you follow anew, then go on from the ` +
      'newest position (no after), or from what is kept (after=0).',
    { field: 'after' },
  );
}

/**
 * The position as it is here. One of another data directory is refused: nothing would ever come. An event may have been read
 * that its writer has not told of yet. Where several servers have the same records, the position may be of another one, whose
 * documents are not here.
 */
async function placeHere(sources: EventSources, after: StreamPosition): Promise<StreamPosition> {
  const end = newest(sources);
  const { shared = false } = sources.records;
  const isKnown =
    after.records <= end.records || after.records <= (await sources.records.read(newestEvent, {}));
  const isHere = after.documents.commit <= end.documents.commit;
  // Where documents are elsewhere, their part of a position is that of a data directory they were in before.
  if (isKnown && (isHere || shared || sources.elsewhere !== undefined))
    return isHere ? after : { ...after, documents: end.documents };
  throw new Problem(
    'invalid-parameter',
    `The position ${printPosition(after)} is beyond the newest, ${printPosition(end)}: it is not of this server.`,
    { field: 'after' },
  );
}
