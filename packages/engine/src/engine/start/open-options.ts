// How can an engine be opened? Every option with its default.

import type { Disk } from '../../disk/disk.ts';
import type { IndexDefaults } from '../engine.ts';
import type { EngineLimits } from '../limits.ts';

/** Options of `open`. */
export interface OpenOptions {
  /** Another disk than the folder (the simulated one in tests). */
  readonly disk?: Disk;
  /** What a new index gets when a write makes it. @default nothing: dynamic mapping, default settings */
  readonly indexDefaults?: IndexDefaults;
  /** Bytes for segments, tails, orders and filters, and for what is kept of the log. @default unlimited */
  readonly memoryBytes?: number;
  /** Bytes of the document log kept in memory. @default 256 MiB, at most an eighth of `memoryBytes` */
  readonly logCacheBytes?: number;
  /** Size of a chunk of the log. @default 64 MiB */
  readonly logChunkBytes?: number;
  /** File that is given up so that deletes work on a full disk; 0 for none. @default 16 MiB */
  readonly ballastBytes?: number;
  /** Documents of a tail before it is sealed. @default 65,536 */
  readonly tailDocs?: number;
  /** Documents from which on seals and merges run in a thread of their own; Infinity for never. @default 8,192 */
  readonly threadFrom?: number;
  /** Bytes of a write from which on a thread of its own reads its documents; Infinity for never. @default 65,536 */
  readonly readAheadFrom?: number;
  /** Bytes of a segment from which on a thread of its own loads it at the start; Infinity for never. @default 4 MiB */
  readonly loadBesideFrom?: number;
  /** True where other threads are to read (`lend`); needs a disk of the system. @default false */
  readonly allowReplicas?: boolean;
  /** How much may be asked of it; `setLimits` changes that later. @default ENGINE_LIMITS */
  readonly limits?: Partial<EngineLimits>;
  /** Scores as this peer gives them. @default opensearch */
  readonly compat?: 'opensearch' | 'elasticsearch';
  /** Told once when the disk has failed and nothing is certain any more; the process should end. @default throws */
  readonly onFailure?: (error: unknown) => void;
  /** Called once threads have begun to read segments: what else there is to do can be done meanwhile. */
  readonly onReading?: () => void;
  /** One line for each thing that was found damaged and mended at start. */
  readonly onNote?: (line: string) => void;
  readonly now?: () => number;
}
