// The directory of users: put, read, listed, taken out; names belong to one at a time, and the world is told.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openStore } from '../../test/stores.ts';
import {
  deleteUser,
  eventsAfter,
  getUser,
  listUsers,
  putUser,
  type Records,
  RecordsError,
  type User,
  usersById,
} from '../index.ts';

let records: Records;
before(async () => {
  records = await openStore();
});
after(() => records.close());

const put = async (id: string, username: string, display?: string): Promise<User> =>
  (await records.write(putUser, { id, names: { username, display } })).user;
const refused = (code: string) => (error: unknown) => error instanceof RecordsError && error.code === code;

test('a user is put, changed and taken out, and each is an event', async () => {
  const from = records.lastEvent();
  assert.equal((await records.write(putUser, { id: 'u/1', names: { username: 'ada' } })).made, true);
  const again = await records.write(putUser, { id: 'u/1', names: { username: 'ada' } });
  assert.equal(again.made, false);
  assert.deepEqual(await records.read(getUser, { id: 'u/1' }), again.user);
  assert.equal((await put('u/1', 'lovelace', 'Ada')).display, 'Ada');
  await records.write(deleteUser, { id: 'u/1' });
  await assert.rejects(records.read(getUser, { id: 'u/1' }), refused('user-not-found'));
  await assert.rejects(records.write(deleteUser, { id: 'u/1' }), refused('user-not-found'));
  const events = await records.read(eventsAfter, { after: from, limit: 10 });
  assert.deepEqual(
    events.map(({ type, subject, data }) => [type, subject, data['username'], data['display']]),
    [
      ['user.created', 'users/u%2F1', 'ada', undefined],
      ['user.updated', 'users/u%2F1', 'lovelace', 'Ada'],
      ['user.deleted', 'users/u%2F1', undefined, undefined],
    ],
  );
});

test('a username has one user, upper and lower case being different; who changes it lets it go', async () => {
  await put('a', 'x');
  await put('b', 'X');
  await assert.rejects(put('b', 'x'), refused('username-taken'));
  assert.equal((await records.read(getUser, { id: 'b' })).username, 'X');
  await put('a', 'third');
  await put('b', 'x');
  await put('a', 'X');
  const both = await records.read(usersById, { ids: ['a', 'b', 'nobody'] });
  assert.deepEqual(
    new Map(both.map(({ id, username }) => [id, username])),
    new Map([
      ['a', 'X'],
      ['b', 'x'],
    ]),
  );
});

test('of many who want one name at once, one gets it', async () => {
  const all = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => put(`r${n}`, 'wanted')));
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const each of all) if (each.status === 'rejected') assert.ok(refused('username-taken')(each.reason));
});

test('displays of earlier are remembered, each once, the last sixteen', async () => {
  for (const display of ['one', 'two', 'one', undefined, 'three']) await put('d', 'dee', display);
  assert.deepEqual((await records.read(getUser, { id: 'd' })).formerDisplays, ['two', 'one']);
  for (let n = 0; n < 40; n++) await put('d', 'dee', `n${n}`);
  const { formerDisplays } = await records.read(getUser, { id: 'd' });
  assert.deepEqual(
    formerDisplays,
    Array.from({ length: 16 }, (_, n) => `n${n + 23}`),
  );
});

test('a walk meets each user once, in the order of code units; very many are found by id', async () => {
  const ids = Array.from({ length: 1_200 }, (_, n) => `w${n}`);
  for (let at = 0; at < ids.length; at += 100) {
    await Promise.all(ids.slice(at, at + 100).map((id) => put(id, `name of ${id}`)));
  }
  const found = await records.read(usersById, { ids });
  assert.deepEqual(found.map(({ id }) => id).toSorted(), ids.toSorted());
  const walked: string[] = [];
  for (let last: string | undefined; ; ) {
    const page = await records.read(listUsers, { after: last, limit: 999 });
    walked.push(...page.rows.map(({ id }) => id));
    if (!page.hasNext) break;
    last = walked.at(-1);
  }
  assert.deepEqual(walked, walked.toSorted());
  assert.deepEqual(
    walked.filter((id) => id.startsWith('w')),
    ids.toSorted(),
  );
});
