// Partitions documents by a hash that never changes, so that several walkers share one list without meeting:
// by shard where the settings name enough of them (as the peer does), else by `_id`, or by the first value of
// a number.

import { hasBit } from '../../../kernels/bits.ts';
import { mixBits, murmur3, shardOf } from '../../../kernels/murmur3.ts';
import type { Leaf } from '../../../segment/leaf.ts';
import { textKey } from '../cache-key.ts';
import type { PlanNode } from '../node.ts';
import { PredicateNode } from './predicate-node.ts';

/** What decides the part of a document. */
export type Partition =
  | { readonly by: 'id' }
  | { readonly by: 'shard'; readonly settings: Readonly<Record<string, string>> }
  | { readonly by: 'number'; readonly path: string };

/** The hash of a document that decides its part. */
function hashOf(leaf: Leaf, partition: Partition): (doc: number) => number {
  const { docs } = leaf;
  if (partition.by === 'shard') {
    const { settings } = partition;
    return (doc) => shardOf(docs.routing(doc) ?? docs.id(doc), settings);
  }
  if (partition.by === 'id') {
    const { idBytes, idStarts } = docs;
    return (doc) => murmur3(idBytes, idStarts[doc]!, idStarts[doc + 1]!) >>> 0;
  }
  const column = leaf.column(partition.path);
  if (column?.kind !== 'numeric') return () => 0;
  const { starts, hi, lo, present } = column;
  return (doc) => {
    if (!hasBit(present, doc)) return 0;
    const at = starts === undefined ? doc : starts[doc]!;
    return mixBits(hi[at]! ^ mixBits(lo[at]!)) >>> 0;
  };
}

/** The documents of part `id` of `max`; documents without the number are in part 0. Scores nothing. */
export function partitionNode(id: number, max: number, partition: Partition): PlanNode {
  const by = partition.by === 'number' ? textKey(partition.path) : partition.by;
  return new PredicateNode(`slice(${id},${max},${by})`, 0, (leaf) => {
    const hash = hashOf(leaf, partition);
    return (doc) => hash(doc) % max === id;
  });
}
