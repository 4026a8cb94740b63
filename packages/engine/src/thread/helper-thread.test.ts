// A helper thread answers its jobs in order. No caller waits forever if the thread cannot answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HelperThread } from './helper-thread.ts';

/** Answers twice a number; dies of 13. */
const DOUBLES = codeOf(
  "parentPort.on('message', (n) => n === 13 ? process.exit() : parentPort.postMessage(n * 2));",
);

function codeOf(text: string): URL {
  return new URL(`data:text/javascript,import { parentPort } from 'node:worker_threads'; ${text}`);
}

function helper(
  code: URL,
  options: { idleMs?: number; warmIdleMs?: number; onExit?: () => void } = {},
): HelperThread<number, number> {
  return new HelperThread({ name: 'octavo test', code, youngMb: 16, idleMs: 10_000, ...options });
}

test('jobs are answered in their order', async () => {
  const thread = helper(DOUBLES);
  const jobs = Array.from({ length: 100 }, (_, n) => n + 100);
  assert.deepEqual(
    await Promise.all(jobs.map((n) => thread.ask(n))),
    jobs.map((n) => n * 2),
  );
  await thread.close();
});

test('one that dies answers nothing that it was asked, and the next job has another', async () => {
  let gone = 0;
  const thread = helper(DOUBLES, { onExit: () => gone++ });
  assert.deepEqual(await Promise.all([1, 13, 2].map((n) => thread.ask(n))), [2, undefined, undefined]);
  assert.equal(gone, 1);
  assert.equal(await thread.ask(3), 6);
  await thread.close();
  assert.equal(gone, 2);
});

test('after three deaths in a row there are no more; an answer between them counts', async () => {
  const thread = helper(DOUBLES);
  for (const n of [13, 13, 4, 13, 13]) assert.equal(await thread.ask(n), n === 4 ? 8 : undefined);
  assert.equal(await thread.ask(4), 8);
  for (let deaths = 0; deaths < 3; deaths++) assert.equal(await thread.ask(13), undefined);
  assert.equal(thread.start(), false);
  assert.equal(await thread.ask(4), undefined);
  await thread.close();
});

test('one without a job ends, and is begun again', async () => {
  let ended = (): void => {};
  const thread = helper(DOUBLES, { idleMs: 1, warmIdleMs: 1, onExit: () => ended() });
  for (const n of [1, 2]) {
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    assert.equal(await thread.ask(n), 2 * n);
    // Nothing else keeps the process.
    const alive = setInterval(() => {}, 1_000);
    await end;
    clearInterval(alive);
  }
  await thread.close();
});

test('one that had to be begun again soon stays longer', async () => {
  let gone = 0;
  let ended = (): void => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const onExit = (): void => {
    gone++;
    ended();
  };
  const thread = helper(DOUBLES, { idleMs: 1, warmIdleMs: 1e8, onExit });
  const alive = setInterval(() => {}, 1_000);
  assert.equal(await thread.ask(1), 2);
  await end;
  assert.equal(await thread.ask(2), 4);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(gone, 1);
  // Told so, it does not.
  const endsAgain = new Promise<void>((resolve) => {
    ended = resolve;
  });
  thread.shortenIdle();
  await endsAgain;
  assert.equal(gone, 2);
  clearInterval(alive);
  await thread.close();
});

test('one that is begun ahead says when it is ready', async () => {
  const thread = helper(
    codeOf("parentPort.on('message', (n) => parentPort.postMessage(n)); parentPort.postMessage('ready');"),
  );
  assert.equal(thread.isReady, false);
  assert.equal(await thread.ask(7), 7);
  assert.equal(thread.isReady, true);
  assert.equal(thread.start(), true);
  await thread.close();
  assert.equal(thread.isReady, false);
});

test('a closed one answers nothing, and what it had not answered comes back', async () => {
  const thread = helper(codeOf("parentPort.on('message', () => {});"));
  const asked = thread.ask(1);
  await thread.close();
  assert.equal(await asked, undefined);
  assert.equal(await thread.ask(2), undefined);
  assert.equal(thread.start(), false);
});

test('code that is not there is a death; what cannot be sent is told to who asks', async () => {
  const none = helper(new URL('file:///nowhere/at-all.ts'));
  assert.equal(await none.ask(1), undefined);
  await none.close();
  const thread = new HelperThread<unknown, number>({
    name: 'octavo test',
    code: DOUBLES,
    youngMb: 16,
    idleMs: 10_000,
  });
  await assert.rejects(
    thread.ask(() => 1),
    { name: 'DataCloneError' },
  );
  assert.equal(await thread.ask(5), 10);
  await thread.close();
});
