// The death log of a leaf: (document, commit) pairs, append-only. The documents alive at a snapshot
// follow from a prefix of it. Documents that are dead for every reader are left out by the next merge;
// the log's file is described in write/segment-files/deaths-file.ts.

import { setBit, wordsFor } from '../kernels/bits.ts';
import type { DeathLog } from './leaf.ts';

const NO_DOCS = new Uint32Array(0);
const NO_COMMITS = new Float64Array(0);

/** A death log in memory. */
export class Deaths implements DeathLog {
  readonly docCount: number;
  #docs: Uint32Array = NO_DOCS;
  #commits: Float64Array = NO_COMMITS;
  #count = 0;
  /** Bitmap of all entries, for `isDead`; created by its first call. */
  #dead: Uint32Array | undefined;
  #live: Uint32Array | undefined;
  #liveCount = -1;
  /** The same for the last reader of an older snapshot: it will ask for more pages. */
  #older: Uint32Array | undefined;
  #olderCount = -1;

  constructor(docCount: number) {
    this.docCount = docCount;
  }

  get count(): number {
    return this.#count;
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

  isDead(doc: number): boolean {
    if (this.#dead === undefined) {
      this.#dead = new Uint32Array(wordsFor(this.docCount));
      for (let entry = 0; entry < this.#count; entry++) setBit(this.#dead, this.#docs[entry]!);
    }
    return ((this.#dead[doc >>> 5]! >>> (doc & 31)) & 1) === 1;
  }

  truncate(count: number): void {
    if (count >= this.#count) return;
    this.#count = count;
    this.#dead = undefined;
    if (this.#liveCount > count) this.#liveCount = -1;
    if (this.#olderCount > count) this.#olderCount = -1;
  }

  liveAt(commit: number): Uint32Array | undefined {
    const count = this.countAt(commit);
    if (count === 0) return undefined;
    if (count === this.#liveCount) return this.#live;
    if (count === this.#olderCount) return this.#older;
    // The bitmap of the newest prefix extends the one before it; one for an older reader starts from scratch.
    const newer = count > this.#liveCount;
    const builtOn = newer && this.#liveCount > 0 ? this.#liveCount : 0;
    const live =
      builtOn > 0 ? this.#live!.slice() : new Uint32Array(wordsFor(this.docCount)).fill(0xffffffff);
    for (let entry = builtOn; entry < count; entry++) {
      const doc = this.#docs[entry]!;
      live[doc >>> 5]! &= ~(1 << (doc & 31));
    }
    if (newer) {
      this.#live = live;
      this.#liveCount = count;
    } else {
      this.#older = live;
      this.#olderCount = count;
    }
    return live;
  }
}

/** The deaths of one leaf, and the numbers of its documents in another leaf; -1 for missing ones. */
interface DeathSource {
  readonly deaths: DeathLog;
  readonly newDoc: (doc: number) => number;
}

/**
 * Appends the deaths of several leaves to one log, in commit order. Each is sorted already: they are merged pairwise.
 * O(n log sources).
 */
export function mergeDeaths(sources: readonly DeathSource[], target: DeathLog): void {
  let runs = sources.map(collect).filter(({ docs }) => docs.length > 0);
  while (runs.length > 1) {
    const merged: Entries[] = [];
    for (let i = 0; i < runs.length; i += 2)
      merged.push(i + 1 < runs.length ? mergeTwo(runs[i]!, runs[i + 1]!) : runs[i]!);
    runs = merged;
  }
  const [entries] = runs;
  if (entries === undefined) return;
  for (let i = 0; i < entries.docs.length; i++) target.append(entries.docs[i]!, entries.commits[i]!);
}

interface Entries {
  readonly docs: Uint32Array;
  readonly commits: Float64Array;
}

function collect({ deaths, newDoc }: DeathSource): Entries {
  const docs = new Uint32Array(deaths.count);
  const commits = new Float64Array(deaths.count);
  let n = 0;
  for (let entry = 0; entry < deaths.count; entry++) {
    const doc = newDoc(deaths.doc(entry));
    if (doc < 0) continue;
    docs[n] = doc;
    commits[n++] = deaths.commit(entry);
  }
  return { docs: docs.subarray(0, n), commits: commits.subarray(0, n) };
}

/** Of equal commits those of `a` come first. */
function mergeTwo(a: Entries, b: Entries): Entries {
  const size = a.docs.length + b.docs.length;
  const docs = new Uint32Array(size);
  const commits = new Float64Array(size);
  for (let i = 0, j = 0, n = 0; n < size; n++) {
    const first = j === b.docs.length || (i < a.docs.length && a.commits[i]! <= b.commits[j]!);
    docs[n] = first ? a.docs[i]! : b.docs[j]!;
    commits[n] = first ? a.commits[i++]! : b.commits[j++]!;
  }
  return { docs, commits };
}
