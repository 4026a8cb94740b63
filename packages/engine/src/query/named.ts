// Which of the named queries does a hit match? Asked for the few hits of a page: each named plan looks at the chunk of
// the hit once.

import { CHUNK_DOCS, type Leaf } from '../segment/leaf.ts';
import { newBits } from './node/node.ts';
import type { NamedPlan } from './planner.ts';

/** Answers for the documents of one leaf. Cheapest when documents of a chunk come together. */
export class NamedMatches {
  readonly #names: readonly string[];
  readonly #match: ((chunk: number, bits: Uint32Array) => boolean)[];
  readonly #bits: Uint32Array[];
  #chunk = -1;

  constructor(named: readonly NamedPlan[], leaf: Leaf) {
    this.#names = named.map(({ name }) => name);
    this.#bits = named.map(newBits);
    this.#match = named.map(({ plan }) => {
      const matcher = plan.matcher(leaf);
      return (chunk, bits) => matcher.match(chunk, bits);
    });
  }

  /** Names of the queries that match a document, in the order in which they stand in the query, each once. */
  of(doc: number): string[] {
    const chunk = Math.floor(doc / CHUNK_DOCS);
    if (chunk !== this.#chunk) {
      for (let i = 0; i < this.#match.length; i++) this.#match[i]!(chunk, this.#bits[i]!);
      this.#chunk = chunk;
    }
    const low = doc % CHUNK_DOCS;
    const names = this.#names.filter((_, i) => ((this.#bits[i]![low >>> 5]! >>> (low & 31)) & 1) === 1);
    return [...new Set(names)];
  }
}
