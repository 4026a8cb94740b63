// A reading thread for reader-thread.test.ts: it answers the searches that it is sent, by their numbers.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openReplica, type ReplicaLink, type SearchRequest } from '@octavo/engine';

const { port: parent, loan } = workerData as { port: MessagePort; loan: ReplicaLink };
const reader = openReplica(loan);

parent.on('message', async ({ number, request }: { number: number; request: SearchRequest }) => {
  try {
    const { total, hits } = await reader.search(request);
    const rows = hits.map(({ id, source }) => [id, Buffer.from(source).toString()]);
    parent.postMessage({ number, total: total?.value, rows });
  } catch (error) {
    parent.postMessage({ number, error: String(error) });
  }
});
parentPort!.on('message', () => {
  // Dies in the middle of whatever it does.
  process.exit(1);
});
