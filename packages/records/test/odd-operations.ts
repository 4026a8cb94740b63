// Operations that do what a store must survive, for its tests.

import { RecordsError } from '../src/contracts/errors.ts';
import type { AnyOperation, ReadOperation, WriteBehind, WriteOperation } from '../src/contracts/operation.ts';

/** Adds an event-like row for each name, then fails as it is told. */
export interface Step {
  readonly name: string;
  readonly fail?: 'refuse' | 'bug' | 'uncloneable' | 'constraint' | undefined;
}

async function put(context: Parameters<WriteOperation<Step, string>['run']>[0], step: Step): Promise<string> {
  context.sql!.run('INSERT INTO space (name, last_id) VALUES (?, ?)', `odd-${step.name}`, 'x');
  context.emit({ type: 'item.created', subject: step.name, data: {} });
  if (step.fail === 'refuse') throw new RecordsError('item-not-found', 'no', { field: 'f', extra: { n: 1 } });
  if (step.fail === 'bug') throw new TypeError('a mistake');
  if (step.fail === 'constraint') context.sql!.run('INSERT INTO space (name, last_id) VALUES (NULL, NULL)');
  if (step.fail === 'uncloneable') return (() => 1) as unknown as string;
  return await context.nextId('odd');
}

export const odd: WriteOperation<Step, string> = { kind: 'write', name: 'odd.put', run: put };

/** Promises to check first, and does not. */
export const liar: WriteOperation<Step, string> = {
  kind: 'write',
  name: 'odd.liar',
  checksFirst: true,
  run: put,
};

/** Collects rows that cannot be written together, or throws after it has collected one. */
class OddBuffer implements WriteBehind {
  rows: string[] = [];
  flushWith: (name: string) => void = () => {};

  flush(): void {
    for (const name of this.rows.splice(0)) this.flushWith(name);
  }

  forget(): void {
    this.rows = [];
  }
}

export const later: WriteOperation<Step, void> = {
  kind: 'write',
  name: 'odd.later',
  checksFirst: true,
  buffered: true,
  run(context, { name, fail }) {
    const { sql } = context;
    if (fail === 'refuse') throw new RecordsError('item-not-found', 'no');
    const buffer = context.embedded!.buffer('odd', () => new OddBuffer());
    buffer.flushWith = (row) =>
      void sql!.run('INSERT INTO space (name, last_id) VALUES (?, ?)', `odd-${row}`, 'x');
    buffer.rows.push(name);
    context.emit({ type: 'item.created', subject: name, data: {} });
    if (fail === 'bug') throw new TypeError('a mistake');
  },
};

export const names: ReadOperation<undefined, readonly string[]> = {
  kind: 'read',
  name: 'odd.names',
  async run({ db }) {
    const rows = await db
      .selectFrom('space')
      .select('name')
      .where('name', 'like', 'odd-%')
      .orderBy('name')
      .execute();
    return rows.map(({ name }) => name);
  },
};

/** Counts, waits for somebody to set the flag, and counts again: both must see the same. */
export const countTwice: ReadOperation<SharedArrayBuffer, readonly bigint[]> = {
  kind: 'read',
  name: 'odd.countTwice',
  run({ sql }, shared) {
    const flag = new Int32Array(shared);
    const count = (): bigint => sql!.get<{ n: bigint }>('SELECT count(*) AS n FROM space')!.n;
    const first = count();
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
    Atomics.wait(flag, 0, 1);
    return [first, count()];
  },
};

/** A reader that tries to write. */
export const sneak: ReadOperation<undefined, number> = {
  kind: 'read',
  name: 'odd.sneak',
  run: ({ sql }) => sql!.run("INSERT INTO space (name, last_id) VALUES ('sneak', 'x')"),
};

export const die: WriteOperation<undefined, void> = {
  kind: 'write',
  name: 'odd.die',
  run: () => process.exit(3),
};

/** Lets the database grow by so many pages and no more, as a full disk would. */
export const fill: WriteOperation<number | undefined, void> = {
  kind: 'write',
  name: 'odd.fill',
  run({ sql }, pages) {
    const now = sql!.get<{ page_count: bigint }>('PRAGMA page_count')!.page_count;
    sql!.get(`PRAGMA max_page_count=${pages === undefined ? 1_000_000 : Number(now) + pages}`);
  },
};

export const big: WriteOperation<string, void> = {
  kind: 'write',
  name: 'odd.big',
  run({ sql }, name) {
    sql!.run('INSERT INTO space (name, last_id) VALUES (?, ?)', `odd-${name}`, 'x'.repeat(100_000));
  },
};

export const operations: readonly AnyOperation[] = [
  odd,
  liar,
  later,
  names,
  countTwice,
  sneak,
  die,
  fill,
  big,
];
