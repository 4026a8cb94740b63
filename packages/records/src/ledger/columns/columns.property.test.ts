// Do columns give back requests as they were, and read money no other way than the form of money says?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { moneyText, readMoneyForm } from '../model/money.ts';
import {
  columnsOfRequests,
  digitsIn,
  packRequests,
  plainPoint,
  requestsOf,
  unpackRequests,
} from './columns.ts';

const money = fc.oneof(
  fc.stringMatching(/^(0|[1-9][0-9]{0,9})(\.[0-9]{1,4})?$/),
  fc.stringMatching(/^[0-9.+ e-]{0,20}$/),
  fc.string(),
);
const words = fc.option(fc.string(), { nil: undefined });

test('a plain amount is a form of money, and comes back as it was written', () => {
  fc.assert(
    fc.property(money, (text) => {
      const point = plainPoint(text);
      if (point === undefined) return;
      const form = readMoneyForm(text);
      assert.equal(form.decimals.length, point);
      assert.equal(BigInt(form.whole + form.decimals), BigInt(digitsIn(text)));
      assert.equal(moneyText(BigInt(digitsIn(text)), point), text);
    }),
    { numRuns: 2_000 },
  );
});

test('requests come back as they were', () => {
  const request = fc.record(
    {
      from: fc.string({ maxLength: 2 }),
      to: fc.string({ maxLength: 2 }),
      money,
      currency: words,
      reference: words,
      externalId: words,
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(fc.array(request, { maxLength: 12 }), (requests) => {
      const crossed = structuredClone(packRequests(columnsOfRequests(requests)));
      assert.deepEqual(requestsOf(unpackRequests(crossed)), requests);
    }),
    { numRuns: 300 },
  );
});
