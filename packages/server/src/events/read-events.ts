// What has happened since a position? A batch from both sources, pulled when there is room for it: nothing is queued for
// a follower, however slow it is.

import type { Change, Engine } from '@octavo/engine';
import { eventsAfter, eventsForgotten, newestEvent, type Records } from '@octavo/records';
import type { Principal } from '../access/callers/principal.ts';
import { guardEngine, visibleChanges } from '../access/guard/guarded-engine.ts';
import { Problem } from '../errors/problem.ts';
import {
  bareType,
  type CloudEvent,
  cloudEventOfChange,
  cloudEventOfRecord,
  isDocumentEvent,
} from './cloud-event.ts';
import { type EventFilter, mayReceive, needsSource } from './event-filter.ts';
import type { Followers } from './followers.ts';
import { BEGINNING, printPosition, type StreamPosition } from './stream-position.ts';

/** An event with the place behind it. */
export interface PositionedEvent {
  readonly event: CloudEvent;
  readonly position: StreamPosition;
}

/** What there is after a position. */
export interface EventBatch {
  readonly events: readonly PositionedEvent[];
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
  readonly clusterDocuments?: ClusterDocuments | undefined;
}

/** Documents that the engine has not. */
export interface ClusterDocuments {
  /** An engine that has them as they are now. */
  readonly engine: () => Promise<Engine>;
  /** Hears that somebody reads their events. */
  readonly followers: Pick<Followers, 'recordReader'>;
}

/** The end of both sources: what comes after it is new. */
export function newestPosition({ engine, records }: EventSources): StreamPosition {
  return { records: records.lastEvent(), documents: { commit: engine.snapshot() } };
}

/**
 * At most `limit` events of each source after `position` are looked at. Throws Problem `events-lost` where something between it and
 * now was forgotten; from the beginning nothing can be lost, it is the beginning of what is kept.
 */
export async function readEvents(
  sources: EventSources,
  position: StreamPosition,
  filter: EventFilter,
  principal: Principal,
  limit: number,
): Promise<EventBatch> {
  const after = await localPosition(sources, position);
  const isElsewhere = sources.clusterDocuments !== undefined;
  if (needsSource('documents', filter, principal)) await sources.clusterDocuments?.followers.recordReader();
  const fromRecords =
    isElsewhere || needsSource('records', filter, principal)
      ? await readRecordEvents(sources.records, after, limit)
      : { events: [], next: newestPosition(sources).records, more: false };
  const at: StreamPosition = { records: fromRecords.next, documents: after.documents };
  const passing = fromRecords.events.filter(({ event }) => mayReceive(event, filter, principal));
  const events: PositionedEvent[] = (await visibleEvents(passing, sources, principal)).map(
    ({ event, position }) => ({
      event,
      position: { ...after, records: position },
    }),
  );
  // One source at a time: while there is more of the first, the second waits, so that limits are limits.
  if (events.length >= limit || fromRecords.more) return { events, next: at, more: true };
  if (isElsewhere || !needsSource('documents', filter, principal)) {
    return { events, next: { ...at, documents: newestPosition(sources).documents }, more: false };
  }
  const guarded = guardEngine(sources.engine, principal);
  const batch = await guarded.changes(after.documents, { limit: limit - events.length });
  if (hasLostEvents(after, batch.completeFrom)) throw eventsLost(after);
  const { changes } = batch;
  for (const [i, change] of changes.entries()) {
    const event = cloudEventOfChange(change);
    if (!mayReceive(event, filter, principal)) continue;
    events.push({ event, position: { records: at.records, documents: positionAfter(changes, i, after) } });
  }
  return { events, next: { records: at.records, documents: batch.next }, more: batch.more };
}

/** Behind a change; where the next one shares its number, before both: whoever goes on from there misses neither. */
function positionAfter(
  changes: readonly Change[],
  i: number,
  after: StreamPosition,
): StreamPosition['documents'] {
  const { commit, item } = changes[i]!;
  const next = changes[i + 1];
  if (next === undefined || next.commit !== commit || next.item !== item) return { commit, item };
  let first = i;
  while (changes[first - 1]?.commit === commit && changes[first - 1]?.item === item) first--;
  const before = changes[first - 1];
  return before === undefined ? after.documents : { commit: before.commit, item: before.item };
}

/** An event of the outbox. */
interface RecordEvent {
  readonly event: CloudEvent;
  readonly position: bigint;
}

/** Those events that a caller may hear of: documents are held against what its key allows, as those of the engine are. */
async function visibleEvents(
  events: readonly RecordEvent[],
  { engine, clusterDocuments }: EventSources,
  principal: Principal,
): Promise<readonly RecordEvent[]> {
  const touched = events.flatMap((each) => {
    const { type, data } = each.event;
    if (!isDocumentEvent(type)) return [];
    // What a filter cannot be held against is told as deletes are.
    const kind = bareType(type) === 'document.indexed' ? ('index' as const) : ('delete' as const);
    return [{ index: String(data['index']), id: String(data['id']), kind, each }];
  });
  if (touched.length === 0) return events;
  const heard = await visibleChanges(touched, principal, clusterDocuments?.engine ?? (() => engine));
  const hidden = new Set(touched.map(({ each }) => each));
  for (const { each } of heard) hidden.delete(each);
  return hidden.size === 0 ? events : events.filter((each) => !hidden.has(each));
}

async function readRecordEvents(
  records: Records,
  after: StreamPosition,
  limit: number,
): Promise<{ events: RecordEvent[]; next: bigint; more: boolean }> {
  const found = await records.read(eventsAfter, { after: after.records, limit });
  if (after.records > 0n && after.records < (await records.read(eventsForgotten, {})))
    throw eventsLost(after);
  return {
    events: found.map((stored) => ({ event: cloudEventOfRecord(stored), position: stored.position })),
    next: found.at(-1)?.position ?? after.records,
    more: found.length >= limit,
  };
}

/** True where a commit of which something is still to come has forgotten some of it. */
function hasLostEvents({ documents }: StreamPosition, completeFrom: number): boolean {
  const { commit, item } = documents;
  return commit > BEGINNING.documents.commit && (item === undefined ? commit + 1 : commit) < completeFrom;
}

function eventsLost(after: StreamPosition): Problem {
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
async function localPosition(sources: EventSources, after: StreamPosition): Promise<StreamPosition> {
  const end = newestPosition(sources);
  const { shared = false } = sources.records;
  const isKnown =
    after.records <= end.records || after.records <= (await sources.records.read(newestEvent, {}));
  const isHere = after.documents.commit <= end.documents.commit;
  // Where documents are elsewhere, their part of a position is that of a data directory they were in before.
  if (isKnown && (isHere || shared || sources.clusterDocuments !== undefined))
    return isHere ? after : { ...after, documents: end.documents };
  throw new Problem(
    'invalid-parameter',
    `The position ${printPosition(after)} is beyond the newest, ${printPosition(end)}: it is not of this server.`,
    { field: 'after' },
  );
}
