import { test } from 'node:test';
import { arraySource } from './array-source.ts';
import { type Driver, pageSourceCases, type Row } from './testing.ts';

const arrays: Driver = {
  create(rows, order) {
    const items: Row[] = [...rows];
    return {
      source: arraySource(items, { order, anchor: (row) => ({ tuple: row.values, id: row.id }) }),
      insert: (row) => void items.push(row),
      remove: (id) =>
        void items.splice(
          items.findIndex((r) => r.id === id),
          1,
        ),
    };
  },
};

for (const { name, run } of pageSourceCases(arrays)) test(`arrays: ${name}`, run);
