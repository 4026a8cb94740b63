// Reads the sources of document versions from the log, for the writer and for `get`, and tells the log which
// versions have died: their memory is freed first.

import type { DocumentLog } from '../log/log.ts';
import type { DocumentLocation } from '../write/index-state/index-state.ts';
import type { BatchEnvironment } from '../write/writer/index-batch.ts';

/** The stored bytes of a version; `isBrief` as in `DocumentLog.read`. */
export function readSource(
  log: Pick<DocumentLog, 'read'>,
  { leaf: { docs }, doc }: DocumentLocation,
  isBrief: boolean = false,
): Uint8Array {
  return log.read(docs.sourceChunk(doc), docs.sourceOffset(doc), docs.sourceLength(doc), isBrief);
}

/** The part of a batch environment that reads and notifies the log. */
export function logSources(log: DocumentLog): Pick<BatchEnvironment, 'source' | 'peek' | 'markDead'> {
  return {
    source: (located) => readSource(log, located),
    peek: (located) => readSource(log, located, true),
    markDead: ({ leaf: { docs }, doc }) =>
      log.markDead(docs.sourceChunk(doc), docs.sourceOffset(doc), docs.sourceLength(doc)),
  };
}
