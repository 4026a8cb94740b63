// Who reads documents while the one thread that answers requests is at other things? A thread of its own: a write is handed
// to it as soon as it comes in, a stretch at a time, and its documents are played into the tail when their turn comes.
// Small writes, and what the thread cannot do or had no time for before it died, are read here. What comes out is the
// same, byte by byte.

import { MAX_NESTING } from '../../json/json-limits.ts';
import type { RecordingReader } from '../../tail/recording/recording.ts';
import { HelperThread } from '../../thread/helper-thread.ts';
import type { DocumentLocation } from '../index-state/index-state.ts';
import type { ResolvedOp } from '../operation/operation.ts';
import type { ReadAheadAnswer, ReadAheadJob } from './messages.ts';
import { ReadAheadCursor, type ReadAheadStretch, splitIntoStretches } from './read-ahead-cursor.ts';
import { StretchSources } from './stretch-sources.ts';
import { ThreadMappings } from './thread-mappings.ts';

/** Options of reading ahead. */
export interface ReadAheadOptions {
  /** Bytes of a write from which on it goes to the thread; Infinity for never. @default 65,536 */
  readonly threadFrom?: number;
  /** What runs in the thread. @default ahead-thread.ts */
  readonly thread?: URL;
  /** The source of a version that is in a leaf. Without it updates are left to the writer. */
  readonly source?: (located: DocumentLocation) => Uint8Array;
  /** The depth that documents may have, by now. @default any that can be read */
  readonly limits?: { readonly nesting: number };
}

/** A write that goes from index to index all the time is read here: its stretches would be shorter than this. */
const LEAST_DOCS = 16;
/** Stretches that the thread has, or that wait to be played. */
const STRETCHES = 6;

/** Has documents read ahead of the writer. */
export class ReadAhead {
  readonly #threadFrom: number;
  readonly #thread: HelperThread<ReadAheadJob, ReadAheadAnswer>;
  /** Not given to the thread yet. */
  #queue: ReadAheadStretch[] = [];
  /** Given to the thread and not played yet. */
  readonly #open = new Set<ReadAheadStretch>();
  readonly #sources: StretchSources;
  readonly #limits: { readonly nesting: number };
  readonly #known = new ThreadMappings();

  constructor(options: ReadAheadOptions = {}) {
    this.#threadFrom = options.threadFrom ?? 65_536;
    this.#sources = new StretchSources(options.source);
    this.#limits = options.limits ?? { nesting: MAX_NESTING };
    const code = options.thread ?? new URL('./read-ahead-thread.ts', import.meta.url);
    this.#thread = new HelperThread({
      name: 'octavo ahead',
      code,
      youngMb: 48,
      idleMs: 10_000,
      onExit: () => this.#forget(),
    });
  }

  /**
   * Begins to read a write of so many bytes, whose updates make documents of about `updatedBytes`; undefined where that is
   * left to the writer. Starts the thread for the next one.
   */
  begin(
    ops: readonly ResolvedOp[],
    bytes: number,
    updatedBytes: number = 1_024,
  ): ReadAheadCursor | undefined {
    if (bytes < this.#threadFrom || !this.#thread.start() || !this.#thread.isReady) return undefined;
    const stretches = splitIntoStretches(ops, updatedBytes);
    if (stretches.length === 0 || stretches.length * LEAST_DOCS > ops.length + LEAST_DOCS) return undefined;
    this.#queue.push(...stretches);
    this.#ask();
    return new ReadAheadCursor(stretches, (stretch) => {
      stretch.end(stretch.recording);
      stretch.recording?.release();
      if (stretch.bytes !== undefined) this.#sources.recycle(stretch.bytes);
      stretch.bytes = undefined;
      this.#open.delete(stretch);
      this.#ask();
    });
  }

  /** True while the thread is there to take writes. */
  get isReady(): boolean {
    return this.#thread.isReady;
  }

  /** Ends the thread; what it has not read is left to the writer. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  /** Gives the thread as much as it may have. */
  #ask(): void {
    while (this.#queue.length > 0 && this.#open.size < STRETCHES) {
      const stretch = this.#queue.shift()!;
      // The writer has given it up.
      if (stretch.isOver) continue;
      const { mapping } = stretch.state;
      if (mapping.routingRequired) {
        stretch.end();
        continue;
      }
      stretch.mapping = mapping;
      const { job: introduced, recordings } = this.#known.introduce(stretch.state);
      const job: ReadAheadJob = {
        ...this.#sources.bytesFor(stretch),
        ...introduced,
        nesting: this.#limits.nesting,
      };
      this.#open.add(stretch);
      const { buffer } = job.bytes;
      const given = [job.starts.buffer, job.ends.buffer];
      if (job.updates !== undefined) given.push(job.updates.patchEnds.buffer, job.updates.always.buffer);
      void this.#thread
        .ask(job, buffer instanceof ArrayBuffer ? [buffer, ...given] : given)
        .then((answer) => this.#answered(stretch, recordings, answer));
    }
  }

  #answered(
    stretch: ReadAheadStretch,
    recordings: RecordingReader,
    answer: Partial<ReadAheadAnswer> = {},
  ): void {
    const { bytes, recorded, patched } = answer;
    if (bytes !== undefined && (patched === undefined || stretch.isOver)) this.#sources.recycle(bytes);
    else stretch.bytes = bytes;
    // Also of one that the writer has given up: the terms that it tells are told once.
    const recording = recorded && recordings.next(recorded);
    stretch.patched = patched;
    if (stretch.isOver) recording?.release();
    else stretch.end(recording);
  }

  /** Without the thread: what it was to read is read by the writer. */
  #forget(): void {
    this.#sources.clear();
    this.#known.clear();
    for (const stretch of this.#queue.splice(0)) stretch.end();
  }
}
