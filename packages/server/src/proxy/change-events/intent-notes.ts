// Stores notes of intended writes in the records, in one transaction, before anything is sent.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beginIntents, type IntendedQuery, type Intent, type Records } from '@octavo/records';

/** Documents of one note; a note is read as a whole. */
const DOCUMENTS_PER_NOTE = 2_000;
/** The longest a caller waits for its note. */
const PATIENCE_MS = 2_000;

/**
 * Returns the ids of the notes. Rejects if the records do not store them in time; then nothing may be sent.
 */
export async function noteIntents(
  records: Pick<Records, 'write'>,
  { documents = [], query }: Omit<Intent, 'id'>,
  leaseMs: number,
): Promise<readonly string[]> {
  const intents: Intent[] = query === undefined ? [] : [{ id: randomUUID(), query }];
  for (let at = 0; at < documents.length; at += DOCUMENTS_PER_NOTE)
    intents.push({ id: randomUUID(), documents: documents.slice(at, at + DOCUMENTS_PER_NOTE) });
  const waiting = new AbortController();
  const late = sleep(PATIENCE_MS, undefined, { signal: waiting.signal, ref: false }).then(() => {
    throw new Error(`the records have not answered in ${PATIENCE_MS} ms`);
  });
  late.catch(() => {});
  try {
    await Promise.race([records.write(beginIntents, { intents, leaseMs }), late]);
  } finally {
    waiting.abort();
  }
  return intents.map(({ id }) => id);
}

/** How often a running query of the cluster is checked. */
const TASK_POLL_MS = 2_000;

/** Replaces the notes `ended` by one for a query that the cluster is still running. */
export async function noteRunningQuery(
  records: Pick<Records, 'write'>,
  query: IntendedQuery,
  ended: readonly string[],
): Promise<void> {
  const intents = [{ id: randomUUID(), query }];
  await records.write(beginIntents, { intents, leaseMs: TASK_POLL_MS, ended });
}
