// Freed memory stays as long as a replica may read it, and no longer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { receiveMessageOnPort } from 'node:worker_threads';
import { createMemory } from '../../memory/arenas.ts';
import { ReplicaControl } from './replica-control.ts';
import type { SnapshotUpdate } from './replica-messages.ts';
import type { CommonUpdate, SnapshotDiff } from './snapshot-diff.ts';
import { SnapshotPublisher } from './snapshot-publisher.ts';

const NONE: CommonUpdate = {
  ...{ published: 0, removedIndices: [], indices: [], removedChunks: [], chunks: [], settings: [] },
};
const diff = {
  next: () => NONE,
  full: () => NONE,
  empty: () => NONE,
  reset: () => {},
} as unknown as SnapshotDiff;

function newPublisher(): {
  memory: ReturnType<typeof createMemory>;
  publisher: SnapshotPublisher;
  readings: Set<object>;
} {
  const memory = createMemory({ stepBytes: 8 << 20 });
  memory.alloc(64);
  const readings = new Set<object>();
  const enterLog = (): (() => void) => {
    const reading = {};
    readings.add(reading);
    return () => void readings.delete(reading);
  };
  return { memory, publisher: new SnapshotPublisher({ memory, diff, enterLog }), readings };
}

test('a block that is freed waits for every reader to come to the next message', () => {
  const { memory, publisher, readings } = newPublisher();
  const links = [publisher.attach(), publisher.attach()];
  const controls = links.map(({ control }) => new ReplicaControl(control));
  const block = memory.alloc(4096);
  publisher.publish();
  memory.free(block);
  for (const control of controls) control.safe = control.head;
  publisher.publish();
  assert.equal(memory.usage().waiting, 4096, 'the readers may look at what the message before has shown');
  controls[0]!.safe = controls[0]!.head;
  publisher.publish();
  assert.equal(memory.usage().waiting, 4096, 'one reader is behind');
  controls[1]!.safe = controls[1]!.head;
  publisher.publish();
  assert.equal(memory.usage().waiting, 0);
  assert.ok(readings.size >= 2, 'chunks of the log wait as well');
  publisher.close();
  assert.equal(readings.size, 0);
});

test('a reader that is gone holds nothing back', async () => {
  const { memory, publisher, readings } = newPublisher();
  const { port } = publisher.attach();
  memory.free(memory.alloc(4096));
  publisher.publish();
  assert.equal(memory.usage().waiting, 4096);
  port.close();
  while (publisher.hasReplicas) await wait(1);
  assert.equal(memory.usage().waiting, 0);
  assert.equal(readings.size, 0);
});

test('a reader that has nothing to do is told to let go', async () => {
  const { memory, publisher } = newPublisher();
  const { port, control: buffer } = publisher.attach();
  const control = new ReplicaControl(buffer);
  const first = receiveMessageOnPort(port)!.message as SnapshotUpdate;
  assert.equal(first.arenas.length, 1);
  assert.ok(first.scratch.length === 1 && first.scratch[0]!.bytes > 0);
  port.on('message', ({ number }: SnapshotUpdate) => {
    control.safe = number;
  });
  publisher.publish();
  memory.free(memory.alloc(4096));
  publisher.publish();
  while (memory.usage().waiting > 0) await wait(5);
  publisher.close();
});

test('more room is given where it is asked for', async () => {
  const { publisher } = newPublisher();
  const { port } = publisher.attach();
  receiveMessageOnPort(port);
  port.postMessage({ arena: 0, bytes: 3 << 20 });
  const { promise, resolve } = Promise.withResolvers<SnapshotUpdate>();
  port.once('message', resolve);
  const { scratch } = await promise;
  assert.equal(scratch[0]!.bytes, 3 << 20);
  publisher.close();
});
