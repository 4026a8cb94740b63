// The command accepts valid places of records and refuses others without showing the password. Ctrl-C has no effect after the
// commit that leaves the source.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRecords } from '@octavo/records';
import { EXIT, Failure } from '../failure.ts';
import { moveRecordsOnce, recordsEnds } from './move-records.ts';
import { openMoveState } from './move-state.ts';

test('a mistyped address is no directory, and its password is not told', () => {
  for (const wrong of ['mysql://u:secret@db/x', 'postgress://u:secret@db/x', 'https://u:secret@db/x'])
    for (const flags of [
      { recordsFrom: wrong, recordsTo: './data' },
      { recordsFrom: './data', recordsTo: wrong },
    ])
      assert.throws(
        () => recordsEnds(flags),
        (error: unknown) => {
          assert.ok(error instanceof Failure);
          assert.equal(error.exitCode, EXIT.usage);
          assert.match(error.message, /^--records-(from|to): .* a data directory or postgres:\/\//);
          assert.match(error.message, new RegExp(`${wrong.split(':')[0]}://`));
          assert.doesNotMatch(error.message, /secret/);
          return true;
        },
      );
});

test('directories and both spellings of a PostgreSQL are places', () => {
  for (const recordsTo of ['postgres://u@db/x', 'PostgreSQL://u@db/x', './data', '/var/data', 'C:\\data'])
    assert.deepEqual(recordsEnds({ recordsFrom: './old', recordsTo }), { from: './old', to: recordsTo });
});

test('Ctrl-C at the commit that leaves the source comes too late, and says nothing else', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-late-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const ends = { from: join(folder, 'from'), to: join(folder, 'to') };
  await (await openRecords(ends.from)).close();
  const identity = { from: '', to: '', index: [], recordsFrom: ends.from, recordsTo: ends.to };
  const file = openMoveState(join(folder, 'state.json'), identity);
  const stopping = new AbortController();
  const told = t.mock.method(process.stderr, 'write', () => true);
  let shields = 0;
  const shield = (): void => {
    shields += 1;
    stopping.abort();
  };
  const interrupted = { signal: stopping.signal, shield, stop: () => {} };
  await moveRecordsOnce({ ends, file, overwrite: false, cutover: true, quiet: true, interrupted });
  const texts = told.mock.calls.map((call) => String(call.arguments[0]));
  told.mock.restore();
  assert.equal(shields, 1);
  assert.match(texts.join(''), /the records are at .*to\. Writes paused/);
});
