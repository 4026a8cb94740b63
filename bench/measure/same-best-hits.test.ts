// A wrong best match is reported, and a tie at either end of a page is accepted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hit } from './question.ts';
import { expectSameBestHits } from './same-best-hits.ts';

const hits = (text: string): Hit[] =>
  text.split(' ').map((each) => {
    const [id = '', score] = each.split(':');
    return { _id: id, _score: Number(score) };
  });
const page = hits('a:3 b:2 c:2 d:1');
const same = (other: string, from?: number): void => expectSameBestHits([page, hits(other)], 'q', from);

test('pages are equal if only ties differ in order or are cut at an end', () => {
  same('a:3.00001 c:2 b:2 e:1');
  assert.throws(() => same('e:3 b:2 c:2 d:1'), /only one has \[a\]/);
  same('e:3 b:2 c:2 d:1', 20);
});

test('different scores, documents or counts are reported', () => {
  assert.throws(() => same('a:3.001 b:2 c:2 d:1'), /scores differ: a 3, b 2/);
  assert.throws(() => same('a:3 b:2 e:2 d:1', 20), /only one has \[c\]/);
  assert.throws(() => same('a:3 b:2 c:2'), /scores differ/);
});
