// Answers are stored for a day, for their own caller, and not longer.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { RecordsError } from '../contracts/errors.ts';
import { packError } from '../contracts/store-errors.ts';
import { migrate } from '../schema/migrate.ts';
import { kyselyOver } from '../store/sqlite/dialect.ts';
import { PreparedStatements } from '../store/sqlite/prepared-statements.ts';
import {
  ANSWER_LIFETIME_MS,
  checkIdempotencyKey,
  findAnswer,
  purgeAnswers,
  storeAnswer,
} from './stored-answers.ts';

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
  storeAnswer(sql, call, outcome, 1_000);
  assert.deepEqual(findAnswer(sql, call, 1_001), outcome);
  assert.equal(findAnswer(sql, { ...call, principal: 'q' }, 1_001), undefined);
  assert.equal(findAnswer(sql, { ...call, key: 'l' }, 1_001), undefined);
  assert.throws(
    () => findAnswer(sql, { ...call, fingerprint: 'g' }, 1_001),
    (error) => error instanceof RecordsError && error.code === 'idempotency-key-reused',
  );
  assert.deepEqual(findAnswer(sql, call, 1_000 + ANSWER_LIFETIME_MS - 1), outcome);
  assert.equal(findAnswer(sql, call, 1_000 + ANSWER_LIFETIME_MS), undefined);
  assert.equal(findAnswer(sql, { ...call, fingerprint: 'g' }, 1_000 + ANSWER_LIFETIME_MS), undefined);
});

test('refusals by the state of the records are kept, all others are not', async () => {
  const sql = await database();
  const kept = (thrown: unknown): boolean => {
    storeAnswer(sql, { ...call, key: String(thrown) }, { thrown: packError(thrown), result: undefined }, 1);
    return findAnswer(sql, { ...call, key: String(thrown) }, 2) !== undefined;
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
    storeAnswer(sql, { ...call, key: String(i) }, { thrown: undefined, result: i }, i);
  const left = (): number => Number(sql.get<{ n: bigint }>('SELECT count(*) AS n FROM idempotency')!.n);
  purgeAnswers(sql, ANSWER_LIFETIME_MS - 1);
  assert.equal(left(), 600);
  const lefts: number[] = [];
  for (let i = 0; i < 4; i++) {
    purgeAnswers(sql, ANSWER_LIFETIME_MS + 549);
    lefts.push(left());
  }
  assert.deepEqual(lefts, [344, 88, 50, 50]);
});

test('keys are short and printable', () => {
  for (const key of ['a', 'A b~!', 'x'.repeat(255)]) checkIdempotencyKey(key);
  for (const key of ['', ' a', 'a ', 'x'.repeat(256), 'ä', 'a\nb', '\u007f'])
    assert.throws(() => checkIdempotencyKey(key), RecordsError);
});
