// Buffers that keep what `match` found out until `score` needs it. They belong to the node, for the matcher
// and chunk that used them last: matchers are made for every leaf, and buffers of their own would cost more
// than their work.

import { newBits } from './node.ts';

/** Buffers of one node. Valid for one owner and one chunk at a time. */
export class ChunkScratch {
  #owner: object | undefined;
  #chunk = -1;
  readonly #bits: Uint32Array[] = [];
  #freqs: Float32Array | undefined;

  /** Takes the buffers for a matcher and a chunk. */
  claim(owner: object, chunk: number): void {
    this.#owner = owner;
    this.#chunk = chunk;
  }

  /** Whether the buffers still hold what a matcher put there for a chunk. */
  isClaimedBy(owner: object, chunk: number): boolean {
    return this.#owner === owner && this.#chunk === chunk;
  }

  /** The i-th chunk bitmap, contents as left. */
  bits(i: number): Uint32Array {
    return (this.#bits[i] ??= newBits());
  }

  /** One number per document of a chunk, contents as left. */
  get freqs(): Float32Array {
    return (this.#freqs ??= new Float32Array(65_536));
  }
}
