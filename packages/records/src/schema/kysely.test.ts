// A start loads no Kysely, in no thread: it is three hundred files, which take longer than all the rest of the store.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';

const folder = await mkdtemp(join(tmpdir(), 'octavo-kysely-'));
after(() => rm(folder, { recursive: true, force: true }));

/** Threads begin with it too: names Kysely where it is loaded. */
const HOOK = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  registerHooks({
    resolve(name, context, next) {
      if (name === 'kysely') writeSync(1, 'Kysely is loaded\\n');
      return next(name, context);
    },
  });`)}`;

/** What every start of a server asks. */
const START = `
  const { listKeys, openRecords, recordsFence, sweepAbandonedEntries } = await import(process.argv[1]);
  const records = await openRecords(process.argv[2]);
  await records.read(listKeys, { limit: 100 });
  await records.read(recordsFence, undefined);
  await records.write(sweepAbandonedEntries, undefined);
  await records.close();
  console.log('closed');`;

async function start(): Promise<string> {
  const index = new URL('../index.ts', import.meta.url).href;
  const options = ['--import', HOOK, '-e', START, index, join(folder, 'records')];
  return (await promisify(execFile)(process.execPath, options)).stdout;
}

test('Kysely makes the tables, and no later start loads it', async () => {
  assert.equal(await start(), 'Kysely is loaded\nclosed\n');
  assert.equal(await start(), 'closed\n');
});
