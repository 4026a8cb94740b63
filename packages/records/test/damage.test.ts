// Every kind of loss and damage of the files of records, each on a copy: either the start refuses it, or everything that was
// acknowledged is there. Crash images are those of a process that was killed while it wrote.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  createKey,
  getItem,
  openRecords,
  postItem,
  RecordsError,
  type RecordsNote,
  recordsState,
} from '../src/index.ts';
import { findTransfer } from '../src/ledger/sqlite/journal-reader.ts';
import { openForReading } from '../src/store/sqlite/connection.ts';
import { PreparedStatements } from '../src/store/sqlite/prepared-statements.ts';
import { checkAtStartup } from '../src/store/sqlite/startup-check.ts';
import { Inhabitant, moveIn } from './lived-in.ts';

const folder = mkdtempSync(join(tmpdir(), 'octavo-damage-'));
after(() => rmSync(folder, { recursive: true }));
const place = (name: string): string => join(folder, name);

/** A process was killed here while it wrote; all of it is in the log. */
const killed = place('killed');
const acknowledged: string[] = [];
/** Closed, with rows in every table. */
const closed = place('closed');
let note: RecordsNote;
/** The same some commits earlier. */
const earlier = place('earlier');

before(async () => {
  const child = spawn(process.execPath, [childFile('writing-child.ts'), killed, '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (chunk: string) => {
    text += chunk;
    if (text.split('\n').length > 40) child.kill('SIGKILL');
  });
  await once(child, 'close');
  for (const line of text.split('\n').slice(0, -1)) acknowledged.push(...line.split(' ').slice(1));
  const records = await openRecords(closed);
  await moveIn(records);
  await new Inhabitant(records, 7).live(60);
  await records.close();
  cpSync(closed, earlier, { recursive: true });
  const later = await openRecords(closed);
  await later.write(postItem, { feed: 'news', draft: { author: 'ada', text: 'a sentence to be found' } });
  const grant = { name: 'narrow', scopes: ['search:read'], indexPatterns: ['books-of-ada'] };
  await later.write(createKey, { id: 'narrow', hash: Buffer.alloc(32, 3), grant, createdBy: 'test' });
  note = { ...(await later.read(recordsState, {})), hadKeys: true, time: 'now' };
  await later.close();
});

function childFile(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

type Harm = (dir: string) => void;

function flip(file: string, at: number, bit = 1): Harm {
  return (dir) => {
    const bytes = readFileSync(join(dir, file));
    bytes[at]! ^= bit;
    writeFileSync(join(dir, file), bytes);
  };
}

/** Why a start refuses the directory; undefined where it does not, and everything that was acknowledged is there. */
function refusal(from: string, harm: Harm, noted?: RecordsNote): string | undefined {
  const dir = place('copy');
  rmSync(dir, { recursive: true, force: true });
  cpSync(from, dir, { recursive: true });
  harm(dir);
  const before = contentsOf(dir);
  try {
    checkAtStartup(dir, noted);
  } catch (error) {
    assert.ok(error instanceof RecordsError && /^records-(lost|damaged)$/.test(error.code), String(error));
    // Nothing that could still be of use was changed.
    assert.deepEqual(contentsOf(dir), before);
    return error.message;
  }
  const database = openForReading(dir);
  const sql = new PreparedStatements(database);
  if (from === killed)
    for (const id of acknowledged) assert.ok(findTransfer(sql, id) !== undefined, `${id} is gone, silently`);
  database.close();
  return undefined;
}

/** A hash of each file that has something in it. */
function contentsOf(dir: string): Record<string, string> {
  const names = readdirSync(dir).filter((name) => /^records\.(db|db-wal|mark|sums)$/.test(name));
  const full = names.filter((name) => statSync(join(dir, name)).size > 0);
  return Object.fromEntries(full.map((name) => [name, hash('sha256', readFileSync(join(dir, name)))]));
}

const FRAME = 4_120;

/** Where the log ends: frames of an earlier use of the file, with another salt, lie behind it. */
function endOfLog(): number {
  const log = readFileSync(join(killed, 'records.db-wal'));
  let at = 32;
  while (at < log.length && log.subarray(at + 8, at + 16).equals(log.subarray(16, 24))) at += FRAME;
  return at;
}

test('a directory that nothing has happened to is taken', () => {
  assert.equal(
    refusal(killed, () => {}),
    undefined,
  );
  assert.equal(
    refusal(closed, () => {}, note),
    undefined,
  );
  assert.ok(acknowledged.length > 40);
});

test('a log cut at every frame, and gone', () => {
  const size = endOfLog();
  let refused = 0;
  for (let end = 0; end < size; end += end === 0 ? 32 : FRAME)
    if (refusal(killed, (dir) => truncateSync(join(dir, 'records.db-wal'), end)) !== undefined) refused++;
  assert.ok(refused >= (size - 32) / FRAME - 20, `only ${refused} of ${size / FRAME}`);
  const gone: Harm = (dir) => {
    for (const name of ['records.db-wal', 'records.db-shm']) rmSync(join(dir, name), { force: true });
  };
  assert.match(refusal(killed, gone) ?? '', /commit \d+ was acknowledged|cannot be read/);
});

test('a bit that flips anywhere in the log', () => {
  const size = endOfLog();
  const places = Array.from({ length: 32 }, (_, at) => at);
  for (let frame = 32, n = 0; frame < size; frame += FRAME, n++)
    places.push(frame + (n % 24), frame + 24 + ((n * 997) % 4_096));
  const silent = places.filter(
    (at) => refusal(killed, flip('records.db-wal', at, 1 << (at % 8))) === undefined,
  );
  // Only what was never acknowledged may go without a word: the last commit, under way when the process was killed.
  assert.ok(
    silent.every((at) => at > size - 20 * FRAME || at < 16),
    `silent at ${silent} of ${size}`,
  );
});

test('a bit that flips in any page, and so in the rows of any table', () => {
  const { size } = statSync(join(closed, 'records.db'));
  for (let page = 0; page * 4_096 < size; page++) {
    const at = page * 4_096 + ((page * 1_009 + 57) % 4_096);
    assert.match(
      refusal(closed, flip('records.db', at, 1 << (page % 8))) ?? 'taken',
      /page \d+ \(byte|cannot be read/,
      `byte ${at}`,
    );
  }
  const database = new DatabaseSync(join(closed, 'records.db'), { readOnly: true });
  const tables = database
    .prepare("SELECT name, pageno FROM dbstat WHERE name NOT LIKE 'sqlite_%' AND ncell > 0 GROUP BY name")
    .all() as { name: string; pageno: number }[];
  database.close();
  for (const name of ['api_key', 'entry', 'account', 'outbox', 'users', 'webhook', 'chat_member', 'hold'])
    assert.ok(
      tables.some((table) => table.name === name),
      `no rows of ${name} in the image`,
    );
  // Rows lie at the end of their page.
  for (const { name, pageno } of tables)
    assert.match(
      refusal(closed, flip('records.db', pageno * 4_096 - 3)) ?? 'taken',
      new RegExp(`page ${pageno} |cannot be read|not the records that were`),
      name,
    );
});

for (const [what, text] of [
  ['a post', 'a sentence to be found'],
  ['the index patterns of a key', 'books-of-ada'],
] as const)
  test(`a byte that flips in ${what} is never served`, async () => {
    const at = readFileSync(join(closed, 'records.db')).indexOf(text);
    assert.ok(at > 0);
    const dir = place(what.replaceAll(' ', '-'));
    cpSync(closed, dir, { recursive: true });
    flip('records.db', at + 3)(dir);
    await assert.rejects(openRecords(dir), { code: 'records-damaged' });
    const accepted = await openRecords(dir, { lost: 'accept' });
    await accepted.close();
    await (await openRecords(dir)).close();
  });

function all(harm: (file: string) => void): void {
  for (const file of ['records.db', 'records.mark', 'records.sums']) harm(file);
}

const SWAPS: readonly [what: string, harm: Harm, refused: RegExp][] = [
  ['no records.db', (dir) => rmSync(join(dir, 'records.db')), /missing/],
  ['no records.db, nor its mark', (dir) => all((end) => rmSync(join(dir, end))), /missing/],
  ['an empty one', (dir) => truncateSync(join(dir, 'records.db'), 0), /missing/],
  ['half of it', (dir) => truncateSync(join(dir, 'records.db'), Math.floor(statSync(join(dir, 'records.db')).size / 8192) * 4096), /not as written|cannot be read/],
  ['an older one', (dir) => cpSync(join(earlier, 'records.db'), join(dir, 'records.db')), /end at commit \d+/],
  ['older ones, all of them', (dir) => all((end) => cpSync(join(earlier, end), join(dir, end))), /end at commit \d+/],
  ['no text', (dir) => writeFileSync(join(dir, 'records.db'), 'x'.repeat(50_000)), /cannot be read/],
  ['a damaged file of sums', flip('records.sums', 40), /records\.sums|not as written/],
]; // biome-ignore format: a table

for (const [what, harm, refused] of SWAPS)
  test(`${what}: refused`, () => assert.match(refusal(closed, harm, note) ?? 'taken', refused));

test('files that only help to find damage may be missing or torn', () => {
  for (const harm of [
    (dir) => rmSync(join(dir, 'records.mark')),
    (dir) => rmSync(join(dir, 'records.sums')),
    flip('records.mark', 21),
    flip('records.mark', 512 + 21),
    (dir) => truncateSync(join(dir, 'records.sums'), statSync(join(dir, 'records.sums')).size - 5),
  ] satisfies Harm[])
    assert.equal(refusal(killed, harm), undefined);
});

test('a process that leaves without closing loses nothing and is no damage', async () => {
  const dir = place('left');
  for (let life = 1; life <= 2; life++) {
    const child = spawn(process.execPath, [childFile('leaving-child.ts'), dir], { stdio: 'inherit' });
    assert.deepEqual(await once(child, 'close'), [0, null]);
    const records = await openRecords(dir);
    assert.equal((await records.read(recordsState, {})).event, 20 * life);
    await records.close();
  }
});

test('the log stays small, and what was moved out of it has its sums', async () => {
  const dir = place('large');
  const records = await openRecords(dir);
  const text = 'x'.repeat(3_000);
  let last = '';
  for (let n = 0; n < 40; n++) {
    const drafts = Array.from({ length: 100 }, () => ({ author: 'ada', text }));
    const items = await Promise.all(drafts.map((draft) => records.write(postItem, { feed: 'news', draft })));
    last = items.at(-1)!.id;
  }
  assert.ok(statSync(join(dir, 'records.db')).size > 16 << 20);
  assert.ok(statSync(join(dir, 'records.db-wal')).size < 8 << 20);
  await records.close();
  assert.ok(!existsSync(join(dir, 'records.db-wal')));
  const again = await openRecords(dir);
  assert.equal((await again.read(getItem, { feed: 'news', id: last })).text, text);
  await again.close();
});

test('damage is found while the records are open', async () => {
  const dir = place('open');
  cpSync(closed, dir, { recursive: true });
  const told: string[] = [];
  const records = await openRecords(dir, { onDamage: (what) => told.push(what) });
  assert.equal(records.damage?.(), undefined);
  const at = readFileSync(join(closed, 'records.db')).indexOf('a sentence to be found');
  const path = join(dir, 'records.db');
  // By another process, whose descriptors take no locks of this one with them.
  const script = `const fs=require('fs');const f=fs.openSync(process.argv[1],'r+');fs.writeSync(f,'b',${at});fs.closeSync(f)`;
  await once(spawn(process.execPath, ['-e', script, path], { stdio: 'inherit' }), 'close');
  while (told.length === 0) await sleep(50);
  assert.match(told[0]!, /records\.db: page \d+ .* not as written/);
  assert.equal(records.damage?.(), told[0]);
  await records.close();
  await assert.rejects(openRecords(dir), { code: 'records-damaged' });
});
