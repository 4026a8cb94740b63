// The time at which events of documents were last read. Every server over the same records sees it, and so
// knows whether a write needs an intent (write-intents.ts).

import type { AnyOperation, ReadOperation, WriteOperation } from '../contracts/operation.ts';

const NAME = 'documents';

/** When events of documents were last read, and the current time, both in ms since 1970 by the clock of the store. */
export const lastFollowed: ReadOperation<
  Readonly<Record<string, never>>,
  { readonly last: number | undefined; readonly now: number }
> = {
  kind: 'read',
  name: 'outbox.followed',
  async run({ db, now }) {
    const row = await db.selectFrom('follower').select('time').where('name', '=', NAME).executeTakeFirst();
    return { last: row && Number(row.time), now };
  },
};

/** Records that events of documents are read now. */
export const recordFollower: WriteOperation<Readonly<Record<string, never>>, void> = {
  kind: 'write',
  name: 'outbox.follow',
  locks: () => ['followers'],
  checksFirst: true,
  async run({ db, now }) {
    const time = BigInt(now);
    await db
      .insertInto('follower')
      .values({ name: NAME, time })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ time }))
      .execute();
  },
};

export const followerOperations: readonly AnyOperation[] = [lastFollowed, recordFollower];
