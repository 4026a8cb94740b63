// Which places of records are taken, and how are the others refused?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXIT, Failure } from '../failure.ts';
import { recordsPlaces } from './records.ts';

test('a mistyped address is no directory, and its password is not told', () => {
  for (const wrong of ['mysql://u:secret@db/x', 'postgress://u:secret@db/x', 'https://u:secret@db/x'])
    for (const flags of [
      { recordsFrom: wrong, recordsTo: './data' },
      { recordsFrom: './data', recordsTo: wrong },
    ])
      assert.throws(
        () => recordsPlaces(flags),
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
    assert.deepEqual(recordsPlaces({ recordsFrom: './old', recordsTo }), { from: './old', to: recordsTo });
});
