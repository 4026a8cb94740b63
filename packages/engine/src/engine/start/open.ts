// Opens an engine: the lock, then catalog, log and segments, then the replay of what is newer than the
// segments; then the parts are created and joined. Each step relies on the one before. `close` undoes it in
// reverse.

import type { Engine } from '../../api.ts';
import type { Disk } from '../../disk/disk.ts';
import { openDisk } from '../../disk/real.ts';
import type { Memory } from '../../memory/memory.ts';
import { SnapshotStatistics } from '../../query/plan/frozen-statistics.ts';
import { Tail } from '../../tail/tail.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import { Leases } from '../../write/leases/leases.ts';
import { Maintenance } from '../../write/maintenance/maintenance.ts';
import { SegmentBuilder } from '../../write/maintenance/segment-builder.ts';
import { newId } from '../../write/operation/document-id.ts';
import { ReadAhead } from '../../write/read-ahead/read-ahead.ts';
import type { BatchEnvironment } from '../../write/writer/index-batch.ts';
import { Writer } from '../../write/writer/writer.ts';
import { CommitListeners } from '../commit-listeners.ts';
import { dropUnreadable } from '../drop-unreadable.ts';
import { RunningEngine } from '../engine.ts';
import { CatalogSettings } from '../indices/catalog-settings.ts';
import { refuseBlocked } from '../indices/index-blocks.ts';
import { IndexTable } from '../indices/index-table.ts';
import { saveMapping } from '../indices/mapping-changes.ts';
import { LimitsInForce } from '../limits.ts';
import { logSources } from '../log-sources.ts';
import { openCopy } from '../open-copy.ts';
import { CommitPrewarmer } from '../prewarm/commit-prewarmer.ts';
import { WarmUp } from '../prewarm/warm-up.ts';
import { SnapshotDiff } from '../replica/snapshot-diff.ts';
import { SnapshotPublisher } from '../replica/snapshot-publisher.ts';
import { ChunkSweeper } from '../retention/chunk-sweeper.ts';
import { LogRetention } from '../retention/log-retention.ts';
import { RequiredCommits } from '../retention/required-commits.ts';
import { createSearchServices } from '../search-services.ts';
import { verifyAll } from '../verify-all.ts';
import { DeferredStart } from './deferred-start.ts';
import type { OpenOptions } from './open-options.ts';
import { openStorage, recover } from './storage.ts';

/**
 * Opens the data directory `dir` (created if missing) and everything in it. One process at a time: a second
 * one gets an error that names the first. Damaged segments are rebuilt from the log; a damaged catalog is an
 * error.
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

async function start(disk: Disk, unlock: () => Promise<void>, options: OpenOptions): Promise<Engine> {
  const now = options.now ?? Date.now;
  const onFailure = failureHandler(options);
  const note = options.onNote ?? (() => {});
  const limits = new LimitsInForce(options.limits);
  const storage = await openStorage(disk, options, note, limits.mapping);
  const { memory, store, log, catalog } = storage;
  const newTail = (within: Memory): Tail =>
    new Tail(within, {
      ...(options.tailDocs !== undefined && { limit: options.tailDocs }),
      mostBytes: storage.tailBytes,
    });
  const diff =
    options.allowReplicas === true
      ? new SnapshotDiff({
          memory,
          log,
          states: () => table.byName.values(),
          published: () => writer.published,
          settings: () => settings.all(),
        })
      : undefined;
  const settings = new CatalogSettings(
    catalog,
    diff &&
      ((kind, name, value) => {
        diff.addSetting({ kind, name, value });
        publisher?.publish();
      }),
  );
  const batchEnvironment: BatchEnvironment = {
    now,
    limits: limits.writes,
    newId: () => newId(now()),
    newTail: () => diff?.newTail(newTail) ?? newTail(memory),
    refuseFields: ({ info }) => refuseBlocked(info, 'change'),
    ...logSources(log),
  };
  const required = new RequiredCommits(catalog, log.lastCommit, onFailure);
  const { states, newSegmentNumber } = await recover(storage, batchEnvironment, required, note);
  limits.enforce();
  await required.begin(log, note);
  // Replicas read segments where they lie, so their words have to be unpacked.
  if (options.allowReplicas === true) for (const state of states) await state.loadWords();

  const leases = new Leases(limits.leases, now);
  const sweeper: ChunkSweeper = new ChunkSweeper(
    log,
    () => table.byName.values(),
    () => writer.published,
    (commit) => required.allowRemoval(commit),
    onFailure,
  );
  const publisher = diff && new SnapshotPublisher({ memory, diff, enterLog: () => sweeper.enter() });
  const builder = new SegmentBuilder(
    memory,
    options.threadFrom === undefined ? {} : { threadFrom: options.threadFrom },
  );
  const readAhead = new ReadAhead({
    source: batchEnvironment.peek,
    limits: limits.writes,
    ...(options.readAheadFrom === undefined ? {} : { threadFrom: options.readAheadFrom }),
  });
  const services = createSearchServices(log, memory, now, limits, options);
  const prewarmer = new CommitPrewarmer(memory, services.caches, services.readSource);
  const maintenance: Maintenance = new Maintenance({
    store,
    builder,
    catalog,
    memory,
    log,
    published: () => writer.published,
    leasedSnapshots: () => leases.snapshots(),
    newSegmentNumber,
    newTail: batchEnvironment.newTail,
    prewarm: (state, leaf) => prewarmer.prewarmSegment(state, leaf),
    awaitPublished: () => writer.awaitPublished(),
    states: () => table.byName.values(),
    onSaved: () => {
      publisher?.publish();
      return sweeper.sweep();
    },
    onFailure,
  });
  const warmUp: WarmUp = new WarmUp(
    () => writer,
    memory,
    (state) => maintenance.sealIdle(state),
  );
  const commits = new CommitListeners();
  const retention: LogRetention = new LogRetention(log, () => table.byName.values(), maintenance);
  const writer: Writer = new Writer(
    {
      ...batchEnvironment,
      log,
      readAhead,
      saveMapping: (state) => saveMapping(catalog, state),
      prewarm: (touched, commit) => prewarmer.prewarmCommit(touched, commit),
      onPublished: (commit, touched) => {
        table.publish(commit);
        deferredStart.noteWrite();
        required.note(commit, log.newestNumber);
        for (const state of touched) {
          state.publish(commit);
          maintenance.schedule(state);
        }
        publisher?.publish();
        retention.check();
        warmUp.noteWrites(touched);
        commits.notify(commit);
      },
      onFailure,
    },
    log.lastCommit,
  );
  const table: IndexTable = new IndexTable(
    {
      catalog,
      maintenance,
      published: () => writer.published,
      mappingLimits: limits.mapping,
      maxTextLength: () => limits.search.query.maxTextLength,
      storedShare: () => log.storedShare,
      now,
      awaitWrites: () => writer.awaitPublished(),
      commitEmpty: () => writer.write([]),
      oldestLease: () => leases.oldest(),
      countLeases: (index) => leases.countsFor(index),
      releaseIndex: (state) => {
        leases.closeForIndex(state.info.name);
        return maintenance.drop(state);
      },
      onChange: () => publisher?.publish(),
    },
    states,
    Number(catalog.get('engine', 'nextIndex') ?? 1),
  );
  const deferredStart: DeferredStart = new DeferredStart({
    ...{ log, store, states, onFailure },
    upkeep: async () => {
      await store.removeLeftovers();
      for (const state of table.byName.values()) maintenance.schedule(state);
      // A crash may have left moved sources that no segment names.
      await maintenance.sweep();
    },
    onLogChecked: () => publisher?.publish(),
  });
  return new RunningEngine({
    table,
    settings,
    limits,
    publisher,
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
      ...required.missing,
      ...(await verifyAll(log, store, [...table.byName.values()], () => writer.published, onProgress)),
    ],
    dropUnreadable: (write) =>
      dropUnreadable({
        ...{ log, maintenance, write },
        states: () => table.byName.values(),
      }),
    copy: () => openCopy(disk, { catalog, log, store, sweeper }),
    close: async () => {
      warmUp.close();
      const upkeep = deferredStart.close();
      await writer.awaitIdle();
      await upkeep;
      publisher?.close();
      await readAhead.close();
      await flushAtClose(table, maintenance);
      await maintenance.close();
      await builder.close();
      await sweeper.close();
      await log.close();
      await catalog.close();
      await unlock();
    },
  });
}

/**
 * An index with so many unsealed documents is flushed at close, so that the next start need not replay them.
 */
const SEAL_AT_CLOSE = 2_000;

async function flushAtClose({ byName }: IndexTable, maintenance: Maintenance): Promise<void> {
  for (const state of byName.values()) {
    // A failed disk must not keep the engine from closing: what is not sealed is replayed.
    if (state.hasOldMappingTails || countUnsealed(state) >= SEAL_AT_CLOSE)
      await maintenance.flush(state).catch(() => {});
  }
}

function countUnsealed(state: IndexState): number {
  return state.tails.reduce((sum, tail) => sum + tail.docCount, 0);
}

function failureHandler(options: OpenOptions): (error: unknown) => void {
  let isReported = false;
  return (error) => {
    if (isReported) return;
    isReported = true;
    if (options.onFailure !== undefined) options.onFailure(error);
    else {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}
