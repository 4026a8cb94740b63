// Slices partition the documents: each document is in exactly one slice, whatever the slicing field.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeView } from '../../../test/query-world.ts';
import { EngineError } from '../../errors.ts';
import { hasBit } from '../../kernels/bits.ts';
import { murmur3, shardOf } from '../../kernels/murmur3.ts';
import { CHUNK_WORDS } from '../../segment/leaf.ts';
import { parseQuery } from '../parse.ts';
import { planQuery } from '../plan-query.ts';
import { checkSliceCount, type Slice } from './index-slice.ts';
import type { IndexView } from './index-view.ts';

const mappings = {
  properties: { n: { type: 'long' }, t: { type: 'text' }, bare: { type: 'long', doc_values: false } },
};
const docs = Array.from({ length: 300 }, (_, i) => ({
  id: `doc-${i}`,
  source: i % 10 === 0 ? {} : { n: i % 20 === 1 ? [i, -i] : i, t: i % 3 === 0 ? 'red' : 'blue' },
}));

function ids(view: IndexView, slice: Slice, query = {}): string[] {
  const plan = planQuery(parseQuery({ match_all: {}, ...query }), view, { now: 0, scores: false, slice });
  const bits = new Uint32Array(CHUNK_WORDS);
  return view.leaves.flatMap(({ leaf }) => {
    plan.matcher(leaf).match(0, bits);
    return docs
      .map((_, i) => i)
      .filter((i) => i < leaf.docCount && hasBit(bits, i))
      .map((i) => leaf.docs.id(i));
  });
}

for (const [name, field, shards] of [
  ['by id', undefined, '1'],
  ['by a number, of which some have several and some have none', 'n', '1'],
  ['by shards', undefined, '16'],
] as const) {
  test(`every document is in one slice: ${name}`, () => {
    const settings = { 'index.number_of_shards': shards };
    const view = makeView(mappings, docs, [-100, 70, 60], settings);
    const all = [0, 1, 2, 3].map((id) =>
      ids(view, { id, max: 4, ...(field === undefined ? {} : { field }) }),
    );
    assert.deepEqual(all.flat().sort(), docs.map((doc) => doc.id).sort());
    for (const slice of all) assert.ok(slice.length > 30, `${slice.length}`);
  });
}

test('a slice is a part of what the query matches', () => {
  const view = makeView(mappings, docs);
  const plan = (id: number) =>
    planQuery(parseQuery({ match: { t: 'red' } }), view, { now: 0, scores: true, slice: { id, max: 2 } });
  const whole = planQuery(parseQuery({ match: { t: 'red' } }), view, { now: 0, scores: true });
  const count = (of: ReturnType<typeof plan>): number[] => {
    const bits = new Uint32Array(CHUNK_WORDS);
    of.matcher(view.leaves[0]!.leaf).match(0, bits);
    return docs.map((_, i) => i).filter((i) => hasBit(bits, i));
  };
  const [a, b, both] = [count(plan(0)), count(plan(1)), count(whole)];
  assert.deepEqual([...a, ...b].sort(), [...both].sort());
  assert.ok(a.length > 0 && b.length > 0);
});

test('what cannot be dealt by is refused', () => {
  const view = makeView(mappings, docs.slice(0, 3));
  const refused = (slice: Slice, reason: string): void => {
    assert.throws(
      () => ids(view, slice),
      (e) => e instanceof EngineError && e.message === reason,
    );
  };
  refused({ id: 0, max: 2, field: 't' }, 'cannot load numeric doc values on t');
  refused({ id: 0, max: 2, field: 'bare' }, 'cannot load numeric doc values on bare');
  refused({ id: 0, max: 2, field: 'zz' }, 'field zz not found');
  assert.throws(() => checkSliceCount(view, { id: 0, max: 1025 }, 'scroll'), {
    type: 'illegal_argument_exception',
  });
  assert.throws(() => checkSliceCount(view, { id: 0, max: 1025 }, 'pit'), {
    type: 'rejected_execution_exception',
  });
});

test('the hash is MurmurHash3, and shards are those of the peer', () => {
  // Reference values of the algorithm; shards as the peer's _search_shards gives them for five shards of five slots.
  const hash = (text: string) => murmur3(new TextEncoder().encode(text)) >>> 0;
  assert.deepEqual(
    [hash(''), hash('a'), hash('abc'), hash('hello, world')],
    [0, 0x3c2569b2, 0xb3dd93fa, 0x149bbb7f],
  );
  const settings = { 'index.number_of_shards': '5', 'index.number_of_routing_shards': '5' };
  assert.deepEqual(
    ['1', '2', '3', '4'].map((id) => shardOf(id, settings) % 2),
    [1, 0, 0, 0],
  );
});
