// Finds the first few documents of a leaf that has no order yet: a heap of the best seen so far, over one
// scan of the visible documents. A kernel skips documents that cannot enter (500,000 documents: 1 ms), else a
// loop does (3 to 7 ms). Good for the first pages of a sort while its orders are being built.

import { type Cursor, compareDocs, compareToCursor, type Side } from '../compare.ts';
import { commonLevels, FarBound, type KeyLevel, keyLevels } from './key-levels.ts';
import { KernelSieve } from './sieve.ts';

const STEP_WORDS = 1_024;

/** What to look for. */
interface PickRequest {
  /** Visible documents by number; undefined: the first `docCount`. */
  readonly bits: Uint32Array | undefined;
  readonly docCount: number;
  readonly count: number;
  /** Only documents behind it, or with `backwards` before it. */
  readonly cursor: Cursor | undefined;
  readonly backwards: boolean;
  /**
   * Shared with other leaves of the search: a document behind `count` documents of one leaf is not on the
   * page.
   */
  readonly far?: FarBound | undefined;
}

/** What was found: documents in list order, and how many visible ones lie on the other side of the cursor. */
interface PickResult {
  readonly docs: Uint32Array;
  readonly excluded: number;
}

/**
 * The best `count` documents of a leaf. O(visible + candidates · log count); yields every 32,768 documents.
 */
export function* pickFirst(side: Side, pick: PickRequest): Generator<void, PickResult, undefined> {
  const picker = new Picker(side, pick);
  const words = (pick.docCount + 31) >>> 5;
  for (let from = 0; from < words; from += STEP_WORDS) {
    picker.scan(from, Math.min(from + STEP_WORDS, words));
    yield;
  }
  return picker.result();
}

/** The scan of one leaf. */
class Picker {
  readonly #side: Side;
  readonly #pick: PickRequest;
  readonly #levels: readonly KeyLevel[];
  readonly #common: readonly KeyLevel[];
  readonly #sieve: KernelSieve | undefined;
  readonly #far: FarBound = new FarBound();
  readonly #heap: Uint32Array;
  readonly #farther: (a: number, b: number) => boolean;
  readonly #offered: (doc: number) => void;
  #size = 0;
  #excluded = 0;

  constructor(side: Side, pick: PickRequest) {
    const sign = pick.backwards ? -1 : 1;
    this.#side = side;
    this.#pick = pick;
    this.#levels = keyLevels(side, pick.cursor, pick.backwards);
    this.#common = this.#levels.slice(0, commonLevels(this.#levels));
    this.#sieve = KernelSieve.over(this.#levels);
    if (pick.far !== undefined) this.#far.copy(pick.far, this.#common.length);
    this.#heap = new Uint32Array(pick.count);
    this.#farther = (a, b) => sign * compareDocs(side, a, 0, side, b, 0) > 0;
    this.#offered = (doc) => this.#offer(doc);
  }

  /** Scans the documents of some words. */
  scan(from: number, until: number): void {
    const { bits, docCount } = this.#pick;
    if (this.#sieve === undefined) this.#scanAll(from, until);
    else {
      const end = Math.min(until * 32, docCount);
      const before = this.#sieve.scan(bits, from * 32, end, this.#far, this.#offered);
      this.#excluded += before;
    }
  }

  /** The scan without a kernel. A method of its own, so that it is compiled before a first scan is over. */
  #scanAll(from: number, until: number): void {
    const { bits, docCount } = this.#pick;
    const { hi, lo, flip, nearHi, nearLo } = this.#levels[0] ?? NO_LEVEL;
    const { hi: farHi, lo: farLo } = this.#far;
    const hasLevel = hi.length > 0;
    let excluded = 0;
    for (let w = from; w < until; w++) {
      let word = bits === undefined ? -1 : bits[w]!;
      if (w === docCount >>> 5) word &= (1 << (docCount & 31)) - 1;
      for (; word !== 0; word &= word - 1) {
        const doc = (w << 5) + 31 - Math.clz32(word & -word);
        if (hasLevel) {
          const high = (hi[doc]! ^ flip) >>> 0;
          if (high < nearHi) {
            excluded++;
            continue;
          }
          if (high > farHi[0]!) continue;
          const low = (lo[doc]! ^ flip) >>> 0;
          if (high === nearHi && low < nearLo) {
            excluded++;
            continue;
          }
          if (high === farHi[0] && low > farLo[0]!) continue;
        }
        this.#offer(doc);
      }
    }
    this.#excluded += excluded;
  }

  result(): PickResult {
    const side = this.#side;
    const docs = this.#heap.slice(0, this.#size).sort((a, b) => compareDocs(side, a, 0, side, b, 0));
    return { docs, excluded: this.#excluded };
  }

  /**
   * Takes a document that its keys do not exclude, or counts it where it lies on the other side of the
   * cursor.
   */
  #offer(doc: number): void {
    if (!this.#isBehindCursor(doc)) {
      this.#excluded++;
      return;
    }
    const { count, far } = this.#pick;
    const heap = this.#heap;
    if (this.#size < count) rise(heap, this.#size++, doc, this.#farther);
    else if (count > 0 && this.#farther(heap[0]!, doc)) sink(heap, this.#size, doc, this.#farther);
    else return;
    if (this.#size < count) return;
    this.#far.tighten(this.#levels, heap[0]!);
    far?.tighten(this.#common, heap[0]!);
  }

  #isBehindCursor(doc: number): boolean {
    const { cursor, backwards } = this.#pick;
    if (cursor === undefined) return true;
    const first = this.#levels[0];
    if (first !== undefined) {
      const { hi, lo, flip, nearHi, nearLo } = first;
      const isTie = (hi[doc]! ^ flip) >>> 0 === nearHi && (lo[doc]! ^ flip) >>> 0 === nearLo;
      if (!isTie) return true;
    }
    const known = first?.isExact === true ? 1 : 0;
    const order = compareToCursor(this.#side, doc, this.#side.score, cursor, known);
    return backwards ? order < 0 : order > 0;
  }
}

const NONE = new Uint32Array(0);
/** Where the first entry has no numbers. */
const NO_LEVEL: KeyLevel = {
  ...{ hi: NONE, lo: NONE, flip: 0, nearHi: 0, nearLo: 0 },
  ...{ isExact: false, isCommon: false },
};

function rise(heap: Uint32Array, at: number, doc: number, farther: (a: number, b: number) => boolean): void {
  let i = at;
  while (i > 0) {
    const parent = (i - 1) >>> 1;
    if (!farther(doc, heap[parent]!)) break;
    heap[i] = heap[parent]!;
    i = parent;
  }
  heap[i] = doc;
}

/** Replaces the farthest document by a nearer one. */
function sink(
  heap: Uint32Array,
  size: number,
  doc: number,
  farther: (a: number, b: number) => boolean,
): void {
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= size) break;
    if (child + 1 < size && farther(heap[child + 1]!, heap[child]!)) child++;
    if (!farther(heap[child]!, doc)) break;
    heap[i] = heap[child]!;
    i = child;
  }
  heap[i] = doc;
}
