import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Direction } from '../src/order.ts';
import { pageSourceCases, tiedRows } from '../src/testing.ts';
import { sqliteDriver } from './sqlite.ts';

for (const { name, run } of pageSourceCases(sqliteDriver())) test(`SQLite through Kysely: ${name}`, run);

test('every branch of a page is a search in the index, under mixed directions and nulls', async () => {
  const orders: readonly (readonly Direction[])[] = [
    [{}, { descending: true, nulls: 'first' }],
    [{ descending: true }, { nulls: 'first' }],
  ];
  let plans: string[] = [];
  const driver = sqliteDriver((query, database) => {
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${query.sql}`).all(...(query.parameters as never[]));
    plans = plan.map((step) => String(step['detail']));
  });
  for (const order of orders) {
    const list = await driver.create(tiedRows(200), order);
    for (const backwards of [false, true]) {
      for (const row of tiedRows(10)) {
        await list.source.page({ at: { tuple: row.values, id: row.id }, backwards, size: 5 });
        const reads = plans.filter((step) => /\brows\b/.test(step) && !step.startsWith('COMPOUND'));
        assert.ok(reads.length >= 2, plans.join('\n'));
        for (const read of reads)
          assert.match(read, /^SEARCH rows USING (COVERING )?INDEX walk /, plans.join('\n'));
      }
    }
    await list.close?.();
  }
});
