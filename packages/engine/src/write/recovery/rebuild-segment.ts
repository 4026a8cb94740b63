// Makes a damaged segment again from the records of the log in its range of commits.
//
// - With its sequence numbers it becomes exactly what it was, and its deaths file fits.
// - With the numbers of its living documents alone, dead ones stay away.
// - Without either, every record of the range comes back, dead where a later version exists. Documents
// deleted so long ago that the log has dropped the delete may come back; that is reported.

import type { LogFinding } from '../../log/chunk/chunk.ts';
import type { LogRecord } from '../../log/format/record.ts';
import type { DocumentLog } from '../../log/log.ts';
import type { MissingCommits } from '../../log/recovery/replay.ts';
import { mergeSegments } from '../../merge/merge-segments.ts';
import type { SegmentBytes } from '../../segment/section-writer.ts';
import type { Tail } from '../../tail/tail.ts';
import { runSliced } from '../../turn.ts';
import type { IndexState } from '../index-state/index-state.ts';
import { carryDeaths } from '../maintenance/carry-deaths.ts';
import { DamagedSegment } from '../segment-files/deaths-file.ts';
import type { SegmentEntry, SegmentMeta, SegmentStore } from '../segment-files/segment-store.ts';
import type { TailEnvironment } from '../writer/batch-tails.ts';
import type { LoadingEnvironment } from './load-segments.ts';
import { ReplayBatch } from './replay-batch.ts';

/** What recovery needs of the engine. */
export interface RecoveryEnvironment extends TailEnvironment, LoadingEnvironment {
  readonly log: DocumentLog;
  readonly newSegmentNumber: () => number;
  /** Gets frames that a replay could not read: their records are in no segment. */
  readonly onDamage: (finding: LogFinding) => void;
  /** Gets commits that a replay does not find. */
  readonly onMissing: (commits: MissingCommits) => void;
}

/** Which records of the log belong to a segment. Commits alone do not tell: one may lie in two segments. */
export interface RecordBounds {
  /** Deaths up to this commit are found here; the replay brings later ones. */
  readonly known: number;
  /** Sequence numbers lie between these, both excluded. */
  readonly after: number;
  readonly before: number;
}

/** Makes a segment again from the records of its index. O(log). */
export async function rebuildSegment(
  state: IndexState,
  meta: SegmentMeta,
  bounds: RecordBounds,
  env: RecoveryEnvironment,
): Promise<SegmentEntry> {
  const what = `segment ${meta.number} of [${state.info.name}]`;
  const numbers = await env.store.numbers(state.number, meta);
  if (numbers === undefined) env.note(`${what}: its sequence numbers are lost too`);
  else {
    const entry = await remake(state, meta, bounds, new Set(numbers), env);
    try {
      if (entry.leaf.docCount === numbers.length) {
        await env.store.loadDeaths(state.number, { ...entry, meta });
        return entry;
      }
      env.note(
        `${what}: ${numbers.length - entry.leaf.docCount} documents are lost with what is damaged in the log`,
      );
    } catch (error) {
      if (!(error instanceof DamagedSegment)) throw error;
      env.note(`${error.message}: finding its deaths in the log`);
    }
    env.store.release(entry);
  }
  const living = await env.store.living(state.number, meta);
  if (typeof living !== 'string') {
    const entry = await remake(state, meta, bounds, new Set(living), env);
    const lost = living.length - entry.leaf.docCount;
    if (lost > 0) env.note(`${what}: ${lost} documents are lost with what is damaged in the log`);
    return entry;
  }
  const complete = await env.log.completeFrom(meta.firstCommit);
  if (complete > meta.firstCommit)
    env.note(
      `${what}: which documents lived is lost too; some that were deleted before commit ${complete} may be back`,
    );
  return await remake(state, meta, bounds, undefined, env);
}

/**
 * A segment of the records with the wanted sequence numbers; without numbers, of all records of the range,
 * with deaths.
 */
async function remake(
  state: IndexState,
  meta: SegmentMeta,
  bounds: RecordBounds,
  wanted: ReadonlySet<number> | undefined,
  env: RecoveryEnvironment,
): Promise<SegmentEntry> {
  const scratch = state.emptyCopy();
  await restoreRange(scratch, meta, bounds, wanted, env);
  const tails = scratch.tails.filter((tail) => tail.docCount > 0);
  const segment = await sealAll(tails, env.store);
  const { docCount, byteLength: bytes } = segment;
  const made = { ...meta, number: env.newSegmentNumber(), docCount, bytes, deaths: 0, deathCount: 0 };
  const entry = env.store.adopt(made, segment);
  await env.store.write(state.number, entry);
  if (wanted === undefined)
    carryDeaths(
      tails.flatMap((tail) => [...tail.ranges()]),
      undefined,
      entry.leaf,
    );
  for (const tail of tails) tail.release();
  return entry;
}

async function restoreRange(
  scratch: IndexState,
  meta: SegmentMeta,
  { known, after, before }: RecordBounds,
  wanted: ReadonlySet<number> | undefined,
  env: RecoveryEnvironment,
): Promise<void> {
  // Moved records of one commit may come from several chunks in any order; documents lie by sequence number.
  const records: LogRecord[] = [];
  await env.log.replay(meta.firstCommit - 1, {
    record(record) {
      if (record.indexNumber !== scratch.number || record.commit > known) return;
      if (
        wanted === undefined ? record.seqNo <= after : !(record.kind === 'index' && wanted.has(record.seqNo))
      )
        return;
      records.push({ ...record, id: record.id.slice(), source: record.source.slice() });
    },
    commit(commit) {
      if (records.length === 0) return;
      const batch = new ReplayBatch(scratch, commit, env);
      records.sort((a, b) => a.seqNo - b.seqNo);
      for (const record of records) {
        if (record.seqNo >= before || commit > meta.lastCommit) batch.kill(record.id);
        else batch.restore(record);
      }
      batch.end();
      records.length = 0;
    },
    damage: env.onDamage,
  });
}

/** One segment of all tails: each is sealed by itself, because only segments merge. */
async function sealAll(tails: readonly Tail[], store: SegmentStore): Promise<SegmentBytes> {
  const parts: SegmentBytes[] = [];
  for (const tail of tails) parts.push((await runSliced(tail.seal()))!);
  if (parts.length === 1) return parts[0]!;
  const entries = parts.map((part) => store.adopt(UNNAMED, part));
  const merged = (await runSliced(mergeSegments(entries.map(({ leaf }) => ({ leaf })))))!;
  for (const entry of entries) store.release(entry);
  return merged.segment;
}

/** Meta of temporary segments. */
const UNNAMED: SegmentMeta = {
  number: 0,
  docCount: 0,
  bytes: 0,
  firstCommit: 0,
  lastCommit: 0,
  deaths: 0,
  deathCount: 0,
};
