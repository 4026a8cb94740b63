// Stored answers are available for one day, and only to their own caller.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { RecordsError } from '../contracts/errors.ts';
import { pack } from '../contracts/store-errors.ts';
import { migrate } from '../schema/migrate.ts';
import { kyselyOver } from '../store/sqlite/dialect.ts';
import { PreparedStatements } from '../store/sqlite/prepared-statements.ts';
import { ANSWERS_KEPT_MS, checkKey, keepAnswer, keptAnswer, purgeAnswers } from './stored-answers.ts';

async function database(): Promise<PreparedStatements> {
  const raw = new DatabaseSync(':memory:');
  const sql = new PreparedStatements(raw);
  await migrate(raw, () => kyselyOver(sql));
  return sql;
}

const call = { principal: 'p', key: 'k', fingerprint: 'f' };

test('an answer is given again, as it was, to the same caller with the same request', async () => {
  const sql = await database();
  const outcome = { thrown: undefined, result: { amount: 2n ** 62n, none: undefined, nothing: null } };
  keepAnswer(sql, call, outcome, 1_000);
  assert.deepEqual(keptAnswer(sql, call, 1_001), outcome);
  assert.equal(keptAnswer(sql, { ...call, principal: 'q' }, 1_001), undefined);
  assert.equal(keptAnswer(sql, { ...call, key: 'l' }, 1_001), undefined);
  assert.throws(
    () => keptAnswer(sql, { ...call, fingerprint: 'g' }, 1_001),
    (error) => error instanceof RecordsError && error.code === 'idempotency-key-reused',
  );
  assert.deepEqual(keptAnswer(sql, call, 1_000 + ANSWERS_KEPT_MS - 1), outcome);
  assert.equal(keptAnswer(sql, call, 1_000 + ANSWERS_KEPT_MS), undefined);
  assert.equal(keptAnswer(sql, { ...call, fingerprint: 'g' }, 1_000 + ANSWERS_KEPT_MS), undefined);
});

test('refusals by the state of the records are kept, all others are not', async () => {
  const sql = await database();
  const kept = (thrown: unknown): boolean => {
    keepAnswer(sql, { ...call, key: String(thrown) }, { thrown: pack(thrown), result: undefined }, 1);
    return keptAnswer(sql, { ...call, key: String(thrown) }, 2) !== undefined;
  };
  assert.ok(kept(new RecordsError('insufficient-funds', 'a')));
  assert.ok(kept(new RecordsError('account-not-found', 'b')));
  assert.ok(kept(new RecordsError('external-id-taken', 'c')));
  assert.ok(kept(new RecordsError('not-a-member', 'd')));
  assert.ok(!kept(new RecordsError('invalid-money', 'e')));
  assert.ok(!kept(new RecordsError('store-full', 'f')));
  assert.ok(!kept(new TypeError('g')));
});

test('old answers go, some at a time', async () => {
  const sql = await database();
  for (let i = 0; i < 600; i++)
    keepAnswer(sql, { ...call, key: String(i) }, { thrown: undefined, result: i }, i);
  const left = (): number => Number(sql.get<{ n: bigint }>('SELECT count(*) AS n FROM idempotency')!.n);
  purgeAnswers(sql, ANSWERS_KEPT_MS - 1);
  assert.equal(left(), 600);
  const lefts: number[] = [];
  for (let i = 0; i < 4; i++) {
    purgeAnswers(sql, ANSWERS_KEPT_MS + 549);
    lefts.push(left());
  }
  assert.deepEqual(lefts, [344, 88, 50, 50]);
});

test('keys are short and printable', () => {
  for (const key of ['a', 'A b~!', 'x'.repeat(255)]) checkKey(key);
  for (const key of ['', ' a', 'a ', 'x'.repeat(256), 'ä', 'a\nb', '\u007f'])
    assert.throws(() => checkKey(key), RecordsError);
});
