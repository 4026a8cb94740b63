// A write that takes as long as a test says: the store is busy, and later operations wait.

import type { WriteOperation } from '@octavo/records';

/** Sets the first number of the shared memory to 1, and waits until somebody makes it 2. */
export const waiting: WriteOperation<SharedArrayBuffer, void> = {
  kind: 'write',
  name: 'test.waiting',
  run(_context, shared) {
    const flag = new Int32Array(shared);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
    Atomics.wait(flag, 0, 1);
  },
};

export const operations: readonly (typeof waiting)[] = [waiting];
