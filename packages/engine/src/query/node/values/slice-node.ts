// Which part of an index is this slice? Documents are dealt out by a hash that never changes, so that several walkers
// share one list without meeting: by shard where the settings name enough of them (as the peer deals), else by `_id`,
// or by the first value of a number.

import { hasBit } from '../../../kernels/bits.ts';
import { mixBits, murmur3, shardOf } from '../../../kernels/murmur3.ts';
import type { Leaf } from '../../../segment/leaf.ts';
import { textKey } from '../cache-key.ts';
import type { PlanNode } from '../node.ts';
import { PredicateNode } from './predicate-node.ts';

/** How the documents are dealt out. */
export type Partition =
  | { readonly by: 'id' }
  | { readonly by: 'shard'; readonly settings: Readonly<Record<string, string>> }
  | { readonly by: 'number'; readonly path: string };

/** The hash of a document by which it is dealt. */
function hashOf(leaf: Leaf, dealt: Partition): (doc: number) => number {
  const { docs } = leaf;
  if (dealt.by === 'shard') {
    const { settings } = dealt;
    return (doc) => shardOf(docs.routing(doc) ?? docs.id(doc), settings);
  }
  if (dealt.by === 'id') {
    const { idBytes, idStarts } = docs;
    return (doc) => murmur3(idBytes, idStarts[doc]!, idStarts[doc + 1]!) >>> 0;
  }
  const column = leaf.column(dealt.path);
  if (column?.kind !== 'numeric') return () => 0;
  const { starts, hi, lo, present } = column;
  return (doc) => {
    if (!hasBit(present, doc)) return 0;
    const at = starts === undefined ? doc : starts[doc]!;
    return mixBits(hi[at]! ^ mixBits(lo[at]!)) >>> 0;
  };
}

/** The documents of one slice of `max`; documents without the number are in slice 0. Scores nothing. */
export function partitionNode(id: number, max: number, dealt: Partition): PlanNode {
  const by = dealt.by === 'number' ? textKey(dealt.path) : dealt.by;
  return new PredicateNode(`slice(${id},${max},${by})`, 0, (leaf) => {
    const hash = hashOf(leaf, dealt);
    return (doc) => hash(doc) % max === id;
  });
}
