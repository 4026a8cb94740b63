// The identity of records and their progress. A note of it outside of the records (the server keeps one in the catalog
// of the engine) shows at the next start whether records are missing, different, or older.
//
//   id          32 hex digits, made when a store is first opened; moves with the records to another store
//   commits     of the embedded store: rises by one with each group that is committed (space '@commits')
//   event       the position of the newest event
//   transfers   the length of the journal, with the hash of its last row or block

import { randomBytes } from 'node:crypto';
import { RecordsError } from '../contracts/errors.ts';
import type { ReadContext, ReadOperation, Statements } from '../contracts/operation.ts';
import { FIRST_HASH } from '../ledger/core/journal-chain.ts';
import { JournalReader } from '../ledger/sqlite/journal-reader.ts';

/** The progress of records. JSON. */
export interface RecordsState {
  /** Undefined for records that are being moved here. */
  readonly id?: string | undefined;
  /** Undefined on PostgreSQL. */
  readonly commits?: number | undefined;
  readonly event: number;
  readonly transfers: number;
  /** In hex. */
  readonly head: string;
  /** Whether there is any key, revoked ones counted. */
  readonly keys: boolean;
}

/** A durable note of a state that was durable before. JSON. */
export interface RecordsNote extends RecordsState {
  /** Whether there was ever a key. */
  readonly hadKeys: boolean;
  /** ISO 8601. */
  readonly time: string;
}

/** What to do with records that contradict their note, instead of refusing them. */
export type LossPolicy = 'accept' | 'new';

export const IDENTITY = 'identity';
const COMMITS = '@commits';

const READ_ID = `SELECT value FROM secret WHERE name = '${IDENTITY}'`;
const ADD_ID = `INSERT INTO secret (name, value) SELECT '${IDENTITY}', ? WHERE NOT EXISTS (SELECT 1 FROM move_fence WHERE name = 'writes')`;
const READ_COMMITS = `SELECT last_id FROM space WHERE name = '${COMMITS}'`;
const EVENT = "SELECT seq FROM sqlite_sequence WHERE name = 'outbox'";
const KEY = 'SELECT 1 AS one FROM api_key LIMIT 1';
const HASH_OF_ROW = 'SELECT hash FROM transfer WHERE position = ?';
const HASH_OF_BLOCK =
  'SELECT hash, position + count - 1 AS last FROM journal_block WHERE position <= ? ORDER BY position DESC LIMIT 1';

/** The state of records; `head` is that at the end of the journal, or after its first `transfers`: empty where none ends there. */
export const recordsState: ReadOperation<{ readonly transfers?: number | undefined }, RecordsState> = {
  kind: 'read',
  name: 'store.state',
  run: async (context, { transfers }) =>
    context.sql === undefined
      ? await sharedState(context.db, transfers)
      : embeddedState(context.sql, transfers),
};

/** The same of an embedded store, at once. */
export function embeddedState(sql: Statements, at?: number): RecordsState {
  const transfers = Number(new JournalReader(sql).end());
  const id = sql.get<{ value: Uint8Array }>(READ_ID)?.value;
  return {
    id: id && Buffer.from(id).toString('hex'),
    commits: commitsOf(sql),
    event: Number(sql.get<{ seq: bigint }>(EVENT)?.seq ?? 0n),
    transfers,
    head: headAt(sql, BigInt(at ?? transfers)),
    keys: sql.get(KEY) !== undefined,
  };
}

function headAt(sql: Statements, position: bigint): string {
  if (position === 0n) return FIRST_HASH;
  const row = sql.get<{ hash: Uint8Array }>(HASH_OF_ROW, position);
  const block = sql.get<{ hash: Uint8Array; last: bigint }>(HASH_OF_BLOCK, position);
  const hash = block?.last === position ? block.hash : row?.hash;
  return hash === undefined ? '' : Buffer.from(hash).toString('hex');
}

async function sharedState(db: ReadContext['db'], at: number | undefined): Promise<RecordsState> {
  const id = await db.selectFrom('secret').select('value').where('name', '=', IDENTITY).executeTakeFirst();
  const event = await db.selectFrom('outbox_head').select('position').executeTakeFirst();
  const journal = db.selectFrom('transfer').select(['position', 'hash']).where('position', 'is not', null);
  const last = await journal.orderBy('position', 'desc').limit(1).executeTakeFirst();
  const then = at === undefined ? last : await journal.where('position', '=', BigInt(at)).executeTakeFirst();
  const key = await db.selectFrom('api_key').select('id').limit(1).executeTakeFirst();
  return {
    id: id && Buffer.from(id.value).toString('hex'),
    event: Number(event?.position ?? 0n),
    transfers: Number(last?.position ?? 0n),
    head:
      then === undefined
        ? at === 0 || at === undefined
          ? FIRST_HASH
          : ''
        : Buffer.from(then.hash).toString('hex'),
    keys: key !== undefined,
  };
}

/** How many groups an embedded store has committed. */
export function commitsOf(sql: Statements): number {
  return Number(sql.get<{ last_id: string }>(READ_COMMITS)?.last_id ?? 0);
}

/** Gives an embedded store an identity where it has none, unless records with theirs are being moved here. */
export function ensureIdentity(sql: Statements): void {
  if (sql.get(READ_ID) === undefined) sql.run(ADD_ID, newIdentity());
}

/** Random bytes. */
export function newIdentity(): Uint8Array {
  return new Uint8Array(randomBytes(16));
}

/** Describes in a sentence how records contradict their note; undefined where they do not. `found` is undefined without a file. */
export function describeLoss(
  note: RecordsNote,
  found: RecordsState | undefined,
  /** The same with the head after as many transfers as were noted. */
  head: string = found?.head ?? '',
): string | undefined {
  if (isEmpty(note)) return undefined;
  const there = `${note.event} events, ${note.transfers} transfers${note.hadKeys ? ' and API keys' : ''}, as noted at ${note.time}`;
  if (found === undefined) return `they are missing, and there were ${there}`;
  const isEmbedded = note.commits !== undefined && found.commits !== undefined;
  if (
    note.id !== undefined &&
    found.id !== note.id &&
    !(found.id === undefined && found.commits === undefined)
  )
    return `they are not the records that were here: there were ${there}`;
  const behind = (what: string, is: number, was: number): string | undefined =>
    is < was
      ? `they end at ${what} ${is}, and ${what} ${was} was there at ${note.time}: what came between is missing`
      : undefined;
  return (
    (isEmbedded ? behind('commit', found.commits!, note.commits!) : undefined) ??
    behind('event', found.event, note.event) ??
    behind('transfer', found.transfers, note.transfers) ??
    (isEmbedded && head !== note.head
      ? `transfer ${note.transfers} of the journal is another one than at ${note.time}`
      : undefined)
  );
}

/** True for records without content: a server that was started once has made its identity and some secrets. */
function isEmpty({ hadKeys, event, transfers, commits = 0 }: RecordsNote): boolean {
  return !hadKeys && event === 0 && transfers === 0 && commits <= 1;
}

/** The refusal of records that are not as they were noted. */
export function recordsLostError(what: string): RecordsError {
  return new RecordsError('records-lost', `The records do not match the last note of them: ${what}.`);
}
