// The driver that docs/writing-a-driver.md shows passes the test suite, and the page shows exactly this code.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { type Driver, pageSourceCases, type Row } from '../src/testing.ts';
import { type TableRow, tableSource } from './example-driver.ts';
import { sqliteIndex } from './sqlite.ts';

const driver: Driver = {
  // SQLite keeps U+0000 in texts, but cuts them there where it compares.
  nul: false,
  create(rows, order) {
    const database = new DatabaseSync(':memory:');
    const columns = order.map((_, key) => `k${key}`);
    database.exec(`CREATE TABLE list (id TEXT NOT NULL, ${columns.join(', ')})`);
    database.exec(`CREATE INDEX walk ON list (${sqliteIndex(order)})`);
    const insert = (row: Row): void => {
      const values = [row.id, ...order.map((_, key) => row.values[key] ?? null)] as never[];
      database.prepare(`INSERT INTO list VALUES (${values.map(() => '?').join(', ')})`).run(...values);
    };
    for (const row of rows) insert(row);
    const source = tableSource({ database, table: 'list', order });
    const rowOf = (read: TableRow): Row => {
      const { tuple, id } = source.anchor(read);
      return { id, values: tuple };
    };
    return {
      source: {
        anchor: (row) => ({ tuple: row.values, id: row.id }),
        page: async (request) => {
          const page = await source.page(request);
          return { ...page, items: page.items.map(rowOf) };
        },
      },
      insert,
      remove: (id) => void database.prepare('DELETE FROM list WHERE id = ?').run(id),
      close: () => database.close(),
    };
  },
};

for (const { name, run } of pageSourceCases(driver)) test(`the driver of the docs: ${name}`, run);

test('docs/writing-a-driver.md shows this driver', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/writing-a-driver.md'), 'utf8');
  const shown = readFileSync(join(import.meta.dirname, 'example-driver.ts'), 'utf8');
  assert.ok(page.includes(`\`\`\`ts\n${shown}\`\`\``), 'copy test/example-driver.ts into the page');
  assert.ok(shown.split('\n').length <= 62);
});
