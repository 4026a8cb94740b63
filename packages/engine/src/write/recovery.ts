// What was there when the process ended? Segments are loaded and checked; a damaged one is made again from the log;
// then the log is replayed from where segments end, frame by frame, as the writer did it the first time.

import type { LogFinding } from '../log/chunk.ts';
import type { LogRecord } from '../log/format/record.ts';
import type { DocumentLog } from '../log/log.ts';
import type { MissingCommits } from '../log/recovery/replay.ts';
import { mergeSegments } from '../merge/merge-segments.ts';
import type { Leaf } from '../segment/leaf.ts';
import type { SegmentBytes } from '../segment/section-writer.ts';
import type { Tail } from '../tail/tail.ts';
import { runSliced, Turn } from '../turn.ts';
import type { IndexState } from './index-state.ts';
import { carryDeaths } from './maintenance/carry-deaths.ts';
import { DamagedSegment } from './segment-files/deaths-file.ts';
import { LOADS_AT_ONCE } from './segment-files/segment-loader.ts';
import type { SegmentEntry, SegmentMeta, SegmentStore } from './segment-files/segment-store.ts';
import type { SegmentsRecord } from './segment-files/segments-record.ts';
import { Batch, type BatchEnvironment } from './writer/batch.ts';

/** What loading segments works with. */
export interface LoadingEnvironment {
  readonly store: SegmentStore;
  /** One line for each thing that was found damaged and mended. */
  readonly note: (line: string) => void;
}

/** What recovery works with. */
export interface RecoveryEnvironment extends BatchEnvironment, LoadingEnvironment {
  readonly log: DocumentLog;
  readonly newSegmentNumber: () => number;
  /** Frames that a replay passes over: what they held is in no segment. */
  readonly lost: (finding: LogFinding) => void;
  /** Commits that a replay does not find. */
  readonly missing: (commits: MissingCommits) => void;
}

/** A segment as its files have it. */
export interface LoadedSegment {
  readonly entry: SegmentEntry;
  /** False where what tells of it, should it be lost, is itself damaged. */
  readonly isTold: boolean;
}

/** The segments of an index, in their order; undefined for those whose files are damaged. */
export type LoadedSegments = readonly (LoadedSegment | undefined)[];

/**
 * Takes over the segments of an index that were loaded, making damaged ones again; deaths up to commit `replayed` are in
 * their files and not replayed. True when something was mended (and must be saved).
 */
export async function takeSegments(
  state: IndexState,
  record: SegmentsRecord,
  loaded: LoadedSegments,
  replayed: number,
  env: RecoveryEnvironment,
): Promise<boolean> {
  let mended = false;
  state.watermark = record.watermark;
  state.sealedSeqNo = record.sealedSeqNo;
  state.nextSeqNo = record.nextSeqNo;
  for (const [i, meta] of record.segments.entries()) {
    let entry = loaded[i]?.entry;
    if (loaded[i]?.isTold === false && (await env.store.mendNumbers(state.number, entry!)))
      env.note(`what tells of segment ${meta.number} of [${state.info.name}]: written again`);
    if (entry === undefined) {
      const previous = state.segments.at(-1)?.leaf;
      const after = previous === undefined ? -1 : previous.docs.seqNo(previous.docCount - 1);
      const before = await firstNumber(state, loaded, record, i + 1, env);
      entry = await rebuild(state, meta, { known: Math.max(record.watermark, replayed), after, before }, env);
      mended = true;
    }
    state.segments.push(entry);
  }
  for (const [i, entry] of state.segments.entries())
    if (loaded[i] === undefined)
      buryReplaced(
        entry.leaf,
        state.segments.slice(i + 1).map(({ leaf }) => leaf),
      );
  state.changed();
  return mended;
}

/**
 * The newest version of an id wins, whatever became of the record that would tell: documents of a leaf that was made
 * again die where a later leaf has one of the same id.
 */
export function buryReplaced(leaf: Leaf, later: readonly Leaf[]): void {
  const entries = Array.from({ length: leaf.deaths.count }, (_, entry) => ({
    doc: leaf.deaths.doc(entry),
    commit: leaf.deaths.commit(entry),
  }));
  const known = entries.length;
  for (let doc = 0; doc < leaf.docCount; doc++) {
    if (leaf.deaths.isDead(doc)) continue;
    const id = leaf.docs.idBytes.subarray(leaf.docs.idStarts[doc], leaf.docs.idStarts[doc + 1]);
    for (const { docs } of later) {
      const newer = docs.find(id);
      if (newer < 0) continue;
      entries.push({ doc, commit: docs.commit(newer) });
      break;
    }
  }
  if (entries.length === known) return;
  entries.sort((a, b) => a.commit - b.commit);
  leaf.deaths.truncate(0);
  for (const { doc, commit } of entries) leaf.deaths.append(doc, commit);
}

/**
 * Loads the segments of an index, several at a time, until `stopped`. Rejects with the first failure that is no damage of a
 * segment, once nothing is under way.
 */
export async function loadSegments(
  index: number,
  metas: readonly SegmentMeta[],
  env: LoadingEnvironment,
  stopped: () => boolean = () => false,
): Promise<LoadedSegments> {
  const loaded: (LoadedSegment | undefined)[] = new Array(metas.length).fill(undefined);
  // The largest first: they must not be what all others wait for at the end.
  const order = metas.map((_, i) => i).sort((a, b) => metas[b]!.bytes - metas[a]!.bytes);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < order.length && !stopped()) {
      const i = order[next++]!;
      loaded[i] = await loadSegment(index, metas[i]!, env);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: LOADS_AT_ONCE }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return loaded;
}

/** A segment as its files have it; undefined where they are damaged. */
async function loadSegment(
  number: number,
  meta: SegmentMeta,
  env: LoadingEnvironment,
): Promise<LoadedSegment | undefined> {
  try {
    const entry = await env.store.load(number, meta);
    return { entry, isTold: await env.store.isTold(number, meta) };
  } catch (error) {
    if (!(error instanceof DamagedSegment)) throw error;
    env.note(`${error.message}: making it again from the log`);
    return undefined;
  }
}

/** What of the log belongs to a segment: a commit may lie in two, so commits alone do not tell. */
interface Bounds {
  /** The commit up to which deaths are to be found here; the replay tells what comes later. */
  readonly known: number;
  /** Sequence numbers lie between these, both excluded. */
  readonly after: number;
  readonly before: number;
}

/** The first sequence number behind a damaged segment. */
async function firstNumber(
  state: IndexState,
  loaded: LoadedSegments,
  record: SegmentsRecord,
  from: number,
  env: RecoveryEnvironment,
): Promise<number> {
  for (const [i, meta] of record.segments.entries()) {
    if (i < from) continue;
    const first = loaded[i]?.entry.leaf.docs.seqNo(0) ?? (await env.store.numbers(state.number, meta))?.[0];
    if (first !== undefined) return first;
  }
  return record.sealedSeqNo + 1;
}

/** Replays every record after `from` into the tails of its index. */
export async function replay(
  from: number,
  states: ReadonlyMap<number, IndexState>,
  env: RecoveryEnvironment,
): Promise<void> {
  const batches = new Map<IndexState, Batch>();
  const turn = new Turn();
  await env.log.replay(from, {
    record(record) {
      const state = states.get(record.indexNumber);
      if (state === undefined || record.commit <= state.watermark || record.seqNo <= state.sealedSeqNo)
        return;
      let batch = batches.get(state);
      if (batch === undefined) batches.set(state, (batch = new Batch(state, record.commit, undefined, env)));
      batch.restore(record);
    },
    async commit() {
      for (const batch of batches.values()) batch.end();
      batches.clear();
      if (turn.isOver()) await turn.next();
    },
    damage: env.lost,
    missing: env.missing,
  });
}

/**
 * Makes a segment again from its index's records in its range of commits. With its sequence numbers it becomes exactly
 * what it was and its deaths file fits; with those of the living alone, what was dead stays away. Without either every
 * record of the range comes back, dead where a later version is known: then what was deleted so long ago that the log
 * has forgotten it may be back, and that is told. O(log).
 */
async function rebuild(
  state: IndexState,
  meta: SegmentMeta,
  bounds: Bounds,
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

/** The records of the wanted numbers as a segment; without numbers those of the range, with their deaths. */
async function remake(
  state: IndexState,
  meta: SegmentMeta,
  bounds: Bounds,
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
      tails.flatMap((tail) => [...tail.runs()]),
      undefined,
      entry.leaf,
    );
  for (const tail of tails) tail.release();
  return entry;
}

async function restoreRange(
  scratch: IndexState,
  meta: SegmentMeta,
  { known, after, before }: Bounds,
  wanted: ReadonlySet<number> | undefined,
  env: RecoveryEnvironment,
): Promise<void> {
  // Moved records of one commit may come from several chunks, in any order; documents lie in that of their numbers.
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
      const batch = new Batch(scratch, commit, undefined, env);
      records.sort((a, b) => a.seqNo - b.seqNo);
      for (const record of records) {
        if (record.seqNo >= before || commit > meta.lastCommit) batch.bury(record.id);
        else batch.restore(record);
      }
      batch.end();
      records.length = 0;
    },
    damage: env.lost,
  });
}

/** One segment of all tails: each is sealed by itself, because only sealed segments merge. */
async function sealAll(tails: readonly Tail[], store: SegmentStore): Promise<SegmentBytes> {
  const parts: SegmentBytes[] = [];
  for (const tail of tails) parts.push((await runSliced(tail.seal()))!);
  if (parts.length === 1) return parts[0]!;
  const entries = parts.map((part) => store.adopt(UNNAMED, part));
  const merged = (await runSliced(mergeSegments(entries.map(({ leaf }) => ({ leaf })))))!;
  for (const entry of entries) store.release(entry);
  return merged.segment;
}

/** Of segments that only live for a moment. */
const UNNAMED: SegmentMeta = {
  number: 0,
  docCount: 0,
  bytes: 0,
  firstCommit: 0,
  lastCommit: 0,
  deaths: 0,
  deathCount: 0,
};
