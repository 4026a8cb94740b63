// Is everything on disk as it was written? Frames of the log, segments and their deaths (the catalog is
// checked whenever it is opened).

import type { LogFinding } from '../log/chunk.ts';
import { chunkName } from '../log/format/format.ts';
import type { DocumentLog } from '../log/log.ts';
import type { IndexState } from '../write/index-state.ts';
import type { SegmentStore } from '../write/segment-files/segment-store.ts';
import { lostSources } from './start/startup-consistency.ts';

/** One line for each finding. Progress is in bytes. */
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
    (finding) => findings.push(describe(finding)),
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
      // What was merged away meanwhile, or has newer deaths, has no files any more.
      if (entry.meta === meta && state.segments.includes(entry)) findings.push(...found);
      done += meta.bytes;
      onProgress(done, total);
    }
    findings.push(...checkLeaves(state), ...lostSources(state, log, published()));
  }
  return findings;
}

/** A finding of the log in one line. */
export function describe({ chunk, offset, length, kind, reason }: LogFinding): string {
  return `log/${chunkName(chunk)}: ${kind}, ${length} bytes at ${offset}: ${reason}`;
}

/** Counts that must agree: sequence numbers ascend, and no document dies twice. */
function checkLeaves(state: IndexState): string[] {
  const findings: string[] = [];
  let last = -1;
  for (const { docs, docCount, deaths } of state.runs()) {
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
