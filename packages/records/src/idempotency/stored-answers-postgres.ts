// The same table through Kysely, for stores without prepared statements.

import { serialize } from 'node:v8';
import type { Kysely } from 'kysely';
import type { IdempotentCall } from '../contracts/operation.ts';
import type { Database } from '../schema/database.ts';
import { ANSWER_LIFETIME_MS, answerOfRow, isStorable, type PackedOutcome } from './stored-answers.ts';

/** The stored answer, if there is one. Throws `idempotency-key-reused` where the key stands for another request. */
export async function loadAnswer(
  db: Kysely<Database>,
  call: IdempotentCall,
  now: number,
): Promise<PackedOutcome | undefined> {
  const row = await db
    .selectFrom('idempotency')
    .select(['fingerprint', 'answer', 'time'])
    .where('principal', '=', call.principal)
    .where('key', '=', call.key)
    .executeTakeFirst();
  return answerOfRow(row, call, now);
}

/** Stores an answer, unless the same call may well get another one. */
export async function saveAnswer(
  db: Kysely<Database>,
  call: IdempotentCall,
  outcome: PackedOutcome,
  now: number,
): Promise<void> {
  if (!isStorable(outcome)) return;
  const { principal, key, fingerprint } = call;
  const kept = { fingerprint, answer: serialize(outcome), time: BigInt(now) };
  await db
    .insertInto('idempotency')
    .values({ principal, key, ...kept })
    .onConflict((conflict) => conflict.columns(['principal', 'key']).doUpdateSet(kept))
    .execute();
}

/** Removes answers that are old enough, at most `limit`. */
export async function purgeSavedAnswers(db: Kysely<Database>, now: number, limit: number): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where((eb) =>
      eb(
        eb.refTuple('principal', 'key'),
        'in',
        eb
          .selectFrom('idempotency')
          .select(['principal', 'key'])
          .where('time', '<=', BigInt(now - ANSWER_LIFETIME_MS))
          .orderBy('time')
          .limit(limit)
          .$asTuple('principal', 'key'),
      ),
    )
    .execute();
}
