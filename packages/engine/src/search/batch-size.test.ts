// Batches of documents shrink where collectors need long for each, and grow where they do not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BATCH_DOCS } from '../aggregations/collect/aggregator.ts';
import { BatchSize } from './aggregate.ts';

test('a batch takes about two milliseconds, whatever a document costs', () => {
  for (const [microsEach, expected] of [
    [0.01, BATCH_DOCS],
    [0.1, BATCH_DOCS],
    [20, 64],
    [5_000, 64],
  ] as const) {
    const size = new BatchSize();
    for (let batch = 0; batch < 20; batch++) size.note(size.docs, (size.docs * microsEach) / 1_000);
    assert.equal(size.docs, expected, `${microsEach} µs a document`);
  }
});

test('small batches at the end of a chunk do not let it grow', () => {
  const size = new BatchSize();
  for (let batch = 0; batch < 20; batch++) size.note(3, 0.01);
  assert.equal(size.docs, 512);
});
