// Intents: notes of document writes in a cluster, which shares no transaction with the records. An intent is
// stored before the write is sent and removed in the commit of its events. One that is left over belongs to a
// server that was killed; another server then looks up what became of the documents.

import type { QueryChange } from '../contracts/events.ts';
import { insertRows } from '../contracts/insert-rows.ts';
import type {
  AnyOperation,
  ReadOperation,
  SqlValue,
  WriteContext,
  WriteOperation,
} from '../contracts/operation.ts';

/** A write of a document that has been begun. */
export interface IntendedDocument {
  readonly kind: 'index' | 'create' | 'update' | 'delete';
  /** An index or an alias, as sent to the cluster. */
  readonly index: string;
  readonly id: string;
  readonly routing?: string | undefined;
}

/** A change by query that has been begun. */
export interface IntendedQuery {
  readonly by: QueryChange['by'];
  readonly indices: readonly string[];
  /** Its name in the cluster, where the cluster goes on with it after the answer. */
  readonly task?: string | undefined;
}

/** A write that has begun and has no events yet: documents, or a query. */
export interface Intent {
  /** Any name that no other has. */
  readonly id: string;
  readonly documents?: readonly IntendedDocument[];
  readonly query?: IntendedQuery;
  /** Milliseconds since 1970 at which it was begun. @default that of its commit */
  readonly since?: number | undefined;
}

const KINDS = ['index', 'create', 'update', 'delete'] as const;

/** A document in a row: the number of its kind, index, id and, where it has one, routing. */
type PackedDocument = readonly [kind: number, index: string, id: string, routing?: string];

interface PackedIntent {
  readonly documents?: readonly PackedDocument[];
  readonly query?: IntendedQuery;
  readonly since?: number | undefined;
}

/** Stores intents; no other server takes them for `leaseMs`. Removes those of `ended`. */
export const beginIntents: WriteOperation<
  { readonly intents: readonly Intent[]; readonly leaseMs: number; readonly ended?: readonly string[] },
  void
> = {
  kind: 'write',
  name: 'outbox.intend',
  locks: () => [],
  checksFirst: true,
  async run(context, { intents, leaseMs, ended = [] }) {
    const until = BigInt(context.now + leaseMs);
    const rows = intents.map((intent) => ({ id: intent.id, until, data: packed(context.now, intent) }));
    const { sql, db } = context;
    if (sql !== undefined)
      insertRows(
        sql,
        'document_intent (id, until, data)',
        3,
        rows.flatMap(({ id, data }): SqlValue[] => [id, until, data]),
      );
    else await db.insertInto('document_intent').values(rows).execute();
    await endIntents(context, ended);
  },
};

/** The number of intents whose lease has expired, at most `limit`. */
export const dueIntents: ReadOperation<{ readonly limit: number }, number> = {
  kind: 'read',
  name: 'outbox.due',
  async run({ db, now }, { limit }) {
    const due = db.selectFrom('document_intent').select('id').where('until', '<=', BigInt(now));
    return (await due.limit(limit).execute()).length;
  },
};

/** Takes due intents, oldest first, for `leaseMs`: then they are due again, unless they were ended. */
export const takeIntents: WriteOperation<
  { readonly limit: number; readonly leaseMs: number },
  readonly Intent[]
> = {
  kind: 'write',
  name: 'outbox.take',
  locks: () => ['intents'],
  checksFirst: true,
  async run({ db, now }, { limit, leaseMs }) {
    const rows = await db
      .selectFrom('document_intent')
      .select(['id', 'data'])
      .where('until', '<=', BigInt(now))
      .orderBy('until')
      .limit(limit)
      .execute();
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0)
      await db
        .updateTable('document_intent')
        .set({ until: BigInt(now + leaseMs) })
        .where('id', 'in', ids)
        .execute();
    return rows.map(({ id, data }) => ({ id, ...unpacked(data) }));
  },
};

/** Removes intents, within another operation. */
export async function endIntents(
  { sql, db }: Pick<WriteContext, 'sql' | 'db'>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  if (sql === undefined) await db.deleteFrom('document_intent').where('id', 'in', ids).execute();
  else for (const id of ids) sql.run('DELETE FROM document_intent WHERE id = ?', id);
}

function packed(now: number, { documents, query, since = now }: Intent): string {
  const lines = documents?.map(({ kind, index, id, routing }): PackedDocument => {
    const line = [KINDS.indexOf(kind), index, id] as const;
    return routing === undefined ? line : [...line, routing];
  });
  const intent: PackedIntent = {
    ...(lines === undefined ? {} : { documents: lines }),
    ...(query === undefined ? {} : { query }),
    since,
  };
  return JSON.stringify(intent);
}

function unpacked(data: string): Omit<Intent, 'id'> {
  const { documents, query, since } = JSON.parse(data) as PackedIntent;
  return {
    ...(since === undefined ? {} : { since }),
    ...(query === undefined ? {} : { query }),
    ...(documents === undefined
      ? {}
      : {
          documents: documents.map(([kind, index, id, routing]) => ({
            ...{ kind: KINDS[kind]!, index, id },
            ...(routing === undefined ? {} : { routing }),
          })),
        }),
  };
}

export const intentOperations: readonly AnyOperation[] = [beginIntents, dueIntents, takeIntents];
