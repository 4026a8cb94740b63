// Verifies everything on disk: frames of the log, segments with their deaths, and that every live document
// has its source. The catalog is verified whenever it is opened.

import type { LogFinding } from '../log/chunk/chunk.ts';
import { chunkName } from '../log/format/format.ts';
import type { DocumentLog } from '../log/log.ts';
import type { IndexState } from '../write/index-state/index-state.ts';
import type { SegmentStore } from '../write/segment-files/segment-store.ts';

/** Returns one line per finding. Progress is in bytes. */
export async function verifyAll(
  log: DocumentLog,
  store: SegmentStore,
  states: readonly IndexState[],
  published: () => number,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<string[]> {
  const findings: string[] = [];
  const segmentBytes = states.reduce(
    (sum, state) => sum + state.segments.reduce((bytes, { meta }) => bytes + meta.bytes, 0),
    0,
  );
  let total = segmentBytes;
  let done = 0;
  await log.verify(
    (finding) => findings.push(describeFinding(finding)),
    (logDone, logTotal) => {
      total = segmentBytes + logTotal;
      done = logDone;
      onProgress(done, total);
    },
  );
  for (const state of states) {
    for (const entry of [...state.segments]) {
      const { meta } = entry;
      const found = await store.verify(state.number, meta);
      // A segment that was merged meanwhile, or has newer deaths, no longer has these files.
      if (entry.meta === meta && state.segments.includes(entry)) findings.push(...found);
      done += meta.bytes;
      onProgress(done, total);
    }
    findings.push(...checkLeaves(state), ...lostSources(state, log, published()));
  }
  return findings;
}

/** A finding of the log in one line. */
export function describeFinding(finding: LogFinding): string {
  return `${findingPlace(finding)}: ${finding.reason}`;
}

/** The beginning of its line. */
export function findingPlace({ chunk, offset, length, kind }: LogFinding): string {
  return `log/${chunkName(chunk)}: ${kind}, ${length} bytes at ${offset}`;
}

/** Checks invariants of leaves: sequence numbers ascend, and no document dies twice. */
function checkLeaves(state: IndexState): string[] {
  const findings: string[] = [];
  let last = -1;
  for (const { docs, docCount, deaths } of state.ranges()) {
    for (let doc = 0; doc < docCount; doc++) {
      const seqNo = docs.seqNo(doc);
      if (seqNo <= last) findings.push(`[${state.info.name}]: sequence number ${seqNo} follows ${last}`);
      last = seqNo;
    }
    if (deaths.count > docCount)
      findings.push(`[${state.info.name}]: ${deaths.count} deaths of ${docCount} documents`);
  }
  return findings;
}

/**
 * One line for each missing or truncated log file that holds sources of live documents. Documents behind the
 * `published` commit are not written yet and are skipped.
 */
function lostSources(state: IndexState, log: DocumentLog, published: number): string[] {
  const ends = new Map(log.chunks().map(({ number, bytes }) => [number, bytes]));
  const lost = new Map<number, number>();
  // Segments come first in the order of ranges.
  for (const [i, { docs, deaths, docCount: all }] of state.ranges().entries()) {
    const docCount = i < state.segments.length ? all : docs.countAt(published);
    for (let doc = 0; doc < docCount; doc++) {
      const chunk = docs.sourceChunk(doc);
      if (docs.sourceOffset(doc) + docs.sourceLength(doc) <= (ends.get(chunk) ?? 0) || deaths.isDead(doc))
        continue;
      lost.set(chunk, (lost.get(chunk) ?? 0) + 1);
    }
  }
  return [...lost].map(
    ([chunk, count]) =>
      `log/${chunkName(chunk)}: is missing or ends too early, with ${count} documents of [${state.info.name}]`,
  );
}
