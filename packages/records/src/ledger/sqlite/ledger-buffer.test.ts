// The write-behind buffer answers from what it has collected, however few accounts it may remember, and forgets what was rolled
// back.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { Uuid7Sequence } from '../../ids/uuid.ts';
import { migrate } from '../../schema/migrate.ts';
import { kyselyOver } from '../../store/sqlite/dialect.ts';
import { PreparedStatements } from '../../store/sqlite/prepared-statements.ts';
import { applyMove } from '../core/transfer-rules.ts';
import type { Account } from '../model/account.ts';
import { JournalReader } from './journal-reader.ts';
import { LedgerBuffer } from './ledger-buffer.ts';

const IDS = ['bank', 'ada', 'bob', 'cyn', 'dan'];

interface Step {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  /** What comes after it: the next one, the end of a group, or the end of a group that is undone. */
  readonly next: 'go on' | 'flush' | 'commit' | 'roll back';
  readonly reference: string | null;
}

const step: fc.Arbitrary<Step> = fc
  .record({
    from: fc.nat(4),
    to: fc.nat(4),
    amount: fc.integer({ min: 1, max: 9 }),
    next: fc.constantFrom('go on', 'go on', 'flush', 'commit', 'roll back'),
    reference: fc.constantFrom(null, null, 'r'),
  })
  .filter(({ from, to }) => from !== to);

test('groups, some of them undone in the middle, leave what a map would hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.constantFrom(1, 2, 50), async (steps, most) => {
      const raw = new DatabaseSync(':memory:');
      const sql = new PreparedStatements(raw);
      await migrate(raw, () => kyselyOver(sql));
      for (const id of IDS)
        sql.run(
          "INSERT INTO account (id, currency, allow_negative, closed, balance, held, created_at, updated_at) VALUES (?, 'EUR', 1, 0, 0, 0, 0, 0)",
          id,
        );
      const buffer = new LedgerBuffer(sql, most);
      let committed = new Map(IDS.map((id) => [id, 0n]));
      let balances = new Map(committed);
      const ids = new Uuid7Sequence(undefined, () => 7);
      raw.exec('BEGIN');
      const end = (next: Step['next']): void => {
        if (next === 'flush') buffer.flush();
        if (next === 'commit') {
          buffer.flush();
          raw.exec('COMMIT; BEGIN');
          committed = new Map(balances);
        }
        if (next === 'roll back') {
          buffer.forget();
          raw.exec('ROLLBACK; BEGIN');
          balances = new Map(committed);
        }
      };
      for (const { from, to, amount, next, reference } of steps) {
        const accounts = [IDS[from]!, IDS[to]!].map((id): Account => buffer.find(id, 1)!);
        for (const { id, balance } of accounts) assert.equal(balance, balances.get(id));
        const [giver, taker] = accounts as [Account, Account];
        const after = applyMove({ from: giver, to: taker, amount: BigInt(amount) });
        buffer.add(after.from, after.to, {
          position: buffer.next(),
          id: ids.next(1),
          kind: 'transfer',
          from: giver.id,
          to: taker.id,
          currency: 'EUR',
          amount: BigInt(amount),
          fromBalance: after.from.balance,
          toBalance: after.to.balance,
          reference,
          externalId: null,
          hold: null,
          reverses: null,
          time: 1,
        });
        balances.set(giver.id, after.from.balance);
        balances.set(taker.id, after.to.balance);
        end(next);
      }
      end('commit');
      const rows = sql.all<{ id: string; balance: bigint }>('SELECT id, balance FROM account');
      assert.deepEqual(new Map(rows.map(({ id, balance }) => [id, balance])), committed);
      const reader = new JournalReader(sql);
      const transfers = reader.between(1n, reader.end());
      assert.deepEqual(
        transfers.map(({ position }) => position),
        transfers.map((_transfer, i) => BigInt(i + 1)),
      );
      const sums = new Map(IDS.map((id) => [id, 0n]));
      for (const { from, to, fromBalance, toBalance } of transfers) {
        sums.set(from, fromBalance);
        sums.set(to, toBalance);
      }
      assert.deepEqual(sums, committed);
      raw.close();
    }),
    { numRuns: 80 },
  );
});
