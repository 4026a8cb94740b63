// Opens an engine on a reading thread over what the writing thread shares: segments and tails stay where they
// are; orders, filters and everything else that a search makes belong to this thread. Each call first applies
// the updates sent so far. Why threads read: docs/decisions/2026-11-21-reading-threads.md.

import type { Engine, Indices } from '../../api.ts';
import { createMemory } from '../../memory/arenas.ts';
import { SnapshotStatistics } from '../../query/plan/frozen-statistics.ts';
import { BackgroundWork } from '../../search/background-work.ts';
import { cacheBytes, SearchCaches } from '../../search/caches/search-caches.ts';
import type { SearchServices } from '../../search/services.ts';
import { RunningEngine } from '../engine.ts';
import { IndexTable } from '../indices/index-table.ts';
import { type EngineLimits, LimitsInForce } from '../limits.ts';
import { NeedsWriterThread } from '../replica/needs-writer-thread.ts';
import { ReplicaLog } from '../replica/replica-log.ts';
import type { ReplicaLink } from '../replica/replica-messages.ts';
import { ReplicaSettings } from '../replica/replica-settings.ts';
import { SnapshotReceiver } from '../replica/snapshot-receiver.ts';

/** Options of `openReplica`. */
export interface ReplicaOptions {
  /** Bytes for orders, filters and inverted tails of this thread. @default unlimited */
  readonly memoryBytes?: number;
  /** Bytes of the document log that this thread caches. @default 64 MiB */
  readonly logCacheBytes?: number;
  /** Limits of requests; only those of searches apply. @default ENGINE_LIMITS */
  readonly limits?: Partial<EngineLimits>;
  /** Scores as this peer gives them. @default opensearch */
  readonly compat?: 'opensearch' | 'elasticsearch';
  readonly now?: () => number;
  /**
   * Called once if it cannot keep up (its memory is full, for example): from then on every request needs the
   * writing thread.
   */
  readonly onBroken?: (error: unknown) => void;
}

/**
 * Opens the engine of a link. What it cannot do (writes, leases, the change feed, figures) throws
 * `NeedsWriterThread` or rejects with it: the request has to go to the writing engine.
 */
export function openReplica(link: ReplicaLink, options: ReplicaOptions = {}): Engine {
  const now = options.now ?? Date.now;
  const limits = new LimitsInForce(options.limits);
  const memory = createMemory(options.memoryBytes === undefined ? {} : { budgetBytes: options.memoryBytes });
  const log = new ReplicaLog(options.logCacheBytes ?? 64 << 20);
  const settings = new ReplicaSettings();
  const table = new IndexTable(
    {
      get catalog(): never {
        throw new NeedsWriterThread('changes indices');
      },
      get maintenance(): never {
        throw new NeedsWriterThread('looks after segments');
      },
      published: () => receiver.published,
      mappingLimits: limits.mapping,
      maxTextLength: () => limits.search.query.maxTextLength,
      storedShare: () => log.storedShare,
      now,
      awaitWrites: () => needsWriter('writes'),
      commitEmpty: () => needsWriter('writes'),
      oldestLease: () => Number.POSITIVE_INFINITY,
      countLeases: () => ({}),
      releaseIndex: () => needsWriter('changes indices'),
      onChange: () => {},
    },
    [],
    1,
  );
  const receiver = new SnapshotReceiver(link, {
    memory,
    log,
    byName: table.byName,
    setting: (kind, name, value) => settings.apply(kind, name, value),
    broken: (error) => options.onBroken?.(error),
  });
  const enter = (): (() => void) => {
    const [leave, leaveReading] = [memory.beginReading(), receiver.enter()];
    return () => {
      leave();
      leaveReading();
    };
  };
  const background = new BackgroundWork(enter);
  const search: SearchServices = {
    readSource: (chunk, offset, length) => log.read(chunk, offset, length),
    copySource: (chunk, offset, length, into, at) => log.copy(chunk, offset, length, into, at),
    caches: new SearchCaches(cacheBytes(options.memoryBytes ?? Number.POSITIVE_INFINITY), memory),
    limits: limits.search,
    now,
    background: (key, steps) => background.add(key, steps),
    compat: options.compat ?? 'opensearch',
  };
  const engine = new RunningEngine({
    table,
    settings,
    writer: {
      get published() {
        return receiver.published;
      },
      write: () => needsWriter('writes'),
    },
    maintenance: { waitForRoom: () => needsWriter('writes'), hasRoom: () => false },
    leases: { open: refuse, get: refuse, close: refuse, list: refuse, pin: refuse },
    log: {
      read: search.readSource,
      feed: () => needsWriter('tells of changes'),
      completeFrom: () => needsWriter('tells of changes'),
    },
    memory: { beginReading: enter },
    // A reading of the link keeps chunks too.
    sweeper: { enter: () => () => {} },
    commits: { add: refuse },
    search,
    statistics: new SnapshotStatistics(() => []),
    indexDefaults: () => ({}),
    publisher: undefined,
    limits,
    verify: () => needsWriter('verifies'),
    copy: () => needsWriter('copies'),
    dropUnreadable: () => needsWriter('writes'),
    close: async () => receiver.close(),
  });
  return withUpdates(engine, receiver);
}

function needsWriter(does: string): Promise<never> {
  return Promise.reject(new NeedsWriterThread(does));
}

function refuse(): never {
  throw new NeedsWriterThread('holds snapshots');
}

/** Wraps the engine so that each call first applies the updates sent so far. */
function withUpdates(engine: RunningEngine, receiver: SnapshotReceiver): Engine {
  const updated = <A extends unknown[], R>(call: (...args: A) => R): ((...args: A) => R) => {
    return (...args) => {
      receiver.catchUp();
      return call(...args);
    };
  };
  const { indices, settings } = engine;
  const ownIndices: Indices = {
    names: updated(() => indices.names()),
    info: updated((name) => indices.info(name)),
    analyze: updated((index, body) => indices.analyze(index, body)),
    termVectors: updated((index, request) => indices.termVectors(index, request)),
    // Figures cover files and all threads.
    stats: () => {
      throw new NeedsWriterThread('knows figures');
    },
    create: () => needsWriter('changes indices'),
    delete: () => needsWriter('changes indices'),
    putMapping: () => needsWriter('changes indices'),
    putSettings: () => needsWriter('changes indices'),
    updateAliases: () => needsWriter('changes indices'),
    setState: () => needsWriter('changes indices'),
    refresh: () => needsWriter('refreshes'),
    flush: () => needsWriter('looks after segments'),
    forceMerge: () => needsWriter('looks after segments'),
  };
  return {
    indices: ownIndices,
    settings: {
      get: updated((kind, name) => settings.get(kind, name)),
      list: updated((kind) => settings.list(kind)),
      put: (kind, name, value) => settings.put(kind, name, value),
      remove: (kind, names) => settings.remove(kind, names),
    },
    write: () => needsWriter('writes'),
    get: updated((index, id, options) => engine.get(index, id, options)),
    search: async (request) => {
      receiver.catchUp();
      return await (ownSnapshot(request) ?? engine.search(request));
    },
    searchPage: (request, read) => {
      receiver.catchUp();
      return ownSnapshot(request) ?? engine.searchPage(request, read);
    },
    count: async (request) => {
      receiver.catchUp();
      return await (ownSnapshot(request) ?? engine.count(request));
    },
    snapshot: updated(() => engine.snapshot()),
    changes: () => needsWriter('tells of changes'),
    onCommit: refuse,
    openLease: refuse,
    lease: refuse,
    closeLease: refuse,
    leases: refuse,
    verify: (onProgress) => engine.verify(onProgress),
    copy: () => engine.copy(),
    close: () => engine.close(),
  };
}

/** Only the writing thread knows which older snapshots leases hold. */
function ownSnapshot({ snapshot }: { readonly snapshot?: number }): Promise<never> | undefined {
  return snapshot === undefined ? undefined : needsWriter('knows older snapshots');
}
