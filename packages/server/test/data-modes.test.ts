// The data directory is for the user of the server only: folders 0700, files 0600, whatever the umask is.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveProcess } from './process.ts';

const skip = process.platform === 'win32' ? 'there are no such modes' : false;

/** Modes of a folder and all below it, by path. */
function modes(folder: string): string[] {
  const shown = (path: string): string => `${(statSync(path).mode & 0o777).toString(8)} ${path}`;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => shown(join(parentPath, name)))
    .concat(shown(folder));
}

test('a new data directory can be read by nobody else', { skip }, async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'octavo-modes-'));
  const before = process.umask(0);
  t.after(() => {
    process.umask(before);
    rmSync(home, { recursive: true, force: true });
  });
  const dir = join(home, 'above', 'data');
  const served = await serveProcess(dir);
  t.after(() => served.child.kill('SIGKILL'));
  for (let i = 0; i < 3; i++) assert.equal((await served.ask('PUT /a/_doc/1', { n: i })).status < 300, true);
  assert.equal((await served.ask('POST /a/_flush')).status, 200);
  assert.equal(
    (await served.ask('POST /api/accounts', { id: 'bank', currency: 'EUR', allow_negative: true })).status,
    201,
  );
  const found = modes(dir);
  assert.ok(found.length > 12, found.join('\n'));
  for (const each of found)
    assert.match(each, statSync(each.slice(4)).isDirectory() ? /^700 / : /^600 /, each);
  assert.equal(await served.end(), 0);
  for (const each of modes(dir)) assert.match(each, /^[67]00 /, each);
});
