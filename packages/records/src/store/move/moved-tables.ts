// The tables that move: those that both stores have alike. The journal of the ledger and its index differ
// between the stores and move on their own (carry-journal.ts).

/** A table that is compared row by row. */
export interface MovedTable {
  readonly name: string;
  /** Its columns in order are those of an index; no value is null. */
  readonly key: readonly string[];
  /** Columns that belong to one store. */
  readonly without?: readonly string[];
  /** A condition on rows `a`, in SQL that both stores understand. */
  readonly where?: string;
  /** `add`: rows of the target stay. @default 'same' */
  readonly ends?: 'same' | 'add';
  /** True where values other than the key are unique: removals must come before insertions. */
  readonly unique?: boolean;
}

/** Spaces of ids and clocks that each store has for itself. */
const OWN_SPACES: readonly string[] = ['@clock', '@commits', '@journal', '@holds'];

export const MOVED_TABLES: readonly MovedTable[] = [
  { name: 'secret', key: ['name'], ends: 'add' },
  { name: 'api_key', key: ['id'] },
  { name: 'users', key: ['id'], unique: true },
  {
    name: 'space',
    key: ['name'],
    where: `a.name not in (${OWN_SPACES.map((name) => `'${name}'`).join(', ')})`,
  },
  { name: 'entry_space', key: ['number'], unique: true },
  { name: 'entry', key: ['id'] },
  { name: 'entry_count', key: ['space', 'level', 'range'] },
  { name: 'entry_tag', key: ['kind', 'name', 'space', 'position', 'added'] },
  { name: 'entry_change', key: ['space', 'change'] },
  { name: 'chat', key: ['id'] },
  { name: 'chat_member', key: ['chat', 'member'] },
  { name: 'account', key: ['number'] },
  { name: 'hold', key: ['id'] },
  { name: 'idempotency', key: ['principal', 'key'] },
  { name: 'webhook', key: ['id'], without: ['leased_by', 'leased_until'] },
  { name: 'outbox', key: ['position'] },
  { name: 'outbox_floor', key: ['position'] },
  { name: 'document_intent', key: ['id'] },
  { name: 'follower', key: ['name'] },
];

/** Tables that do not move as tables: those of the schema, of the journal, and the queue, which is empty after a move. */
export const OTHER_TABLES: readonly string[] = [
  'migration',
  'move_fence',
  'move_change',
  'transfer',
  'entry_side',
  'currency_entry',
  'journal_block',
  'journal_list',
  'journal_mark',
  'outbox_head',
  'outbox_queue',
];
