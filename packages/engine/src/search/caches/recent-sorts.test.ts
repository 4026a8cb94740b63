// Recent sorts are remembered per index, the longest unused dropped first, and forgotten after commits
// without a use.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longKey } from '../../mapping/types/sortable-key.ts';
import { type OrderSpec, orderSpec } from '../../order/order-spec.ts';
import { RecentSorts } from './recent-sorts.ts';

function by(path: string): OrderSpec {
  const missing = longKey(0);
  return orderSpec([
    { kind: 'numeric', path, descending: false, space: 'long', mode: 'min', missing, convert: undefined },
  ]);
}
const keys = (sorts: RecentSorts, index = 'i'): string[] => sorts.of(index).map(({ key }) => key);

test('orders are remembered for some commits after their last use, the few that were used last', () => {
  const sorts = new RecentSorts();
  const [a, b] = [by('a'), by('b')];
  sorts.noteUse('i', a);
  for (let commit = 0; commit < 16; commit++) sorts.noteCommit('i');
  sorts.noteUse('i', b);
  assert.deepEqual(keys(sorts).toSorted(), [a.key, b.key].toSorted());
  sorts.noteCommit('i');
  assert.deepEqual(keys(sorts), [b.key]);
  sorts.noteUse('i', by('b'));
  assert.deepEqual(keys(sorts), [b.key]);
  for (const path of ['c', 'd', 'e']) sorts.noteUse('i', by(path));
  sorts.noteCommit('i');
  for (const path of ['c', 'd', 'e', 'f']) sorts.noteUse('i', by(path));
  assert.deepEqual(keys(sorts).toSorted(), ['c', 'd', 'e', 'f'].map((path) => by(path).key).toSorted());
  assert.deepEqual(keys(sorts, 'other'), []);
  for (let commit = 0; commit < 17; commit++) sorts.noteCommit('i');
  assert.deepEqual(keys(sorts), []);
});
