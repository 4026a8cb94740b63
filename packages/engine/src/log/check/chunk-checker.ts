// Who reads all that no start has read? A thread, chunk by chunk. One that it does not find whole, and all of them where
// there are no threads or descriptors to lend, is read here in slices, which finds out what is wrong.

import { HelperThread } from '../../thread/helper-thread.ts';
import { type Chunk, type LogFinding, storedBytes } from '../chunk/chunk.ts';
import { FrameMarks } from '../chunk/frame-marks.ts';
import { checkChunkInSlices, finishCheck } from './check-chunk.ts';
import type { CheckAnswer, CheckJob } from './check-messages.ts';

/** Options of checking. */
export interface CheckerOptions {
  /** Bytes of a chunk's file from which on a thread reads it; Infinity for never. @default 4 MiB */
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

  /** Checks those of these chunks that are unchecked and not over when their turn comes; `tell` gets what is found in each. */
  checkAll(
    chunks: readonly Chunk[],
    isOver: (chunk: Chunk) => boolean,
    tell: (findings: readonly LogFinding[]) => void,
  ): Promise<void> {
    this.#checking ??= this.#all(chunks, isOver, tell);
    return this.#checking;
  }

  /** Ends what is under way, and returns when it has. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread.close();
    await this.#checking?.catch(() => {});
  }

  async #all(
    chunks: readonly Chunk[],
    isOver: (chunk: Chunk) => boolean,
    tell: (findings: readonly LogFinding[]) => void,
  ): Promise<void> {
    for (const chunk of chunks) {
      // Others may have read it meanwhile, or removed it.
      const isDue = (): boolean => chunk.unchecked === true && !this.#closed && !isOver(chunk);
      const told = isDue() ? await this.#marksOf(chunk) : undefined;
      if (!isDue()) continue;
      tell(
        told === undefined
          ? await checkChunkInSlices(chunk, () => !isDue())
          : // Of one that is appended to more marks are known by now.
            finishCheck(chunk, [], chunk.intactFrom === undefined ? new FrameMarks(told) : chunk.marks),
      );
    }
  }

  /** Undefined where the thread has not found it whole. */
  async #marksOf(chunk: Chunk): Promise<CheckAnswer['marks']> {
    const { name, descriptor, version } = chunk.file;
    if (descriptor === undefined || storedBytes(chunk) < this.#threadFrom) return undefined;
    const stored = chunk.intactFrom === undefined ? undefined : storedBytes(chunk);
    return (await this.#thread.ask({ number: chunk.number, name, descriptor, version, stored }))?.marks;
  }
}
