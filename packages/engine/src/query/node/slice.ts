// Which part of an index is this slice? Documents are dealt out by a hash that never changes, so that several walkers
// share one list without meeting: by shard where the settings name enough of them (as the peer deals), else by `_id`,
// or by the first value of a number.

import { hasBit } from '../../kernels/bits.ts';
import { mix, murmur3, shardOf } from '../../kernels/murmur3.ts';
import { CHUNK_DOCS, type Leaf } from '../../segment/leaf.ts';
import type { Matcher } from '../matcher.ts';
import { textKey } from './key.ts';
import { ConstantMatcher, docsIn, type Node } from './node.ts';

/** How the documents are dealt out. */
export type Dealt =
  | { readonly by: 'id' }
  | { readonly by: 'shard'; readonly settings: Readonly<Record<string, string>> }
  | { readonly by: 'number'; readonly path: string };

/** The hash of a document by which it is dealt. */
function hashOf(leaf: Leaf, dealt: Dealt): (doc: number) => number {
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
    return mix(hi[at]! ^ mix(lo[at]!)) >>> 0;
  };
}

class SliceMatcher extends ConstantMatcher {
  readonly cost: number;
  readonly #leaf: Leaf;
  readonly #hash: (doc: number) => number;
  readonly #id: number;
  readonly #max: number;

  constructor(leaf: Leaf, hash: (doc: number) => number, id: number, max: number) {
    super(0);
    this.cost = Math.ceil(leaf.docCount / max);
    this.#leaf = leaf;
    this.#hash = hash;
    this.#id = id;
    this.#max = max;
  }

  match(chunk: number, bits: Uint32Array): boolean {
    const n = docsIn(this.#leaf, chunk);
    const base = chunk * CHUNK_DOCS;
    let any = false;
    bits.fill(0);
    for (let i = 0; i < n; i++) {
      if (this.#hash(base + i) % this.#max !== this.#id) continue;
      bits[i >>> 5]! |= 1 << (i & 31);
      any = true;
    }
    return any;
  }
}

/** The documents of one slice of `max`; documents without the number are in slice 0. Scores nothing. */
export class SliceNode implements Node {
  readonly scoring = false;
  readonly sums = false;
  readonly matchesAll = false;
  readonly matchesNone = false;
  readonly key: string;
  readonly #id: number;
  readonly #max: number;
  readonly #dealt: Dealt;

  constructor(id: number, max: number, dealt: Dealt) {
    const by = dealt.by === 'number' ? textKey(dealt.path) : dealt.by;
    this.key = `slice(${id},${max},${by})`;
    this.#id = id;
    this.#max = max;
    this.#dealt = dealt;
  }

  matcher(leaf: Leaf): Matcher {
    return new SliceMatcher(leaf, hashOf(leaf, this.#dealt), this.#id, this.#max);
  }
}
