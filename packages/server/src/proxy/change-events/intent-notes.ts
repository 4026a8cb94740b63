// How is noted what is about to be written? In the records, in one commit, before anything of it is sent.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beginIntents, type IntendedQuery, type Intent, type Records } from '@octavo/records';

/** Documents of one note: it is read as a whole. */
const MOST = 2_000;
/** A caller waits so long for the note. */
const PATIENCE_MS = 2_000;

/** The ids of the notes. Rejects where the records do not take them, or not in time: then nothing may be sent. */
export async function noteIntents(
  records: Pick<Records, 'write'>,
  { documents = [], query }: Omit<Intent, 'id'>,
  leaseMs: number,
): Promise<readonly string[]> {
  const intents: Intent[] = query === undefined ? [] : [{ id: randomUUID(), query }];
  for (let at = 0; at < documents.length; at += MOST)
    intents.push({ id: randomUUID(), documents: documents.slice(at, at + MOST) });
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

/** So often it is asked whether a query of the cluster is over. */
const TASK_MS = 2_000;

/** Notes a query that the cluster goes on with, for whoever looks next; the notes of before go. */
export async function handOver(
  records: Pick<Records, 'write'>,
  query: IntendedQuery,
  ended: readonly string[],
): Promise<void> {
  const intents = [{ id: randomUUID(), query }];
  await records.write(beginIntents, { intents, leaseMs: TASK_MS, ended });
}
