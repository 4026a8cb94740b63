// A block gives back the transfers that were added to it, and bytes that are no block are refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Uuid7Sequence } from '../../ids/uuid.ts';
import type { Account } from '../model/account.ts';
import { MOST_MINOR } from '../model/money.ts';
import type { Transfer } from '../model/transfer.ts';
import { BlockWriter } from './block-writer.ts';
import { JournalBlock } from './journal-block.ts';

const NAMES = ['a', 'b'.repeat(128), 'ü~漢', 'Z9._~:@-'];
const accounts = NAMES.map(
  (id, i): Account => ({
    ...{ number: BigInt(i) * 2n ** 61n, id, currency: i < 3 ? 'EUR' : 'JPY', allowNegative: false },
    ...{ closed: false, balance: 0n, held: 0n, createdAt: 0, updatedAt: 0 },
  }),
);

const minor = fc.oneof(
  fc.bigInt({ min: -MOST_MINOR, max: MOST_MINOR }),
  fc.constantFrom(-MOST_MINOR, -1n, 0n, MOST_MINOR, 2n ** 53n, -(2n ** 32n)),
);
const row = fc.record({
  from: fc.nat(3),
  to: fc.nat(3),
  amount: minor,
  fromBalance: minor,
  toBalance: minor,
});

test('what went in comes out', () => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 40 }),
      fc.bigInt({ min: 1n, max: 2n ** 62n }),
      fc.nat({ max: 2 ** 47 }),
      (rows, first, time) => {
        const ids = new Uuid7Sequence(undefined, () => Math.floor(Math.random() * 2 ** 32));
        const transfers = rows.map(
          ({ from, to, ...money }, i): Transfer => ({
            ...{ position: first + BigInt(i), id: ids.next(time), kind: 'transfer' },
            ...{ from: NAMES[from]!, to: NAMES[to]!, currency: accounts[from]!.currency, ...money },
            ...{ reference: null, externalId: null, hold: null, reverses: null, time },
          }),
        );
        const writer = new BlockWriter();
        for (const [i, one] of transfers.entries())
          writer.add(accounts[rows[i]!.from]!, accounts[rows[i]!.to]!, one);
        const bytes = writer.bytes(first, time);
        const block = new JournalBlock(bytes);
        const read = Array.from({ length: block.count }, (_, place) => block.transfer(place));
        assert.deepEqual(read, transfers);
        assert.equal(block.end, first + BigInt(transfers.length));
        for (const [i, { id }] of transfers.entries()) assert.equal(block.below(id), i);
        // Bytes of another buffer, not at its beginning.
        const shifted = new Uint8Array(bytes.length + 3);
        shifted.set(bytes, 3);
        assert.deepEqual(new JournalBlock(shifted.subarray(3)).transfer(0), transfers[0]);
        writer.clear();
        assert.equal(writer.count, 0);
      },
    ),
    { numRuns: 200 },
  );
});

test('bytes that are no block are refused as such', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const known = Uint8Array.from(bytes);
      known[0] = 1;
      for (const each of [bytes, known]) {
        try {
          const block = new JournalBlock(each);
          for (let place = 0; place < Math.min(block.count, 5); place++) block.transfer(place);
        } catch (error) {
          assert.ok(error instanceof RangeError, String(error));
        }
      }
    }),
    { numRuns: 500 },
  );
});
