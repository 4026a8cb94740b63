// A short torture with every run of the tests: nothing is lost, nothing is silent, nothing hangs, and the control run finds loss.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recorderLibrary } from './recorder.ts';
import { lineOf } from './tally.ts';
import { torture } from './torture.ts';

const SEED = Number(process.env['OCTAVO_SEED'] ?? 11);

let reason = '';
const isRecorded = recorderLibrary((why) => (reason = why)) !== undefined;

test('a short torture loses nothing', { skip: isRecorded ? false : reason }, async () => {
  const lines: string[] = [];
  const sizes = { images: 6, calls: 2, damages: 3, kills: 4, seed: SEED };
  const { tallies, control } = await torture(sizes, (line) => lines.push(line));
  for (const tally of tallies)
    assert.deepEqual(
      [tally.lost, tally.silent, tally.hung],
      [0, 0, 0],
      `${lineOf(tally)}\n${lines.join('\n')}`,
    );
  assert.notEqual(control!.lost, 0, 'a disk that ignores syncs must lose something');
});
