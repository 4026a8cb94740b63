// The same table through Kysely, for stores without prepared statements.

import { serialize } from 'node:v8';
import type { Kysely } from 'kysely';
import type { IdempotentCall } from '../contracts/operation.ts';
import type { Database } from '../schema/database.ts';
import { ANSWERS_KEPT_MS, answerOf, isKept, type Outcome } from './stored-answers.ts';

/** The answer of earlier, if there is one. Throws `idempotency-key-reused` where the key stands for another request. */
export async function storedAnswer(
  db: Kysely<Database>,
  call: IdempotentCall,
  now: number,
): Promise<Outcome | undefined> {
  const row = await db
    .selectFrom('idempotency')
    .select(['fingerprint', 'answer', 'time'])
    .where('principal', '=', call.principal)
    .where('key', '=', call.key)
    .executeTakeFirst();
  return answerOf(row, call, now);
}

/** Keeps an answer, unless asking again may well give another one. */
export async function storeAnswer(
  db: Kysely<Database>,
  call: IdempotentCall,
  outcome: Outcome,
  now: number,
): Promise<void> {
  if (!isKept(outcome)) return;
  const { principal, key, fingerprint } = call;
  const kept = { fingerprint, answer: serialize(outcome), time: BigInt(now) };
  await db
    .insertInto('idempotency')
    .values({ principal, key, ...kept })
    .onConflict((conflict) => conflict.columns(['principal', 'key']).doUpdateSet(kept))
    .execute();
}

/** Removes answers that are old enough, at most `limit`. */
export async function purgeStoredAnswers(db: Kysely<Database>, now: number, limit: number): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where((eb) =>
      eb(
        eb.refTuple('principal', 'key'),
        'in',
        eb
          .selectFrom('idempotency')
          .select(['principal', 'key'])
          .where('time', '<=', BigInt(now - ANSWERS_KEPT_MS))
          .orderBy('time')
          .limit(limit)
          .$asTuple('principal', 'key'),
      ),
    )
    .execute();
}
