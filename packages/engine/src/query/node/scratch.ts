// Who keeps what `match` found out until `score` asks? The node, for the matcher and chunk that used it last: matchers
// come and go with every leaf, so that buffers of their own would cost more than the work in them.

import { newBits } from './node.ts';

/** Buffers of one node. Valid for one owner and one chunk at a time. */
export class ChunkScratch {
  #owner: object | undefined;
  #chunk = -1;
  readonly #bits: Uint32Array[] = [];
  #freqs: Float32Array | undefined;

  /** Takes the buffers over. */
  claim(owner: object, chunk: number): void {
    this.#owner = owner;
    this.#chunk = chunk;
  }

  /** Whether nobody has used them since. */
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
