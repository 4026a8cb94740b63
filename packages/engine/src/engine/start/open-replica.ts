// What is an engine on a thread that only reads? The same engine over what the writing thread has lent: segments and tails
// lie where they lie, orders, filters and everything else that a search makes belong to this thread. Each call first takes
// in what was told until then.

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

/** Options of `openReader`. */
export interface ReplicaOptions {
  /** Bytes for orders, filters and what is searched of tails, of this thread alone. @default unlimited */
  readonly memoryBytes?: number;
  /** Bytes of the document log kept by this thread. @default 64 MiB */
  readonly logCacheBytes?: number;
  /** How much may be asked of it; those of searches are of use. @default ENGINE_LIMITS */
  readonly limits?: Partial<EngineLimits>;
  /** Scores as this peer gives them. @default opensearch */
  readonly compat?: 'opensearch' | 'elasticsearch';
  readonly now?: () => number;
  /** Told once when it cannot keep up (its memory is full, say): everything is elsewhere from then on. */
  readonly onBroken?: (error: unknown) => void;
}

/**
 * The engine of a loan. What it cannot do (writing, leases, the feed of changes, figures) throws `Elsewhere`, or rejects
 * with it: that is to be asked of the engine that lends.
 */
export function openReplica(loan: ReplicaLink, options: ReplicaOptions = {}): Engine {
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
      published: () => reader.published,
      mappingLimits: limits.mapping,
      storedShare: () => log.storedShare,
      now,
      awaitWrites: () => elsewhere('writes'),
      commitEmpty: () => elsewhere('writes'),
      oldestLease: () => Number.POSITIVE_INFINITY,
      countLeases: () => ({}),
      releaseIndex: () => elsewhere('changes indices'),
      onChange: () => {},
    },
    [],
    1,
  );
  const reader = new SnapshotReceiver(loan, {
    memory,
    log,
    byName: table.byName,
    setting: (kind, name, value) => settings.apply(kind, name, value),
    broken: (error) => options.onBroken?.(error),
  });
  const enter = (): (() => void) => {
    const [leave, leaveLoan] = [memory.beginReading(), reader.enter()];
    return () => {
      leave();
      leaveLoan();
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
        return reader.published;
      },
      write: () => elsewhere('writes'),
    },
    maintenance: { waitForRoom: () => elsewhere('writes'), hasRoom: () => false },
    leases: { open: refuse, get: refuse, close: refuse, list: refuse, pin: refuse },
    log: {
      read: search.readSource,
      feed: () => elsewhere('tells of changes'),
      completeFrom: () => elsewhere('tells of changes'),
    },
    memory: { beginReading: enter },
    // Chunks stay as long as a reading of the loan.
    sweeper: { enter: () => () => {} },
    commits: { add: refuse },
    search,
    statistics: new SnapshotStatistics(() => []),
    indexDefaults: () => ({}),
    publisher: undefined,
    limits,
    verify: () => elsewhere('verifies'),
    copy: () => elsewhere('copies'),
    close: async () => reader.close(),
  });
  return caughtUp(engine, reader);
}

function elsewhere(does: string): Promise<never> {
  return Promise.reject(new NeedsWriterThread(does));
}

function refuse(): never {
  throw new NeedsWriterThread('holds snapshots');
}

/** The engine as it is when it is asked: each call takes in first what was told until then. */
function caughtUp(engine: RunningEngine, reader: SnapshotReceiver): Engine {
  const now = <A extends unknown[], R>(call: (...args: A) => R): ((...args: A) => R) => {
    return (...args) => {
      reader.catchUp();
      return call(...args);
    };
  };
  const { indices, settings } = engine;
  const ownIndices: Indices = {
    names: now(() => indices.names()),
    info: now((name) => indices.info(name)),
    analyze: now((index, body) => indices.analyze(index, body)),
    // Its figures are those of files and of all threads.
    stats: () => {
      throw new NeedsWriterThread('knows figures');
    },
    create: () => elsewhere('changes indices'),
    delete: () => elsewhere('changes indices'),
    putMapping: () => elsewhere('changes indices'),
    putSettings: () => elsewhere('changes indices'),
    updateAliases: () => elsewhere('changes indices'),
    setState: () => elsewhere('changes indices'),
    refresh: () => elsewhere('refreshes'),
    flush: () => elsewhere('looks after segments'),
    forceMerge: () => elsewhere('looks after segments'),
  };
  return {
    indices: ownIndices,
    settings: {
      get: now((kind, name) => settings.get(kind, name)),
      list: now((kind) => settings.list(kind)),
      put: (kind, name, value) => settings.put(kind, name, value),
      remove: (kind, name) => settings.remove(kind, name),
    },
    write: () => elsewhere('writes'),
    get: now((index, id, options) => engine.get(index, id, options)),
    search: async (request) => {
      reader.catchUp();
      return await (ownSnapshot(request) ?? engine.search(request));
    },
    searchPage: (request, read) => {
      reader.catchUp();
      return ownSnapshot(request) ?? engine.searchPage(request, read);
    },
    count: async (request) => {
      reader.catchUp();
      return await (ownSnapshot(request) ?? engine.count(request));
    },
    snapshot: now(() => engine.snapshot()),
    changes: () => elsewhere('tells of changes'),
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

/** Only the writing thread knows what leases keep of older snapshots. */
function ownSnapshot({ snapshot }: { readonly snapshot?: number }): Promise<never> | undefined {
  return snapshot === undefined ? undefined : elsewhere('knows older snapshots');
}
