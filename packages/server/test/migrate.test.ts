// A migration loses nothing and copies nothing twice, although it is killed again and again while somebody
// writes. It refuses what would do harm.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from './eventually.ts';
import { ask, assertHolds, migrate, progressIn, WritingClient } from './migrate.ts';
import { type Served, serveProcess } from './process.ts';

let folder: string;
let from: Served;
let to: Served;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-migrate-'));
  [from, to] = await Promise.all([
    serveProcess(join(folder, 'from'), ['--quiet']),
    serveProcess(join(folder, 'to'), ['--quiet']),
  ]);
});

after(async () => {
  await Promise.all([from.end(), to.end()]);
  rmSync(folder, { recursive: true });
});

const state = (name: string): string => join(folder, `${name}.json`);

test('a data directory is a place as well; templates come along', { timeout: 900_000 }, async () => {
  await ask(
    from.url,
    'PUT /_index_template/shelves',
    '{"index_patterns":["shelf-*"],"template":{"settings":{"number_of_shards":2}}}',
  );
  const client = new WritingClient(from.url, 'shelf-1', 3);
  await client.fill(500);
  const dir = join(folder, 'dir');
  const there = ['--from', from.url, '--to', dir, '--state', state('out')];
  const shown = await migrate([...there, '--dry-run']);
  assert.equal(shown.code, 0, shown.err);
  assert.equal(existsSync(dir), false, 'to say what would be moved makes nothing');
  const out = await migrate(there);
  assert.equal(out.code, 0, out.err);
  const back = ['--from', dir, '--to', to.url, '--state', state('back')];
  const dry = await migrate([...back, '--dry-run']);
  assert.equal(dry.out, 'shelf-1: 500 documents\ntemplate shelves\n');
  const done = await migrate(back);
  assert.equal(done.code, 0, done.err);
  await assertHolds(to.url, 'shelf-1', client.model);
  assert.match((await ask(to.url, 'GET /_index_template/shelves')).text, /shelf-/);
});

test('what nothing is called by does not count as moved', async () => {
  const nothing = ['--from', from.url, '--to', to.url, '--index', 'nothing-*', '--state', state('nothing')];
  const { code, err } = await migrate(nothing);
  assert.equal(code, 1);
  assert.match(err, /has no index that matches nothing-\*/);
  assert.equal(existsSync(state('nothing')), false, 'it is in nobody’s way');
});

test('killed four times under writes: nothing is lost, nothing is there twice', {
  timeout: 900_000,
}, async () => {
  await ask(
    from.url,
    'PUT /books',
    '{"mappings":{"properties":{"n":{"type":"long"},"word":{"type":"keyword"}}},"aliases":{"shelf":{"filter":{"term":{"word":"w1"}}}}}',
  );
  const client = new WritingClient(from.url, 'books');
  await client.fill(6_000);
  const flags = ['--from', from.url, '--to', to.url, '--index', 'books', '--state', state('killed')];
  let kills = 0;
  const killed = async (when: (err: string) => boolean): Promise<void> => {
    const run = migrate(flags, { when, signal: 'SIGKILL' });
    await client.until(run);
    // It may be done before the kill comes; what it has written is what the next run begins with all the same.
    const { code, err } = await run;
    if (code === null) kills++;
    else assert.equal(code, 0, err);
  };
  await killed(() => progressIn(state('killed')) >= 0);
  await killed(() => progressIn(state('killed')) > 1_500);
  await killed(() => progressIn(state('killed')) > 4_000);
  await killed((err) => err.includes('copied'));
  assert.ok(kills > 0);
  const whole = migrate(flags);
  await client.until(whole);
  assert.equal((await whole).code, 0, (await whole).err);
  // Clients are stopped; what they wrote since the last round comes now.
  const last = await migrate(flags);
  assert.equal(last.code, 0, last.err);
  assert.match(last.err, /books: [\d,]+ documents, equal, hash [0-9a-f]{16}/);
  await assertHolds(to.url, 'books', client.model);
  const made = JSON.parse((await ask(to.url, 'GET /books')).text);
  assert.equal(made.books.mappings.properties.word.type, 'keyword');
  assert.deepEqual(made.books.aliases, { shelf: { filter: { term: { word: 'w1' } } } });
  const version = async (url: string): Promise<unknown> =>
    JSON.parse(
      (await ask(url, 'POST /books/_search', '{"version":true,"size":50,"sort":["_id"]}')).text,
    ).hits.hits.map((hit: { _id: string; _version: number }) => [hit._id, hit._version]);
  assert.deepEqual(await version(to.url), await version(from.url));
});

test('--follow carries writes and deletions until it is stopped, and sees that clients have switched', {
  timeout: 900_000,
}, async () => {
  const client = new WritingClient(from.url, 'news', 7);
  await client.fill(300);
  const flags = ['--from', from.url, '--to', to.url, '--index', 'news', '--state', state('follow')];
  let stop = false;
  let told = '';
  const when = (err: string): boolean => {
    told = err;
    return stop;
  };
  const run = migrate([...flags, '--follow'], { when, signal: 'SIGINT' });
  while (!told.includes('Following')) await client.step();
  for (let i = 0; i < 20; i++) await client.step();
  await eventually(() => assertHolds(to.url, 'news', client.model));
  await ask(to.url, 'PUT /news/_doc/ours', '{"word":"new"}');
  while (!told.includes('receives other writes')) await new Promise((resolve) => setTimeout(resolve, 20));
  stop = true;
  const { code, err } = await run;
  assert.equal(code, 0, err);
  assert.match(err, /now receives other writes \(news\)/);
  const again = await migrate(flags);
  assert.equal(again.code, 1);
  assert.match(again.err, /Something else has written to news/);
  assert.match((await ask(to.url, 'GET /news/_doc/ours')).text, /"found":true/);
});

test('records move beside a server that has them open, then when it is stopped', {
  timeout: 900_000,
}, async () => {
  const dir = join(folder, 'kept');
  const server = await serveProcess(dir, ['--quiet']);
  for (const [id, allow_negative] of [
    ['bank', true],
    ['ada', false],
  ])
    await server.ask('POST /api/accounts', { id, currency: 'EUR', allow_negative });
  const pay = (): Promise<unknown> => server.ask('POST /api/transaction/?from=bank&to=ada&money=1');
  for (let i = 0; i < 20; i++) await pay();
  const to = join(folder, 'kept-again');
  const flags = ['--records-from', dir, '--records-to', to, '--state', state('records')];
  const early = await migrate(flags);
  assert.equal(early.code, 0, early.err);
  assert.match(early.err, /a server has the records in .* open: the next run copies their later writes/);
  await pay();
  await server.end();
  const last = await migrate(flags);
  assert.equal(last.code, 0, last.err);
  assert.match(last.err, /journal: 21 transactions, its last hash [0-9a-f]{64}/);
  assert.doesNotMatch(last.err, /next run/);
  const again = await serveProcess(to, ['--quiet']);
  assert.equal((await again.ask('GET /api/accounts/ada')).body['balance'], '21.00');
  await again.end();
  const back = await migrate(['--records-from', dir, '--records-to', to, '--state', state('other')]);
  assert.equal(back.code, 1);
  assert.match(back.err, /the target has records already. --overwrite/);
});

test('records move beside a server that writes, killed on the way, and the server says where they went', {
  timeout: 900_000,
}, async () => {
  const dir = join(folder, 'left');
  const to = join(folder, 'arrived');
  const server = await serveProcess(dir, ['--quiet']);
  for (const [id, allow_negative] of [
    ['bank', true],
    ['ada', false],
  ])
    await server.ask('POST /api/accounts', { id, currency: 'EUR', allow_negative });
  let paid = 0;
  const pay = async (): Promise<number> => {
    const { status } = await server.ask('POST /api/transaction/?from=bank&to=ada&money=1');
    if (status === 201) paid += 1;
    else assert.equal(status, 503);
    return status;
  };
  for (let i = 0; i < 20; i++) await pay();
  const flags = ['--records-from', dir, '--records-to', to, '--state', state('left'), '--cutover'];
  let isGone = false;
  for (const step of [/records/, /changed in the meantime/, /writers wait for the last/]) {
    const run = migrate(flags, { when: (err) => step.test(err), signal: 'SIGKILL' });
    for (let i = 0; i < 5; i++) await pay();
    const { code } = await run;
    // The last of the kills may come when all is done.
    isGone = code === 0 || (await pay()) === 503;
    if (isGone) break;
  }
  const last = await migrate(flags);
  if (last.code === 0) assert.match(last.err, /Writes paused for [0-9.]+ s and are now refused at .*left/);
  else assert.match(last.err, /already moved to .*arrived at /);
  assert.ok(isGone || last.code === 0);

  const line = `${server.url}/api/transaction/?from=bank&to=ada&money=1`;
  const refused = await fetch(line, { method: 'POST' });
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('retry-after'), '60');
  const problem = (await refused.json()) as { code: string; detail: string };
  assert.equal(problem.code, 'records-moved');
  assert.match(problem.detail, /moved to another store at /);
  assert.doesNotMatch(problem.detail, /arrived|\//, 'callers hear when, not where');
  const ready = await fetch(`${server.url}/api/health/ready`);
  assert.equal(ready.status, 503);
  assert.equal(((await ready.json()) as { records: string }).records, 'moved');
  assert.equal((await server.ask('GET /api/accounts/ada')).body['balance'], `${paid}.00`);
  const there = await serveProcess(to, ['--quiet']);
  assert.equal((await there.ask('GET /api/accounts/ada')).body['balance'], `${paid}.00`);
  await there.end();

  const given = await migrate([...flags.slice(0, 4), '--reopen']);
  assert.equal(given.code, 0, given.err);
  assert.equal(await pay(), 201);
  await server.end();
  const wrong = await migrate(['--from', dir, '--to', to, '--reopen']);
  assert.equal(wrong.code, 2, wrong.err);
  assert.match(wrong.err, /are for records/);
  for (const flag of ['--cutover', '--dry-run']) {
    const both = await migrate([...flags.slice(0, 4), '--reopen', flag]);
    assert.deepEqual([both.code, both.err.includes(`${flag} makes one`)], [2, true]);
  }
});

test('what would do harm is refused in words', { timeout: 900_000 }, async () => {
  const taken = ['--from', from.url, '--to', to.url, '--index', 'books', '--state', state('new')];
  const full = await migrate(taken);
  assert.equal(full.code, 1);
  assert.match(full.err, /already has documents in books.*--overwrite/);
  const other = await migrate(['--from', to.url, '--to', from.url, '--state', state('killed')]);
  assert.equal(other.code, 2);
  assert.match(other.err, /belongs to a move with another --from/);
  const locked = await migrate(['--from', join(folder, 'from'), '--to', to.url, '--state', state('y')]);
  assert.equal(locked.code, 1);
  assert.match(locked.err, /in use by process \d+\. Stop it, or give the address of its server: --from http/);
  const same = await migrate(['--from', from.url, '--to', `${from.url}/`]);
  assert.equal(same.code, 2);
  const named = from.url.replace('127.0.0.1', 'localhost');
  const twice = await migrate(['--from', from.url, '--to', named, '--state', state('twice')]);
  assert.deepEqual([twice.code, existsSync(state('twice'))], [2, false]);
  assert.match(twice.err, /two names of the same store/);
  const lost = await migrate(['--from', from.url, '--to', 'http://127.0.0.1:9', '--state', state('z')]);
  assert.match(lost.err, /cannot be reached: nothing listens there/);
  const records = await migrate(['--from', from.url, '--to', 'postgres://localhost/x']);
  assert.equal(records.code, 2);
});
