// The meter of a search says when to yield, and which error ends the search.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_SEARCH_STEPS, SearchMeter } from './search-meter.ts';

/** Takes steps in runs of one length until the limit, and counts the yields. */
function untilTheLimit(meter: SearchMeter, run: number): number {
  let yields = 0;
  while (meter.steps + run <= MOST_SEARCH_STEPS) {
    meter.steps += run;
    if (meter.isDue()) yields++;
  }
  return yields;
}

test('a search yields each 50,000 steps, however long its runs are', () => {
  assert.equal(untilTheLimit(new SearchMeter(), 1_000), MOST_SEARCH_STEPS / 50_000);
  assert.equal(untilTheLimit(new SearchMeter(), 1_000_000), MOST_SEARCH_STEPS / 1_000_000);
});

test('a search ends above the limit, with the error of the document where it has one', () => {
  const meter = new SearchMeter();
  meter.steps = MOST_SEARCH_STEPS + 1;
  assert.throws(() => meter.isDue(), /a script takes more than 100000000 steps/);
  assert.throws(() => meter.isDue(new Error('of the document')), /of the document/);
});
