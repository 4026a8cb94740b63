// Does what was freed stay as long as a reader may look at it, and no longer?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { receiveMessageOnPort } from 'node:worker_threads';
import { createMemory } from '../../memory/arenas.ts';
import { Control } from './replica-control.ts';
import type { LentChanges } from './replica-messages.ts';
import { Lender } from './snapshot-publisher.ts';
import type { Changes, CommonChanges } from './snapshot-update.ts';

const NONE: CommonChanges = {
  ...{ published: 0, gone: [], indices: [], goneChunks: [], chunks: [], settings: [] },
};
const changes = {
  since: () => NONE,
  all: () => NONE,
  none: () => NONE,
  forget: () => {},
} as unknown as Changes;

function newLender(): { memory: ReturnType<typeof createMemory>; lender: Lender; readings: Set<object> } {
  const memory = createMemory({ stepBytes: 8 << 20 });
  memory.alloc(64);
  const readings = new Set<object>();
  const enterLog = (): (() => void) => {
    const reading = {};
    readings.add(reading);
    return () => void readings.delete(reading);
  };
  return { memory, lender: new Lender({ memory, changes, enterLog }), readings };
}

test('a block that is freed waits for every reader to come to the next message', () => {
  const { memory, lender, readings } = newLender();
  const loans = [lender.lend(), lender.lend()];
  const controls = loans.map(({ control }) => new Control(control));
  const block = memory.alloc(4096);
  lender.tell();
  memory.free(block);
  for (const control of controls) control.safe = control.head;
  lender.tell();
  assert.equal(memory.usage().waiting, 4096, 'the readers may look at what the message before has shown');
  controls[0]!.safe = controls[0]!.head;
  lender.tell();
  assert.equal(memory.usage().waiting, 4096, 'one reader is behind');
  controls[1]!.safe = controls[1]!.head;
  lender.tell();
  assert.equal(memory.usage().waiting, 0);
  assert.ok(readings.size >= 2, 'chunks of the log wait as well');
  lender.close();
  assert.equal(readings.size, 0);
});

test('a reader that is gone holds nothing back', async () => {
  const { memory, lender, readings } = newLender();
  const { port } = lender.lend();
  memory.free(memory.alloc(4096));
  lender.tell();
  assert.equal(memory.usage().waiting, 4096);
  port.close();
  while (lender.isLending) await wait(1);
  assert.equal(memory.usage().waiting, 0);
  assert.equal(readings.size, 0);
});

test('a reader that has nothing to do is told to let go', async () => {
  const { memory, lender } = newLender();
  const { port, control: buffer } = lender.lend();
  const control = new Control(buffer);
  const first = receiveMessageOnPort(port)!.message as LentChanges;
  assert.equal(first.arenas.length, 1);
  assert.ok(first.rooms.length === 1 && first.rooms[0]!.bytes > 0);
  port.on('message', ({ number }: LentChanges) => {
    control.safe = number;
  });
  lender.tell();
  memory.free(memory.alloc(4096));
  lender.tell();
  while (memory.usage().waiting > 0) await wait(5);
  lender.close();
});

test('more room is given where it is asked for', async () => {
  const { lender } = newLender();
  const { port } = lender.lend();
  receiveMessageOnPort(port);
  port.postMessage({ arena: 0, bytes: 3 << 20 });
  const { promise, resolve } = Promise.withResolvers<LentChanges>();
  port.once('message', resolve);
  const { rooms } = await promise;
  assert.equal(rooms[0]!.bytes, 3 << 20);
  lender.close();
});
