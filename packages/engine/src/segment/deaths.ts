// Which documents of a leaf have died, and when? A log of (doc, commit) pairs that only grows, over a base of
// documents that every reader already misses. Liveness at S is the base and a prefix of the log.
//
//   checkpoint = docCount:u32 count:u32 flags:u32 (1: a base follows) reserved:u32
//                commit:f64[count] doc:u32[count] base:u32[words]        little-endian

import { setBit, wordsFor } from '../kernels/bits.ts';
import type { DeathLog } from './leaf.ts';

const HEAD = 16;

/** A death log in memory, with its checkpoint form. */
export class Deaths implements DeathLog {
  readonly docCount: number;
  #docs: Uint32Array = new Uint32Array(0);
  #commits: Float64Array = new Float64Array(0);
  #count = 0;
  readonly #base: Uint32Array | undefined;
  /** Every entry so far, for the writer's question; made when it is first asked. */
  #dead: Uint32Array | undefined;
  #live: Uint32Array | undefined;
  #liveCount = -1;

  /** `base` has the bits of documents dead for every reader; it is kept, not copied. */
  constructor(docCount: number, base?: Uint32Array) {
    this.docCount = docCount;
    this.#base = base;
  }

  get count(): number {
    return this.#count;
  }

  /** Documents dead for every reader, not counted in `count`. */
  get base(): Uint32Array | undefined {
    return this.#base;
  }

  doc(entry: number): number {
    return this.#docs[entry]!;
  }

  commit(entry: number): number {
    return this.#commits[entry]!;
  }

  countAt(commit: number): number {
    const commits = this.#commits;
    let low = 0;
    let high = this.#count;
    if (high === 0 || commits[high - 1]! <= commit) return high;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (commits[mid]! <= commit) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  append(doc: number, commit: number): void {
    if (this.#count === this.#docs.length) {
      const size = Math.max(16, this.#count * 2);
      const docs = new Uint32Array(size);
      const commits = new Float64Array(size);
      docs.set(this.#docs);
      commits.set(this.#commits);
      this.#docs = docs;
      this.#commits = commits;
    }
    if (this.#dead !== undefined) setBit(this.#dead, doc);
    this.#docs[this.#count] = doc;
    this.#commits[this.#count++] = commit;
  }

  truncate(count: number): void {
    if (count >= this.#count) return;
    this.#count = count;
    this.#dead = undefined;
    if (this.#liveCount > count) this.#liveCount = -1;
  }

  liveAt(commit: number): Uint32Array | undefined {
    const count = this.countAt(commit);
    if (count === 0 && this.#base === undefined) return undefined;
    if (count === this.#liveCount) return this.#live;
    // The newest prefix is built on the one before it; an older reader's is made for it alone.
    const newer = this.#liveCount >= 0 && count > this.#liveCount;
    const live = newer ? this.#live!.slice() : this.#allButBase();
    for (let entry = newer ? this.#liveCount : 0; entry < count; entry++) {
      const doc = this.#docs[entry]!;
      live[doc >>> 5]! &= ~(1 << (doc & 31));
    }
    if (newer || this.#liveCount < 0) {
      this.#live = live;
      this.#liveCount = count;
    }
    return live;
  }

  #allButBase(): Uint32Array {
    const live = new Uint32Array(wordsFor(this.docCount)).fill(0xffffffff);
    if (this.#base !== undefined) for (let w = 0; w < live.length; w++) live[w] = ~this.#base[w]!;
    return live;
  }

  /** Checkpoint bytes of everything up to now. */
  encode(): Uint8Array {
    const words = this.#base === undefined ? 0 : wordsFor(this.docCount);
    const out = new Uint8Array(HEAD + this.#count * 12 + words * 4);
    const head = new Uint32Array(out.buffer, 0, 4);
    head[0] = this.docCount;
    head[1] = this.#count;
    head[2] = words > 0 ? 1 : 0;
    new Float64Array(out.buffer, HEAD, this.#count).set(this.#commits.subarray(0, this.#count));
    const docs = HEAD + this.#count * 8;
    new Uint32Array(out.buffer, docs, this.#count).set(this.#docs.subarray(0, this.#count));
    if (this.#base !== undefined) new Uint32Array(out.buffer, docs + this.#count * 4, words).set(this.#base);
    return out;
  }

  /** The log of a checkpoint. Throws a RangeError on bytes that are none. */
  static decode(bytes: Uint8Array): Deaths {
    const b = bytes.slice();
    if (b.length < HEAD) throw new RangeError('a death log is cut short');
    const [docCount, count, flags] = new Uint32Array(b.buffer, 0, 3) as unknown as [number, number, number];
    const words = flags & 1 ? wordsFor(docCount) : 0;
    if (b.length !== HEAD + count * 12 + words * 4) throw new RangeError('a death log has the wrong length');
    const commits = new Float64Array(b.buffer, HEAD, count);
    const docs = new Uint32Array(b.buffer, HEAD + count * 8, count);
    const base = words > 0 ? new Uint32Array(b.buffer, HEAD + count * 12, words) : undefined;
    const deaths = new Deaths(docCount, base);
    const seen = base === undefined ? new Uint32Array(wordsFor(docCount)) : base.slice();
    for (let entry = 0; entry < count; entry++) {
      const doc = docs[entry]!;
      const ordered = entry === 0 || commits[entry]! >= commits[entry - 1]!;
      if (doc >= docCount || !ordered || (seen[doc >>> 5]! >>> (doc & 31)) & 1) {
        throw new RangeError(`entry ${entry} of a death log makes no sense`);
      }
      setBit(seen, doc);
      deaths.append(doc, commits[entry]!);
    }
    return deaths;
  }

  isDead(doc: number): boolean {
    if (this.#dead === undefined) {
      this.#dead = new Uint32Array(wordsFor(this.docCount));
      if (this.#base !== undefined) this.#dead.set(this.#base);
      for (let entry = 0; entry < this.#count; entry++) setBit(this.#dead, this.#docs[entry]!);
    }
    return ((this.#dead[doc >>> 5]! >>> (doc & 31)) & 1) === 1;
  }
}
