// Brings all indices back at a start: takes over loaded segments, rebuilds damaged ones from the log, then
// replays the log from where segments end, frame by frame, as the writer applied it the first time.

import type { Catalog } from '../../catalog/catalog.ts';
import type { DocumentLog } from '../../log/log.ts';
import type { Leaf } from '../../segment/leaf.ts';
import { Turn } from '../../turn.ts';
import type { IndexState } from '../index-state/index-state.ts';
import type { SegmentMeta, SegmentStore } from '../segment-files/segment-store.ts';
import { encodeSegments, type SegmentsRecord, segmentsRecord } from '../segment-files/segments-record.ts';
import type { LoadedSegments } from './load-segments.ts';
import { type RecoveryEnvironment, rebuildSegment } from './rebuild-segment.ts';
import { ReplayBatch } from './replay-batch.ts';

/** Fills the states of all indices: segments taken over and the log replayed. */
export async function recoverIndices(
  catalog: Catalog,
  known: ReadonlyMap<string, IndexState>,
  loading: Promise<ReadonlyMap<string, LoadedSegments>>,
  log: DocumentLog,
  store: SegmentStore,
  env: RecoveryEnvironment,
  onSegmentNumbers: (segments: readonly number[]) => void,
): Promise<IndexState[]> {
  const states = [...known.values()];
  const named = new Map<number, readonly SegmentMeta[]>();
  const mended: IndexState[] = [];
  for (const [key, record] of catalog.list('segments')) {
    const { segments } = record as unknown as SegmentsRecord;
    named.set(Number(key), segments);
    onSegmentNumbers(segments.map((meta) => meta.number));
  }
  await store.findLeftovers(named);
  const replayed = Number(catalog.get('engine', 'replay') ?? 0);
  const loaded = await loading;
  for (const [key, state] of known) {
    const segments = catalog.get('segments', key) as unknown as SegmentsRecord | undefined;
    if (segments !== undefined && (await takeSegments(state, segments, loaded.get(key)!, replayed, env)))
      mended.push(state);
  }
  const byNumber = new Map(states.map((state) => [state.number, state]));
  await replay(replayed, byNumber, env);
  // If the catalog had lost a mapping, its documents have extended it again.
  for (const state of states) state.acknowledgedMapping = state.mapping;
  for (const state of mended) await saveMended(catalog, store, state, log.lastCommit);
  if (mended.length > 0) {
    await store.findLeftovers(
      new Map(states.map((state) => [state.number, state.segments.map((entry) => entry.meta)])),
    );
  }
  return states;
}

/** Names rebuilt segments in the catalog, with their deaths. */
async function saveMended(
  catalog: Catalog,
  store: SegmentStore,
  state: IndexState,
  commit: number,
): Promise<void> {
  for (const entry of state.segments) entry.meta = await store.checkpointDeaths(state.number, entry, commit);
  const record = segmentsRecord(
    state,
    state.segments.map((entry) => entry.meta),
  );
  await catalog.commit([{ put: ['segments', String(state.number), encodeSegments(record)] }]);
  state.saved = record;
}

/**
 * Takes over the loaded segments of an index and rebuilds damaged ones. Deaths up to commit `replayed` are in
 * their files and not replayed. True if something was rebuilt and must be saved.
 */
async function takeSegments(
  state: IndexState,
  record: SegmentsRecord,
  loaded: LoadedSegments,
  replayed: number,
  env: RecoveryEnvironment,
): Promise<boolean> {
  let mended = false;
  state.saved = record;
  state.watermark = record.watermark;
  state.sealedSeqNo = record.sealedSeqNo;
  state.nextSeqNo = record.nextSeqNo;
  for (const [i, meta] of record.segments.entries()) {
    let entry = loaded[i]?.entry;
    if (loaded[i]?.areSideFilesIntact === false && (await env.store.repairSideFiles(state.number, entry!)))
      env.note(`side files of segment ${meta.number} of [${state.info.name}]: written again`);
    if (entry === undefined) {
      const previous = state.segments.at(-1)?.leaf;
      const after = previous === undefined ? -1 : previous.docs.seqNo(previous.docCount - 1);
      const before = await firstNumber(state, loaded, record, i + 1, env);
      entry = await rebuildSegment(
        state,
        meta,
        { known: Math.max(record.watermark, replayed), after, before },
        env,
      );
      mended = true;
    }
    state.segments.push(entry);
  }
  for (const [i, entry] of state.segments.entries())
    if (loaded[i] === undefined)
      killReplaced(
        entry.leaf,
        state.segments.slice(i + 1).map(({ leaf }) => leaf),
      );
  state.invalidate();
  return mended;
}

/**
 * The newest version of an id wins, even if the record of the overwrite is lost: documents of a rebuilt leaf
 * die if a later leaf has one of the same id.
 */
function killReplaced(leaf: Leaf, later: readonly Leaf[]): void {
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

/** The first sequence number after a damaged segment. */
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
async function replay(
  from: number,
  states: ReadonlyMap<number, IndexState>,
  env: RecoveryEnvironment,
): Promise<void> {
  const batches = new Map<IndexState, ReplayBatch>();
  const turn = new Turn();
  await env.log.replay(from, {
    record(record) {
      const state = states.get(record.indexNumber);
      if (state === undefined || record.commit <= state.watermark || record.seqNo <= state.sealedSeqNo)
        return;
      let batch = batches.get(state);
      if (batch === undefined) batches.set(state, (batch = new ReplayBatch(state, record.commit, env)));
      batch.restore(record);
    },
    async commit() {
      for (const batch of batches.values()) batch.end();
      batches.clear();
      if (turn.isOver()) await turn.next();
    },
    damage: env.onDamage,
    missing: env.onMissing,
  });
}
