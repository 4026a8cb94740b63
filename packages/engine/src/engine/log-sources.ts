// Where does a writer find the version that it writes over, and who hears of its end? In the log, by the place that a leaf
// knows: its memory is let go of first.

import type { DocumentLog } from '../log/log.ts';
import type { DocumentLocation } from '../write/index-state/index-state.ts';
import type { BatchEnvironment } from '../write/writer/batch.ts';

/** The stored bytes of a version; `isBrief` as the log has it. */
export function readSource(
  log: Pick<DocumentLog, 'read'>,
  { leaf: { docs }, doc }: DocumentLocation,
  isBrief: boolean = false,
): Uint8Array {
  return log.read(docs.sourceChunk(doc), docs.sourceOffset(doc), docs.sourceLength(doc), isBrief);
}

/** What a batch asks the log, and tells it. */
export function logSources(log: DocumentLog): Pick<BatchEnvironment, 'source' | 'peek' | 'markDead'> {
  return {
    source: (located) => readSource(log, located),
    peek: (located) => readSource(log, located, true),
    markDead: ({ leaf: { docs }, doc }) =>
      log.markDead(docs.sourceChunk(doc), docs.sourceOffset(doc), docs.sourceLength(doc)),
  };
}
