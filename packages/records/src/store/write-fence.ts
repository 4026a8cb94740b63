// The fence of a store: one row that refuses all writes, after the records have moved and while they are on
// their way here. A move writes it while no write is running; every group of writes reads it after it has the
// right to write.

import { RecordsError } from '../contracts/errors.ts';
import type { ReadContext, ReadOperation } from '../contracts/operation.ts';
import type { Fence } from '../schema/store-tables.ts';

/** At most one row. Another one names the move with which the records came (move/fences.ts). */
export const SELECT_FENCE: string =
  "SELECT state, place, event, transfers, time, move FROM move_fence WHERE name = 'writes'";

/** The fence as servers see it. */
export interface RecordsFence extends Pick<Fence, 'state' | 'place'> {
  /** When the records left or began to arrive: RFC 3339. */
  readonly since: string;
}

/** Why the records refuse changes; undefined where they do not. */
export const recordsFence: ReadOperation<undefined, RecordsFence | undefined> = {
  kind: 'read',
  name: 'store.fence',
  async run(context) {
    const row = await fenceOf(context);
    return row && { state: row.state, place: row.place, since: sinceOf(row) };
  },
};

/** Every start asks for it: without `db`, which loads Kysely. */
async function fenceOf(context: ReadContext): Promise<Pick<Fence, 'state' | 'place' | 'time'> | undefined> {
  const { sql } = context;
  if (sql !== undefined) return sql.get<Fence>(SELECT_FENCE);
  const fences = context.db.selectFrom('move_fence').where('name', '=', 'writes');
  return await fences.select(['state', 'place', 'time']).executeTakeFirst();
}

/** The refusal of a change. Any caller may read it, so it does not name the other store. */
export function fenceRefusal(fence: Pick<Fence, 'state' | 'time'>): RecordsError {
  const since = sinceOf(fence);
  return new RecordsError(
    'records-moved',
    fence.state === 'gone'
      ? `The records moved to another store at ${since}: this store takes no more writes. Send this request to a server of that store; reads still work here.`
      : `The records are being moved to this store since ${since}. Try again when they have arrived.`,
  );
}

function sinceOf({ time }: Pick<Fence, 'time'>): string {
  return new Date(Number(time)).toISOString();
}
