// A commit to an index whose tails wait to be overwritten does not look at every lease.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexState } from '../index-state/index-state.ts';
import { Maintenance, type MaintenanceEnvironment } from './maintenance.ts';

test('leases are not gone through at every commit', () => {
  let asked = 0;
  const leasedSnapshots = (): number[] => {
    asked++;
    return [2];
  };
  const env = {
    memory: { isRoomy: true },
    published: () => 2000,
    leasedSnapshots,
  } as unknown as MaintenanceEnvironment;
  /** A tail of two documents: both dead, and one of them seen by the lease. */
  const tail = {
    docCount: 2,
    ranges: () => [
      {
        docCount: 2,
        docs: { commit: () => 1 },
        deaths: { count: 2, countAt: () => 2, doc: (entry: number) => entry, commit: () => 3 },
      },
    ],
  };
  const leaf = { docCount: 1, deaths: { count: 0 } };
  for (const segments of [[], [{ leaf, meta: { bytes: 1 } }]]) {
    const writing = { docCount: 60_000 };
    const state = {
      segments,
      tails: [tail, writing],
      info: { settings: {} },
      overwrites: { isHigh: true },
      nextSeqNo: 0,
      visibleCommit: (snapshot: number) => snapshot,
    } as unknown as IndexState;
    const maintenance = new Maintenance(env);
    asked = 0;
    for (let commit = 0; commit < 500; commit++) {
      writing.docCount++;
      maintenance.schedule(state);
    }
    assert.ok(asked <= 3, `asked ${asked} times`);
  }
});
