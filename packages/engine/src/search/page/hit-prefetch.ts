// Prefetches the hits of a page. The id, sort keys, terms and source of a hit lie in a dozen cold cache
// lines. Touching one byte of each in short loops lets the CPU overlap the cache misses, so that printing
// finds the data in the cache. An address that is known only after another load is touched in a loop of its
// own, because a short loop reaches further ahead.

import { isTermRank, MISSING_LOW, type TermKeys } from '../../order/keys/sort-keys.ts';
import type { SearchServices } from '../services.ts';
import type { PageDoc } from './document-page.ts';

/** The most hits of one call of `run`. Their sources fit into the first or second level cache. */
const MAX_PREFETCHED = 64;

type SourcePlace = ReturnType<NonNullable<SearchServices['findSource']>>;

const NO_TERM = 0xffff_ffff;
const NOWHERE: readonly SourcePlace[] = new Array<SourcePlace>(MAX_PREFETCHED).fill(undefined);

/** The prefetched hits of one page. */
export class HitPrefetch {
  /** Sum of the bytes read: without a use of them the compiler would drop the loads. */
  checksum = 0;
  readonly #places: SourcePlace[] = [...NOWHERE];
  readonly #chunks: Uint32Array = new Uint32Array(MAX_PREFETCHED);
  readonly #offsets: Uint32Array = new Uint32Array(MAX_PREFETCHED);
  readonly #lengths: Uint32Array = new Uint32Array(MAX_PREFETCHED);
  /** Where ids begin; later ranks, and where their terms begin. */
  readonly #starts: Uint32Array = new Uint32Array(MAX_PREFETCHED);
  #from = 0;
  #to = 0;
  #docs: readonly PageDoc[] | undefined;

  /** Touches everything that hits [from, to) of a page are made of, MAX_PREFETCHED of them at most. */
  run(docs: readonly PageDoc[], from: number, to: number, services: SearchServices): void {
    const end = Math.min(to, from + MAX_PREFETCHED);
    this.#docs = docs;
    this.#from = from;
    this.#to = end;
    const chunks = this.#chunks;
    const offsets = this.#offsets;
    const lengths = this.#lengths;
    let sum = 0;
    const places = this.#places;
    const starts = this.#starts;
    for (let i = from; i < end; i++) {
      const { side, doc } = docs[i]!;
      const { docs: table } = side.leaf;
      chunks[i - from] = table.sourceChunk(doc);
      offsets[i - from] = table.sourceOffset(doc);
      lengths[i - from] = table.sourceLength(doc);
      starts[i - from] = table.idStarts[doc]!;
    }
    for (let i = from; i < end; i++) sum += docs[i]!.side.leaf.docs.idBytes[starts[i - from]!] ?? 0;
    const entries = end > from ? docs[from]!.side.keys.length : 0;
    for (let e = 0; e < entries; e++) sum += this.#touchKeys(docs, e);
    for (let k = 0; k < end - from; k++)
      places[k] = services.findSource?.(chunks[k]!, offsets[k]!, lengths[k]!);
    for (let k = 0; k < end - from; k++) {
      const place = places[k];
      if (place === undefined) continue;
      const at = offsets[k]! - place.start;
      sum += place.bytes[at]! + place.bytes[at + lengths[k]! - 1]!;
    }
    this.checksum = sum;
  }

  /** Touches what the hits sort by: numbers, or ranks, then where their terms begin, then the terms. */
  #touchKeys(docs: readonly PageDoc[], e: number): number {
    const from = this.#from;
    const end = this.#to;
    const starts = this.#starts;
    let sum = 0;
    let terms = 0;
    for (let i = from; i < end; i++) {
      const { side, doc } = docs[i]!;
      const keys = side.keys[e];
      let rank = MISSING_LOW;
      if (keys?.kind === 'numeric') sum += keys.hi[doc]! + keys.lo[doc]!;
      else if (keys?.kind === 'terms' && keys.flat !== undefined) {
        rank = keys.ranks[doc]!;
        terms++;
      }
      starts[i - from] = rank;
    }
    if (terms === 0) return sum;
    for (let i = from; i < end; i++) {
      const rank = starts[i - from]!;
      starts[i - from] = isTermRank(rank) ? flatOf(docs[i]!, e).starts[(rank - 2) >>> 1]! : NO_TERM;
    }
    for (let i = from; i < end; i++) {
      const start = starts[i - from]!;
      if (start !== NO_TERM) sum += flatOf(docs[i]!, e).bytes[start] ?? 0;
    }
    return sum;
  }

  /** Where the source of a hit lies, if it was prefetched and is in memory. Given out once. */
  takeSource(docs: readonly PageDoc[], hit: number): SourcePlace {
    if (docs !== this.#docs || hit < this.#from || hit >= this.#to) return undefined;
    const k = hit - this.#from;
    const place = this.#places[k];
    // Drops the reference: the log cache may evict what it points to.
    this.#places[k] = undefined;
    return place;
  }
}

/** The terms of an entry that has ranks. */
function flatOf({ side }: PageDoc, e: number): NonNullable<TermKeys['flat']> {
  return (side.keys[e] as TermKeys).flat!;
}
