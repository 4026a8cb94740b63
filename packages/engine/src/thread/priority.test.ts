import assert from 'node:assert/strict';
import { once } from 'node:events';
import { getPriority, setPriority } from 'node:os';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

const CODE = `
  import { getPriority } from 'node:os';
  import { parentPort } from 'node:worker_threads';
  import { giveWay } from ${JSON.stringify(new URL('./priority.ts', import.meta.url))};
  giveWay();
  parentPort.postMessage(getPriority());
`;

/** The priority of a thread that has given way. */
async function lowered(): Promise<number> {
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(CODE)}`));
  // Both may come in one turn: who asks for the second after the first waits for ever.
  const ended = once(thread, 'exit');
  const [priority] = await once(thread, 'message');
  await ended;
  return priority;
}

test('a thread gives way alone, also in a process of low priority', async () => {
  for (const before of [getPriority(), 8]) {
    setPriority(before);
    const priority = await lowered();
    assert.equal(getPriority(), before);
    // Where there are no priorities of threads, or they may not be changed, it stays as it is.
    assert.ok(priority >= before, `${priority} after ${before}`);
  }
});
