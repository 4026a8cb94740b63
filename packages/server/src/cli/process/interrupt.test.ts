// Ctrl-C stops work that can be stopped, and leaves completed or shielded steps alone.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { listenForInterrupts } from './interrupt.ts';

/** Presses Ctrl-C, long after the last time; gives the exit codes so far. */
function keyboard(t: TestContext): () => unknown[] {
  let now = 0;
  t.mock.method(performance, 'now', () => (now += 10_000));
  t.mock.method(process.stderr, 'write', () => true);
  const exit = t.mock.method(process, 'exit', () => undefined as never);
  return () => {
    process.emit('SIGINT', 'SIGINT');
    return exit.mock.calls.map((call) => call.arguments[0]);
  };
}

test('the first asks, the second ends', (t) => {
  const press = keyboard(t);
  const interrupted = listenForInterrupts();
  t.after(() => interrupted.stop());
  assert.deepEqual([press(), interrupted.signal.aborted], [[], true]);
  assert.deepEqual(press(), [130]);
});

test('npm that is gone asks, and the first signal after it still does not end', (t) => {
  const press = keyboard(t);
  let isWatched = true;
  let gone = (): void => {};
  const interrupted = listenForInterrupts((then) => {
    gone = then;
    return () => {
      isWatched = false;
    };
  });
  gone();
  assert.equal(interrupted.signal.aborted, true);
  assert.deepEqual(press(), []);
  assert.deepEqual(press(), [130]);
  interrupted.stop();
  assert.equal(isWatched, false);
});

test('nothing ends what is shielded, and what comes after it is asked to stop', (t) => {
  const press = keyboard(t);
  const before = process.listenerCount('SIGINT');
  const interrupted = listenForInterrupts();
  interrupted.shield(true);
  for (let i = 0; i < 3; i++) assert.deepEqual(press(), []);
  // Else the signal itself would end the process until it is gone.
  interrupted.stop();
  assert.equal(process.listenerCount('SIGINT'), before + 1);
  assert.deepEqual(press(), []);
  assert.equal(interrupted.signal.aborted, true);
  interrupted.shield(false);
  assert.deepEqual(press(), [130]);
  interrupted.stop();
  assert.equal(process.listenerCount('SIGINT'), before);
});
