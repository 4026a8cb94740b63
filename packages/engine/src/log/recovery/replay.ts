// Replays the log: all records behind a commit, each once, merged by commit from the fresh chunks and the
// moved ones (which hold older records in later places).
//
//   fresh    1 2 3 4 │ . . . . │ 9 10 11        commits 5 … 8 were in a chunk that was rewritten and removed
//   moved    6 8                                -> 1 2 3 4 6 8 9 10 11
//
// Between the rewriting of a chunk and its removal both copies exist: the fresh one is used, else the one of
// the newest chunk. Replay begins at a mark that its first frame confirms.

import { Turn } from '../../turn.ts';
import type { Chunk, LogFinding } from '../chunk/chunk.ts';
import { type FrameStep, scanFrames } from '../chunk/scan-frames.ts';
import { CHUNK_HEADER } from '../format/format.ts';
import { decodeRecords, type LogRecord } from '../format/record.ts';
import { salvageRecords } from './salvage-records.ts';

/**
 * Commits that no fresh chunk has although earlier and later ones exist. Moved records of them are still
 * visited.
 */
export interface MissingCommits {
  readonly first: number;
  readonly last: number;
}

/** Callbacks of a replay. */
export interface LogVisitor {
  /** A record; `record.id` and `record.source` are views valid only during the call. */
  record(record: LogRecord): void;
  /** All records of this commit that are still in the log were visited. */
  commit?(commit: number): void | Promise<void>;
  /** Unreadable frames were skipped. */
  damage?(finding: LogFinding): void;
  /**
   * A chunk does not begin with the commit after those before it. The chunk in between may have been removed
   * rightly.
   */
  missing?(commits: MissingCommits): void;
}

/** A cursor over the records of one chunk behind commit `after`. */
class Cursor {
  readonly chunk: Chunk;
  readonly #records: Iterator<LogRecord>;
  record: LogRecord | undefined;

  constructor(chunk: Chunk, after: number, damage: (finding: LogFinding) => void) {
    this.chunk = chunk;
    this.#records = recordsOf(chunk, after, damage);
    this.advance();
  }

  advance(): void {
    const next = this.#records.next();
    this.record = next.done === true ? undefined : next.value;
  }
}

/**
 * Visits all records with a commit above `after`. Memory: a window of 4 MiB for the fresh chunks and one per
 * moved chunk.
 */
export async function replayChunks(
  chunks: readonly Chunk[],
  after: number,
  visitor: LogVisitor,
): Promise<void> {
  const damage = (finding: LogFinding): void => visitor.damage?.(finding);
  const wanted = chunks.filter((chunk) => chunk.lastCommit > after);
  const moved = wanted
    .filter(({ kind }) => kind === 'moved')
    .map((chunk) => new Cursor(chunk, after, damage));
  let current = 0;
  const turn = new Turn();
  const visit = async (record: LogRecord): Promise<void> => {
    if (record.commit !== current && current !== 0) {
      await visitor.commit?.(current);
      if (turn.isOver()) await turn.next();
    }
    current = record.commit;
    visitor.record(record);
  };
  /** The last commit that was passed, or may be in unreadable frames. */
  let passed = after;
  const pass = (commit: number): void => {
    passed = commit;
  };
  for (const chunk of wanted) {
    if (chunk.kind === 'moved') continue;
    const { firstCommit } = chunk;
    if (firstCommit > passed + 1 && !isHeadless(chunk))
      visitor.missing?.({ first: passed + 1, last: firstCommit - 1 });
    for (const record of recordsOf(chunk, after, damage, pass)) {
      if (record.commit !== current) await visitMoved(moved, record.commit, visit);
      if (record.commit === current) visitor.record(record);
      else await visit(record);
    }
  }
  await visitMoved(moved, Number.POSITIVE_INFINITY, visit);
  if (current !== 0) await visitor.commit?.(current);
}

/** Visits moved records below a commit, and skips those of that commit: its fresh records come next. */
async function visitMoved(
  cursors: Cursor[],
  below: number,
  visit: (record: LogRecord) => Promise<void>,
): Promise<void> {
  for (;;) {
    const commit = cursors.reduce((least, { record }) => Math.min(least, record?.commit ?? least), below);
    if (commit === below) break;
    const visited = new Set<string>();
    const withCommit = cursors.filter(({ record }) => record?.commit === commit).reverse();
    for (const cursor of withCommit)
      for (; cursor.record?.commit === commit; cursor.advance()) {
        const key = `${cursor.record.indexNumber}/${cursor.record.seqNo}`;
        if (withCommit.length > 1 && visited.has(key)) continue;
        if (withCommit.length > 1) visited.add(key);
        await visit(cursor.record);
      }
  }
  for (const cursor of cursors) while (cursor.record?.commit === below) cursor.advance();
}

/** Whether the header of a chunk is damaged: then its first commit is that of its first readable frame. */
function isHeadless({ bad }: Chunk): boolean {
  return bad?.some(({ offset }) => offset === 0) === true;
}

function* recordsOf(
  chunk: Chunk,
  after: number,
  damage: (finding: LogFinding) => void,
  pass: (commit: number) => void = () => {},
): Generator<LogRecord> {
  for (const step of framesBehind(chunk, after)) {
    pass(step.kind === 'bad' ? chunk.lastCommit : step.header.commit);
    if (step.kind === 'bad') {
      const { offset, length } = step;
      damage({ chunk: chunk.number, offset, length, kind: 'damaged', reason: 'frames cannot be read' });
      for (const record of salvageRecords(chunk, offset, length)) if (record.commit > after) yield record;
    } else if (step.header.commit > after) {
      for (const record of decodeRecords(step.bytes, step.header)) if (record.commit > after) yield record;
    }
  }
}

/**
 * The frames from the mark on. The first one must be intact and have a commit up to `after`, or the scan
 * starts at the first frame: marks of an unchecked chunk are made of headers alone.
 */
function framesBehind(chunk: Chunk, after: number): Iterable<FrameStep> {
  const { file, number, end } = chunk;
  const start = chunk.kind === 'fresh' ? chunk.marks.before(after) : CHUNK_HEADER;
  const steps = scanFrames(file, number, start, end);
  const first = steps.next();
  const isRight = first.done !== true && first.value.kind === 'frame' && first.value.header.commit <= after;
  return isRight ? steps : scanFrames(file, number, CHUNK_HEADER, end);
}
