// The options of `open`, each with its default.

import type { Disk } from '../../disk/disk.ts';
import type { LogFinding } from '../../log/chunk/chunk.ts';
import type { IndexDefaults } from '../engine.ts';
import type { EngineLimits } from '../limits.ts';

/** What a line of a start tells of the log; absent for what the start has mended for good. */
export interface NoteAbout {
  /** `torn`: the last append was cut off; if it was acknowledged, its write is lost. Others stay as they are. */
  readonly kind: LogFinding['kind'];
  /** How the line of `verify` about the same damage begins. */
  readonly place: string;
}

/** Notes without those that tell of damage which one of the `findings` tells of as well. */
export function withoutRepeats(
  notes: readonly { readonly line: string; readonly about?: NoteAbout | undefined }[],
  findings: readonly string[],
): string[] {
  const isRepeated = (about: NoteAbout | undefined): boolean =>
    about !== undefined && findings.some((finding) => finding.startsWith(about.place));
  return notes.filter(({ about }) => !isRepeated(about)).map(({ line }) => line);
}

/** Options of `open`. */
export interface OpenOptions {
  /** Another disk than the folder (the simulated one in tests). */
  readonly disk?: Disk;
  /**
   * Settings and mappings of an index that a write creates. @default none: dynamic mapping, default settings
   */
  readonly indexDefaults?: IndexDefaults;
  /** Bytes for segments, tails, orders, filters and the log cache. @default unlimited */
  readonly memoryBytes?: number;
  /** Bytes of the document log kept in memory. @default 256 MiB, at most an eighth of `memoryBytes` */
  readonly logCacheBytes?: number;
  /** Size of a chunk of the log. @default 64 MiB */
  readonly logChunkBytes?: number;
  /** Size of the file that is removed so that deletes work on a full disk; 0 for none. @default 16 MiB */
  readonly ballastBytes?: number;
  /** Documents of a tail before it is sealed. @default 65,536 */
  readonly tailDocs?: number;
  /** Seals and merges of at least so many documents run in a thread; Infinity for never. @default 8,192 */
  readonly threadFrom?: number;
  /**
   * Documents of writes of at least so many bytes are parsed by a thread; Infinity for never. @default 65,536
   */
  readonly readAheadFrom?: number;
  /**
   * Segments of at least so many bytes are loaded by threads at the start; Infinity for never. @default 4 MiB
   */
  readonly loadBesideFrom?: number;
  /** Allows reading threads (`attachReplica`); needs a disk of the system. @default false */
  readonly allowReplicas?: boolean;
  /** Limits of requests; `setLimits` changes them later. @default ENGINE_LIMITS */
  readonly limits?: Partial<EngineLimits>;
  /** Scores as this peer gives them. @default opensearch */
  readonly compat?: 'opensearch' | 'elasticsearch';
  /**
   * Called once when the disk has failed and its state is unknown; the process should end. @default throws
   */
  readonly onFailure?: (error: unknown) => void;
  /** Called once threads have begun to read segments: other work of the start can run meanwhile. */
  readonly onReading?: () => void;
  /** Gets one line for each damage that the start found. */
  readonly onNote?: (line: string, about?: NoteAbout) => void;
  readonly now?: () => number;
}
