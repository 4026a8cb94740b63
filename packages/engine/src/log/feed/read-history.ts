// Reads the feed from chunks, from any position: merges the fresh chunks, one after the other, with the moved
// ones that may hold older commits. Each chunk is entered at its mark, so the cost is that of the records
// read.

import { Turn } from '../../turn.ts';
import { checkChunkInSlices } from '../check/check-chunk.ts';
import type { Chunk, LogFinding } from '../chunk/chunk.ts';
import { scanFrames } from '../chunk/scan-frames.ts';
import { decodeRecords, type LogRecord } from '../format/record.ts';
import type { FeedPage, FeedPageBuilder } from './feed-page.ts';

/** Bytes read at a time: a page is short, and several chunks may be open. */
const WINDOW = 256 << 10;

/**
 * Fills a page from chunks with commits up to `upTo`. Unreadable frames are skipped. Rejects with errors of
 * the disk, also if a chunk is removed meanwhile.
 */
export async function readHistory(
  chunks: readonly Chunk[],
  page: FeedPageBuilder,
  upTo: number,
  onFindings: (findings: LogFinding[]) => void,
): Promise<FeedPage> {
  const first = page.firstCommit;
  const wanted = chunks.filter(({ firstCommit, lastCommit }) => lastCommit >= first && firstCommit <= upTo);
  const runs = [
    new Run(
      wanted.filter(({ kind }) => kind === 'fresh'),
      first,
    ),
    ...wanted.filter(({ kind }) => kind === 'moved').map((chunk) => new Run([chunk], first)),
  ];
  const turn = new Turn();
  for (;;) {
    const commit = runs.reduce((least, run) => Math.min(least, run.bound), Number.POSITIVE_INFINITY);
    if (commit > upTo) return page.page(upTo);
    // A run that may begin with this commit has to be opened to know.
    const closed = runs.filter((run) => run.bound === commit && !run.isOpen);
    for (const run of closed) await run.open(onFindings);
    if (closed.length > 0) continue;
    page.begin(commit);
    for (const run of runs) {
      for (let record = run.record; record?.commit === commit; record = run.record) {
        page.add(record);
        run.advance();
      }
    }
    if (!page.end()) return page.page();
    if (turn.isOver()) await turn.next();
  }
}

/** Consecutive chunks, ascending by commit. */
class Run {
  readonly #chunks: readonly Chunk[];
  readonly #first: number;
  #at = 0;
  #records: Iterator<LogRecord> | undefined;
  /** The next record; its views are valid until the run advances. */
  record: LogRecord | undefined;

  constructor(chunks: readonly Chunk[], first: number) {
    this.#chunks = chunks;
    this.#first = first;
  }

  get isOpen(): boolean {
    return this.#records !== undefined;
  }

  /** Lower bound of the commits left. */
  get bound(): number {
    if (this.record !== undefined) return this.record.commit;
    const chunk = this.#chunks[this.#at];
    return chunk === undefined ? Number.POSITIVE_INFINITY : Math.max(chunk.firstCommit, this.#first);
  }

  /** Opens the next chunk. */
  async open(onFindings: (findings: LogFinding[]) => void): Promise<void> {
    const chunk = this.#chunks[this.#at++]!;
    // The check sets the marks.
    if (chunk.unchecked === true) onFindings(await checkChunkInSlices(chunk, () => false));
    this.#records = recordsFrom(chunk, this.#first);
    this.advance();
  }

  advance(): void {
    const next = this.#records!.next();
    this.record = next.done === true ? undefined : next.value;
    if (this.record === undefined) this.#records = undefined;
  }
}

function* recordsFrom(chunk: Chunk, first: number): Generator<LogRecord> {
  const start = chunk.marks.before(first - 1);
  for (const step of scanFrames(chunk.file, chunk.number, start, chunk.end, WINDOW)) {
    if (step.kind === 'bad' || step.header.commit < first) continue;
    for (const record of decodeRecords(step.bytes, step.header)) if (record.commit >= first) yield record;
  }
}

/**
 * A commit from which on the log is complete; no further back than `wanted`. Fresh chunks with consecutive
 * numbers follow each other. Between others there may be moved chunks, or lost fresh ones: the commits of
 * their frames decide.
 */
export async function completeFrom(
  chunks: readonly Chunk[],
  newest: Chunk,
  wanted: number,
  onFindings: (findings: LogFinding[]) => void,
): Promise<number> {
  const numbers = new Set(chunks.map(({ number }) => number));
  let from = newest.firstCommit;
  let above = newest;
  for (const chunk of chunks.toReversed()) {
    if (chunk.number >= newest.number || chunk.kind === 'moved') continue;
    if (from <= wanted || above.bad !== undefined) break;
    if (hasGap(numbers, chunk.number, above.number)) {
      if (chunk.unchecked === true) onFindings(await checkChunkInSlices(chunk, () => false));
      if (chunk.marks.lastCommit !== above.firstCommit - 1) break;
    }
    if (chunk.bad !== undefined) break;
    from = chunk.firstCommit;
    above = chunk;
  }
  return newest.bad === undefined ? from : newest.lastCommit + 1;
}

function hasGap(numbers: ReadonlySet<number>, low: number, high: number): boolean {
  for (let number = low + 1; number < high; number++) if (!numbers.has(number)) return true;
  return false;
}
