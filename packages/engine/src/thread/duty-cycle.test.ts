import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { lastSearchClock, noteSearch } from '../turn.ts';
import { DutyCycle } from './duty-cycle.ts';

/** A thread whose clock goes on as it works. */
function working(isSearched: boolean) {
  const clock = { ms: 0, slept: 0 };
  const rests = new DutyCycle(() => isSearched, { now: () => clock.ms, sleep: () => void clock.slept++ });
  const work = (ms: number): void => {
    clock.ms += ms;
    rests.restIfDue();
  };
  return { clock, rests, work };
}

test('while there are searches work rests now and then, otherwise never', () => {
  const never = working(false);
  for (let i = 0; i < 1_000; i++) never.work(0.1);
  assert.equal(never.clock.slept, 0);
  const often = working(true);
  for (let i = 0; i < 100; i++) often.work(0.03);
  assert.ok(often.clock.slept > 10);
  assert.ok(often.clock.slept < 50);
});

test('however long its steps are, it rests once after each, and its result is the same', () => {
  const { clock, rests } = working(true);
  const steps = function* (): Generator<void, string> {
    for (let i = 0; i < 5; i++) {
      clock.ms += 20;
      yield;
    }
    return 'made';
  };
  assert.equal(rests.run(steps()), 'made');
  assert.equal(clock.slept, 5);
});

test('another thread sees that there was a search, and soon that there are none', async () => {
  const code = `
    import { parentPort, workerData } from 'node:worker_threads';
    import { isSearchingAt } from ${JSON.stringify(new URL('../turn.ts', import.meta.url))};
    parentPort.on('message', () => parentPort.postMessage(isSearchingAt(workerData)));
  `;
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
    workerData: lastSearchClock,
  });
  const asked = async (): Promise<boolean> => {
    thread.postMessage('?');
    const [answer] = await once(thread, 'message');
    return answer as boolean;
  };
  const heard = setInterval(noteSearch, 5);
  let saw = false;
  while (!saw) saw = await asked();
  clearInterval(heard);
  while (await asked());
  await thread.terminate();
});
