// Opens the files of an engine, with the memory for what they hold, and brings its indices back.

import type { Disk } from '../../disk/disk.ts';
import type { LogFinding } from '../../log/chunk/chunk.ts';
import { DocumentLog } from '../../log/log.ts';
import type { LogOptions } from '../../log/log-options.ts';
import type { MappingLimits } from '../../mapping/definition/mapping-limits.ts';
import { type ArenaMemory, createMemory } from '../../memory/arenas.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import type { RecoveryEnvironment } from '../../write/recovery/rebuild-segment.ts';
import { recoverIndices } from '../../write/recovery/recover-indices.ts';
import { SegmentLoader } from '../../write/segment-files/segment-loader.ts';
import { SegmentStore } from '../../write/segment-files/segment-store.ts';
import type { TailEnvironment } from '../../write/writer/batch-tails.ts';
import type { RequiredCommits } from '../retention/required-commits.ts';
import { noteFinding, type OpenFiles, openFiles } from './open-files.ts';
import type { NoteAbout, OpenOptions } from './open-options.ts';

/** Size of the log cache if memory is unlimited. Sources outside it are read from the disk. */
const LOG_CACHE_BYTES = 256 << 20;

/**
 * Share of the memory that a tail may take: two tails wait for their seal, a third fills, and a seal needs
 * room.
 */
const TAIL_SHARE = 1 / 8;

/** The opened files, and the memory for what they hold. */
interface Storage extends OpenFiles {
  readonly memory: ArenaMemory;
  readonly store: SegmentStore;
  /** The memory that a tail may take. */
  readonly tailBytes: number;
  /** Puts the memory budget in force, and ends the threads that load segments. */
  readonly endRecovery: () => void;
}

/** Opens the files and begins to load segments. */
export async function openStorage(
  disk: Disk,
  options: OpenOptions,
  note: (line: string, about?: NoteAbout) => void,
  mappingLimits: MappingLimits,
): Promise<Storage> {
  const { memoryBytes = Number.POSITIVE_INFINITY } = options;
  const logCacheBytes = options.logCacheBytes ?? Math.min(LOG_CACHE_BYTES, Math.floor(memoryBytes / 8));
  const budgetBytes = Math.max(0, memoryBytes - logCacheBytes);
  const memory = createMemory({ budgetBytes });
  const loader = new SegmentLoader({
    ...(options.loadBesideFrom === undefined ? {} : { threadFrom: options.loadBesideFrom }),
    onReading: options.onReading,
  });
  const store = new SegmentStore(disk, memory, loader);
  const openLog = (confirm: LogOptions['confirm']): Promise<DocumentLog> =>
    DocumentLog.open(disk, {
      ...(confirm && { confirm }),
      cacheBytes: logCacheBytes,
      ...(options.logChunkBytes === undefined ? {} : { chunkBytes: options.logChunkBytes }),
      ...(options.ballastBytes === undefined ? {} : { ballastBytes: options.ballastBytes }),
      // Found later, in a part of the log that no start reads.
      onFinding: (finding) => noteFinding(finding, note, false),
    });
  // Recovery may exceed the memory budget: everything acknowledged comes back. New writes are refused then.
  const keepBudget = memory.suspendBudget();
  const files = await openFiles(disk, openLog, { store, note, mappingLimits }).catch((error: unknown) => {
    void loader.close();
    throw error;
  });
  const endRecovery = (): void => {
    keepBudget();
    void loader.close();
  };
  return { ...files, memory, store, tailBytes: budgetBytes * TAIL_SHARE, endRecovery };
}

/** Brings the indices back, and numbers new segments from where theirs end. */
export async function recover(
  { store, log, catalog, states: known, loading, endRecovery }: Storage,
  tailEnvironment: TailEnvironment,
  required: RequiredCommits,
  note: (line: string, about?: NoteAbout) => void,
): Promise<{ readonly states: IndexState[]; readonly newSegmentNumber: () => number }> {
  let nextSegment = 1;
  const newSegmentNumber = (): number => nextSegment++;
  const env: RecoveryEnvironment = {
    ...tailEnvironment,
    ...{ log, store, newSegmentNumber, note },
    onDamage: reportOnce(log.findings, note),
    onMissing: (commits) => required.reportMissing(commits, note),
  };
  try {
    const states = await recoverIndices(catalog, known, loading, log, store, env, (numbers) => {
      nextSegment = Math.max(nextSegment, ...numbers.map((number) => number + 1));
    });
    return { states, newSegmentNumber };
  } finally {
    await loading.catch(() => {});
    endRecovery();
  }
}

/**
 * Reports damage that a replay meets, unless it was reported when the log was opened or by an earlier replay.
 */
function reportOnce(
  known: readonly LogFinding[],
  note: (line: string, about?: NoteAbout) => void,
): (finding: LogFinding) => void {
  const placeOf = ({ chunk, offset }: LogFinding): string => `${chunk}/${offset}`;
  const reported = new Set(known.map(placeOf));
  return (finding) => {
    if (!reported.has(placeOf(finding))) noteFinding(finding, note);
    reported.add(placeOf(finding));
  };
}
