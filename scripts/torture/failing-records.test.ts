// Calls of a life of the records fail, one alone or all from there on: no start refuses what is left, and nothing acknowledged is
// missing. The torture tries every call.

import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { test } from 'node:test';
import { failRecords } from './failing-records.ts';
import { recorderLibrary } from './recorder.ts';

const { EIO, ENOSPC } = constants.errno;

let reason = '';
const library = recorderLibrary((why) => (reason = why));

for (const [what, options] of [
  ['a call fails', { failErrno: EIO, forGood: false, stride: 7 }],
  ['the disk is full for good', { failErrno: ENOSPC, forGood: true, stride: 11 }],
] as const)
  test(`the records start again after ${what}`, {
    skip: library === undefined ? reason : false,
  }, async () => {
    const { tried, wrong } = await failRecords(library!, options);
    assert.deepEqual(wrong, []);
    assert.ok(tried > 20);
  });
