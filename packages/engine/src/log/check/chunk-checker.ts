// Checks all chunks that no start has read, in a thread. A chunk it does not find intact is read again by the
// serving thread in slices, which finds out what is wrong; so are all chunks if there are no threads or
// descriptors. The findings are the same either way.

import { HelperThread } from '../../thread/helper-thread.ts';
import { type Chunk, type LogFinding, storedBytes } from '../chunk/chunk.ts';
import { FrameMarks } from '../chunk/frame-marks.ts';
import { checkChunkInSlices, finishCheck } from './check-chunk.ts';
import type { CheckAnswer, CheckJob } from './check-messages.ts';

/** Options of checking. */
export interface CheckerOptions {
  /** Chunk files of at least so many bytes are read by the thread; Infinity for never. @default 4 MiB */
  readonly threadFrom?: number;
  /** What runs in the thread. @default check-thread.ts */
  readonly thread?: URL;
}

/** Checks chunks that are unchecked, once. */
export class ChunkChecker {
  readonly #threadFrom: number;
  readonly #thread: HelperThread<CheckJob, CheckAnswer>;
  #checking: Promise<void> | undefined;
  #closed = false;

  constructor(options: CheckerOptions = {}) {
    this.#threadFrom = options.threadFrom ?? 4 << 20;
    const code = options.thread ?? new URL('./check-thread.ts', import.meta.url);
    this.#thread = new HelperThread({
      name: 'octavo check',
      code,
      youngMb: 16,
      idleMs: 1_000,
      warmIdleMs: 1_000,
    });
  }

  /**
   * Checks the unchecked ones of these chunks, unless removed meanwhile (`isOver`); `report` gets the
   * findings of each.
   */
  checkAll(
    chunks: readonly Chunk[],
    isOver: (chunk: Chunk) => boolean,
    report: (findings: readonly LogFinding[]) => void,
  ): Promise<void> {
    this.#checking ??= this.#all(chunks, isOver, report);
    return this.#checking;
  }

  /** Stops checking; resolves when it has stopped. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread.close();
    await this.#checking?.catch(() => {});
  }

  async #all(
    chunks: readonly Chunk[],
    isOver: (chunk: Chunk) => boolean,
    report: (findings: readonly LogFinding[]) => void,
  ): Promise<void> {
    for (const chunk of chunks) {
      // It may have been checked or removed meanwhile.
      const isDue = (): boolean => chunk.unchecked === true && !this.#closed && !isOver(chunk);
      const marks = isDue() ? await this.#marksOf(chunk) : undefined;
      if (!isDue()) continue;
      report(
        marks === undefined
          ? await checkChunkInSlices(chunk, () => !isDue())
          : // The chunk that is appended to has more marks by now.
            finishCheck(chunk, [], chunk.intactFrom === undefined ? new FrameMarks(marks) : chunk.marks),
      );
    }
  }

  /** The marks of an intact chunk; undefined if the thread did not find it intact. */
  async #marksOf(chunk: Chunk): Promise<CheckAnswer['marks']> {
    const { name, descriptor, version } = chunk.file;
    if (descriptor === undefined || storedBytes(chunk) < this.#threadFrom) return undefined;
    const stored = chunk.intactFrom === undefined ? undefined : storedBytes(chunk);
    return (await this.#thread.ask({ number: chunk.number, name, descriptor, version, stored }))?.marks;
  }
}
