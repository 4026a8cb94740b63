// How does an engine come to life? Lock, then catalog, log and segments, then the replay of what is newer than they are. In
// this order, so that every step can rely on the one before.

import type { Engine } from '../../api.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Disk } from '../../disk/disk.ts';
import { openDisk } from '../../disk/real.ts';
import type { LogFinding } from '../../log/chunk.ts';
import { DocumentLog, type LogOptions } from '../../log/log.ts';
import { createMemory } from '../../memory/arenas.ts';
import type { Memory } from '../../memory/memory.ts';
import { SnapshotStatistics } from '../../query/plan/frozen-statistics.ts';
import { Tail } from '../../tail/tail.ts';
import type { IndexState } from '../../write/index-state.ts';
import { Leases } from '../../write/leases/lease.ts';
import { Maintenance } from '../../write/maintenance/maintenance.ts';
import { SegmentBuilder } from '../../write/maintenance/segment-builder.ts';
import { DocumentsAhead } from '../../write/read-ahead/read-ahead.ts';
import { type RecoveryEnvironment, replay, takeSegments } from '../../write/recovery.ts';
import { SegmentLoader } from '../../write/segment-files/segment-loader.ts';
import { type SegmentMeta, SegmentStore } from '../../write/segment-files/segment-store.ts';
import { encodeSegments, type SegmentsRecord } from '../../write/segment-files/segments-record.ts';
import type { BatchEnvironment } from '../../write/writer/batch.ts';
import { newId } from '../../write/writer/generated-ids.ts';
import { takeBack } from '../../write/writer/rollback.ts';
import { Writer } from '../../write/writer/writer.ts';
import { CommitListeners } from '../commits.ts';
import { openCopy } from '../copy.ts';
import { RunningEngine } from '../engine.ts';
import { refuseBlocked } from '../indices/index-blocks.ts';
import { IndexTable } from '../indices/indices.ts';
import { saveMapping } from '../indices/mapping-changes.ts';
import { CatalogSettings } from '../indices/stored-settings.ts';
import { LimitsInForce } from '../limits.ts';
import { Beforehand } from '../prewarm/commit-prewarmer.ts';
import { WarmUp } from '../prewarm/warm-up.ts';
import { Lender } from '../replica/snapshot-publisher.ts';
import { Changes } from '../replica/snapshot-update.ts';
import { Laggards } from '../retention/log-retention.ts';
import { Kept } from '../retention/required-commits.ts';
import { ChunkSweeper } from '../retention/unused-chunks.ts';
import { searchServices } from '../search-services.ts';
import { sourcesOf } from '../sources.ts';
import { describe, verifyAll } from '../verify.ts';
import { AfterStart } from './after-start.ts';
import { type Beginning, begin, describeLost } from './open-files.ts';
import type { OpenOptions } from './open-options.ts';

/**
 * Opens the data directory `dir` (made where missing) and everything in it. One process at a time: a second one gets
 * an error that names the first. Damaged segments are made again from the log; a damaged log or catalog is an error.
 */
export async function open(dir: string, options: OpenOptions = {}): Promise<Engine> {
  const disk = options.disk ?? (await openDisk(dir));
  const unlock = await disk.lock();
  try {
    return await start(disk, unlock, options);
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** What of the log is kept in memory, where there is no limit. Beyond it sources are read from the disk. */
const LOG_CACHE_BYTES = 256 << 20;

/** Of the memory, what a tail may take: two wait for their seal, while a third fills and a seal needs room. */
const TAIL_SHARE = 1 / 8;

async function start(disk: Disk, unlock: () => Promise<void>, options: OpenOptions): Promise<Engine> {
  const now = options.now ?? Date.now;
  const failed = failureHandler(options);
  const { memoryBytes = Number.POSITIVE_INFINITY } = options;
  const logCacheBytes = options.logCacheBytes ?? Math.min(LOG_CACHE_BYTES, Math.floor(memoryBytes / 8));
  const budgetBytes = Math.max(0, memoryBytes - logCacheBytes);
  const memory = createMemory({ budgetBytes });
  const note = options.onNote ?? (() => {});
  const limits = new LimitsInForce(options.limits);
  const loader = new SegmentLoader({
    ...(options.loadBesideFrom === undefined ? {} : { threadFrom: options.loadBesideFrom }),
    onReading: options.onReading,
  });
  const store = new SegmentStore(disk, memory, loader);
  const openLog = (certain: LogOptions['certain']): Promise<DocumentLog> =>
    DocumentLog.open(disk, {
      ...(certain && { certain }),
      cacheBytes: logCacheBytes,
      ...(options.logChunkBytes === undefined ? {} : { chunkBytes: options.logChunkBytes }),
      ...(options.ballastBytes === undefined ? {} : { ballastBytes: options.ballastBytes }),
      onFinding: (finding) => note(describe(finding)),
    });
  // What was acknowledged comes back, whatever it takes; who writes is refused from then on.
  const keepBudget = memory.suspendBudget();
  const {
    log,
    catalog,
    states: known,
    loading,
  } = await begin(disk, openLog, { store, note, mappingLimits: limits.mapping }).catch((error: unknown) => {
    void loader.close();
    throw error;
  });
  let nextSegment = 1;
  const newSegmentNumber = (): number => nextSegment++;
  const newTail = (within: Memory): Tail =>
    new Tail(within, {
      ...(options.tailDocs !== undefined && { limit: options.tailDocs }),
      mostBytes: budgetBytes * TAIL_SHARE,
    });
  const changes =
    options.lends === true
      ? new Changes({
          memory,
          log,
          states: () => table.byName.values(),
          published: () => writer.published,
          settings: () => settings.all(),
        })
      : undefined;
  const settings = new CatalogSettings(
    catalog,
    changes &&
      ((kind, name, value) => {
        changes.setting({ kind, name, value });
        lender?.tell();
      }),
  );
  const batching: BatchEnvironment = {
    now,
    limits: limits.writes,
    newId: () => newId(now()),
    newTail: () => changes?.newTail(newTail) ?? newTail(memory),
    refuseFields: ({ info }) => refuseBlocked(info, 'change'),
    ...sourcesOf(log),
  };
  const kept = new Kept(catalog, log.lastCommit, failed);
  const states = await recover(
    catalog,
    known,
    loading,
    log,
    store,
    {
      ...{ ...batching, log, store, newSegmentNumber, note, lost: tellOnce(log.findings, note) },
      missing: (commits) => kept.tell(commits, note),
    },
    (numbers) => {
      nextSegment = Math.max(nextSegment, ...numbers.map((number) => number + 1));
    },
  ).finally(async () => {
    await loading.catch(() => {});
    keepBudget();
    void loader.close();
  });
  limits.begin();
  await kept.begin(log, note);
  // Other threads read segments where they lie.
  if (options.lends === true) for (const state of states) await state.words();

  const leases = new Leases(limits.leases, now);
  const sweeper: ChunkSweeper = new ChunkSweeper(
    log,
    () => table.byName.values(),
    () => writer.published,
    (commit) => kept.forget(commit),
    failed,
  );
  const lender = changes && new Lender({ memory, changes, enterLog: () => sweeper.enter() });
  const builder = new SegmentBuilder(
    memory,
    options.threadFrom === undefined ? {} : { threadFrom: options.threadFrom },
  );
  const ahead = new DocumentsAhead({
    source: batching.peek,
    limits: limits.writes,
    ...(options.readAheadFrom === undefined ? {} : { threadFrom: options.readAheadFrom }),
  });
  const services = searchServices(log, memory, now, limits, options);
  const beforehand = new Beforehand(memory, services.caches);
  const maintenance: Maintenance = new Maintenance({
    store,
    builder,
    catalog,
    memory,
    log,
    published: () => writer.published,
    pinned: () => leases.snapshots(),
    newSegmentNumber,
    newTail: batching.newTail,
    beforehand: (state, leaf) => beforehand.segment(state, leaf),
    settled: () => writer.settled(),
    states: () => table.byName.values(),
    moved: () => {
      lender?.tell();
      return sweeper.sweep();
    },
    failed,
  });
  const warmUp: WarmUp = new WarmUp(
    () => writer,
    memory,
    (state) => maintenance.rested(state),
  );
  const commits = new CommitListeners();
  const laggards: Laggards = new Laggards(log, () => table.byName.values(), maintenance);
  const writer: Writer = new Writer(
    {
      ...batching,
      log,
      ahead,
      saveMapping: (state) => saveMapping(catalog, state),
      beforehand: (touched, commit) => beforehand.commit(touched, commit),
      published: (commit, touched) => {
        table.publish(commit);
        kept.reached(commit, log.newestNumber);
        for (const state of touched) {
          state.published(commit);
          maintenance.kick(state);
        }
        lender?.tell();
        laggards.look();
        warmUp.touched(touched);
        commits.tell(commit);
      },
      rollback: takeBack,
      failed,
    },
    log.lastCommit,
  );
  const table: IndexTable = new IndexTable(
    {
      catalog,
      maintenance,
      published: () => writer.published,
      mappingLimits: limits.mapping,
      storedShare: () => log.storedShare,
      now,
      writesDone: () => writer.settled(),
      emptyCommit: () => writer.write([]),
      oldestLease: () => leases.oldest(),
      leasesOf: (index) => leases.countsOf(index),
      dropped: (state) => {
        leases.endOf(state.info.name);
        return maintenance.drop(state);
      },
      changed: () => lender?.tell(),
    },
    states,
    Number(catalog.get('engine', 'nextIndex') ?? 1),
  );
  const later = new AfterStart({
    ...{ log, store, states, failed },
    upkeep: async () => {
      for (const state of table.byName.values()) maintenance.kick(state);
      // A crash may have left moved sources that no segment came to name.
      await maintenance.sweep();
    },
    checked: () => lender?.tell(),
  });
  return new RunningEngine({
    table,
    settings,
    limits,
    lender,
    writer,
    maintenance,
    leases,
    log,
    memory,
    sweeper,
    commits,
    search: services,
    statistics: new SnapshotStatistics(() => leases.snapshots()),
    indexDefaults: options.indexDefaults ?? (() => ({})),
    verify: async (onProgress) => [
      ...kept.missing,
      ...(await verifyAll(log, store, [...table.byName.values()], () => writer.published, onProgress)),
    ],
    copy: () => openCopy(disk, { catalog, log, store, sweeper }),
    close: async () => {
      warmUp.close();
      later.close();
      await writer.idle();
      lender?.close();
      await ahead.close();
      for (const state of table.byName.values()) {
        // A failed disk keeps nobody from closing; what is not sealed is replayed.
        if (state.isReadOtherwise || unsealed(state) >= SEAL_AT_CLOSE)
          await maintenance.flush(state).catch(() => {});
      }
      await maintenance.close();
      await builder.close();
      await sweeper.close();
      await log.close();
      await catalog.close();
      await unlock();
    },
  });
}

/** A tail of so many documents is sealed before the engine closes, so that the next start need not replay it. */
const SEAL_AT_CLOSE = 2_000;

function unsealed(state: IndexState): number {
  return state.tails.reduce((sum, tail) => sum + tail.docCount, 0);
}

/** Tells of damage that replays meet, unless it was told when the log was opened, or by the replay before. */
function tellOnce(known: readonly LogFinding[], note: (line: string) => void): (finding: LogFinding) => void {
  const placeOf = ({ chunk, offset }: LogFinding): string => `${chunk}/${offset}`;
  const told = new Set(known.map(placeOf));
  return (finding) => {
    if (!told.has(placeOf(finding))) note(describeLost(finding));
    told.add(placeOf(finding));
  };
}

/** States of all indices, segments loaded and the log replayed. */
async function recover(
  catalog: Catalog,
  known: Beginning['states'],
  loading: Beginning['loading'],
  log: DocumentLog,
  store: SegmentStore,
  env: RecoveryEnvironment,
  numbered: (segments: readonly number[]) => void,
): Promise<IndexState[]> {
  const states = [...known.values()];
  const named = new Map<number, readonly SegmentMeta[]>();
  const mended: IndexState[] = [];
  for (const [key, record] of catalog.list('segments')) {
    const { segments } = record as unknown as SegmentsRecord;
    named.set(Number(key), segments);
    numbered(segments.map((meta) => meta.number));
  }
  await store.sweep(named);
  const replayed = Number(catalog.get('engine', 'replay') ?? 0);
  const loaded = await loading;
  for (const [key, state] of known) {
    const segments = catalog.get('segments', key) as unknown as SegmentsRecord | undefined;
    if (segments !== undefined && (await takeSegments(state, segments, loaded.get(key)!, replayed, env)))
      mended.push(state);
  }
  const byNumber = new Map(states.map((state) => [state.number, state]));
  await replay(replayed, byNumber, env);
  // Where the catalog has lost a mapping, the documents that it was for have brought it back.
  for (const state of states) state.certainMapping = state.mapping;
  for (const state of mended) await saveMended(catalog, store, state, log.lastCommit);
  if (mended.length > 0) {
    await store.sweep(
      new Map(states.map((state) => [state.number, state.segments.map((entry) => entry.meta)])),
    );
  }
  return states;
}

/** The catalog names what was made again, with its deaths. */
async function saveMended(
  catalog: Catalog,
  store: SegmentStore,
  state: IndexState,
  commit: number,
): Promise<void> {
  for (const entry of state.segments) entry.meta = await store.checkpointDeaths(state.number, entry, commit);
  const value = encodeSegments(
    state,
    state.segments.map((entry) => entry.meta),
  );
  await catalog.commit([{ put: ['segments', String(state.number), value] }]);
}

function failureHandler(options: OpenOptions): (error: unknown) => void {
  let told = false;
  return (error) => {
    if (told) return;
    told = true;
    if (options.onFailure !== undefined) options.onFailure(error);
    else {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}
