// Reads the events after a position, a batch from both sources. Nothing is queued for a follower, however
// slow it is.

import type { Change, Engine } from '@octavo/engine';
import { eventsAfter, forgottenEvents, newestEvent, type Records } from '@octavo/records';
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

/** An event and the position after it. */
export interface PositionedEvent {
  readonly event: CloudEvent;
  readonly position: StreamPosition;
}

/** The events after a position. */
export interface EventBatch {
  readonly events: readonly PositionedEvent[];
  /** Where to continue, after filtered events. */
  readonly next: StreamPosition;
  /** True if there are more events now. */
  readonly more: boolean;
}

/** The sources of events. */
export interface EventSources {
  readonly engine: Engine;
  readonly records: Records;
  /** Set if the documents are in a cluster: their events are then in the outbox of the records. */
  readonly clusterDocuments?: ClusterDocuments | undefined;
}

/** Documents in a cluster. */
export interface ClusterDocuments {
  /** An engine that reads their present state. */
  readonly engine: () => Promise<Engine>;
  /** Learns that somebody reads their events. */
  readonly followers: Pick<Followers, 'recordReader'>;
}

/** The end of both sources; events after it are new. */
export function newestPosition({ engine, records }: EventSources): StreamPosition {
  return { records: records.lastEvent(), documents: { commit: engine.snapshot() } };
}

/**
 * Reads at most `limit` events of each source after `position`. Throws Problem `events-lost` if events after
 * it have expired; nothing can be lost after the beginning, which is that of the retained events.
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
  // One source at a time: the second waits until the first is exhausted, so that `limit` holds.
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

/**
 * The position after a change. If the next change shares its number, the position before both, so that
 * neither is missed.
 */
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

interface RecordEvent {
  readonly event: CloudEvent;
  readonly position: bigint;
}

/** The events a caller may receive: document events are checked against its key, like those of the engine. */
async function visibleEvents(
  events: readonly RecordEvent[],
  { engine, clusterDocuments }: EventSources,
  principal: Principal,
): Promise<readonly RecordEvent[]> {
  const touched = events.flatMap((each) => {
    const { type, data } = each.event;
    if (!isDocumentEvent(type)) return [];
    // Changes that cannot be checked against a filter are treated like deletions.
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
  if (after.records > 0n && after.records < (await records.read(forgottenEvents, {})))
    throw eventsLost(after);
  return {
    events: found.map((stored) => ({ event: cloudEventOfRecord(stored), position: stored.position })),
    next: found.at(-1)?.position ?? after.records,
    more: found.length >= limit,
  };
}

/** True if part of a commit after the position has expired. */
function hasLostEvents({ documents }: StreamPosition, completeFrom: number): boolean {
  const { commit, item } = documents;
  return commit > BEGINNING.documents.commit && (item === undefined ? commit + 1 : commit) < completeFrom;
}

function eventsLost(after: StreamPosition): Problem {
  return new Problem(
    'events-lost',
    `Events after ${printPosition(after)} have expired. Read what you follow again, then continue from the ` +
      'newest position (no after), or from the oldest event (after=0).',
    { field: 'after' },
  );
}

/**
 * The position on this server. A position of another data directory is refused, since no event would ever
 * follow it. A reader may be ahead of its writer's announcement. Among servers with shared records, the
 * position may come from another one, whose documents are not here.
 */
async function localPosition(sources: EventSources, after: StreamPosition): Promise<StreamPosition> {
  const end = newestPosition(sources);
  const { shared = false } = sources.records;
  const isKnown =
    after.records <= end.records || after.records <= (await sources.records.read(newestEvent, {}));
  const isHere = after.documents.commit <= end.documents.commit;
  // With documents in a cluster, the document part comes from a data directory used before.
  if (isKnown && (isHere || shared || sources.clusterDocuments !== undefined))
    return isHere ? after : { ...after, documents: end.documents };
  throw new Problem(
    'invalid-parameter',
    `The position ${printPosition(after)} is after the newest, ${printPosition(end)}: it comes from another server.`,
    { field: 'after' },
  );
}
