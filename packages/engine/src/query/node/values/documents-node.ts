// Documents that are known by number: a sorted list per leaf, of ids or sequence numbers.

import { CHUNK_DOCS, type Leaf } from '../../../segment/leaf.ts';
import type { Matcher } from '../../matcher.ts';
import { textKey } from '../cache-key.ts';
import { NOTHING } from '../clauses/match-all-node.ts';
import { ConstantMatcher, FilterNode, type PlanNode } from '../node.ts';

class DocsMatcher extends ConstantMatcher {
  readonly cost: number;
  readonly #docs: readonly number[];

  constructor(docs: readonly number[], constant: number) {
    super(constant);
    this.cost = docs.length;
    this.#docs = docs;
  }

  match(chunk: number, bits: Uint32Array): boolean {
    let any = false;
    bits.fill(0);
    for (const doc of this.#docs) {
      if (Math.floor(doc / CHUNK_DOCS) !== chunk) continue;
      const low = doc % CHUNK_DOCS;
      bits[low >>> 5]! |= 1 << (low & 31);
      any = true;
    }
    return any;
  }
}

/** Documents that a function lists for each leaf. */
class DocumentsNode extends FilterNode {
  readonly key: string;
  readonly #list: (leaf: Leaf) => readonly number[];

  constructor(key: string, constant: number, list: (leaf: Leaf) => readonly number[]) {
    super(constant);
    this.key = key;
    this.#list = list;
  }

  matcher(leaf: Leaf): Matcher {
    const docs = this.#list(leaf);
    return docs.length === 0 ? NOTHING : new DocsMatcher(docs, this.constant);
  }
}

/** Every version of some ids. */
export function idsNode(ids: readonly string[], constant: number): PlanNode {
  const sorted = [...new Set(ids)].sort();
  const bytes = sorted.map((id) => new TextEncoder().encode(id));
  return new DocumentsNode(`i(${sorted.map(textKey).join('')})`, constant, (leaf) => {
    const docs: number[] = [];
    for (const id of bytes) {
      for (let doc = leaf.docs.find(id); doc >= 0; doc = leaf.docs.find(id, doc)) docs.push(doc);
    }
    return docs;
  });
}

/** Documents whose sequence number lies between two, both inclusive. They ascend with the documents. */
export function seqNoNode(min: number, max: number, constant: number): PlanNode {
  return new DocumentsNode(`q(${min},${max})`, constant, (leaf) => {
    const docs: number[] = [];
    let low = 0;
    let high = leaf.docCount;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (leaf.docs.seqNo(mid) < min) low = mid + 1;
      else high = mid;
    }
    for (; low < leaf.docCount && leaf.docs.seqNo(low) <= max; low++) docs.push(low);
    return docs;
  });
}
