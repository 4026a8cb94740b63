// How is the memory waited for once, and not for every piece of a page? A hit lies in a dozen places, each far from the
// others: its id, its keys, their terms, its source. A loop that only looks at one byte of each has many of them on the way
// at a time; printing them then finds them near. What is known only when something else is there is looked at in a loop of
// its own: a short one reaches further ahead.

import { MISSING_LOW, namesTerm, type TermKeys } from '../../order/keys/sort-keys.ts';
import type { SearchServices } from '../services.ts';
import type { PageDoc } from './document-page.ts';

/** Hits that are brought together. Their sources stay in a cache of the first or second level. */
export const TOGETHER = 64;

type Place = ReturnType<NonNullable<SearchServices['findSource']>>;

const NO_TERM = 0xffff_ffff;
const NOWHERE: readonly Place[] = new Array<Place>(TOGETHER).fill(undefined);

/** Where the sources of a few hits lie. */
export class Brought {
  /** Of what was looked at: were it for nothing, compilers would leave the looking out. */
  seen = 0;
  readonly #places: Place[] = [...NOWHERE];
  readonly #chunks: Uint32Array = new Uint32Array(TOGETHER);
  readonly #offsets: Uint32Array = new Uint32Array(TOGETHER);
  readonly #lengths: Uint32Array = new Uint32Array(TOGETHER);
  /** Where ids begin; then ranks, and where their terms begin. */
  readonly #starts: Uint32Array = new Uint32Array(TOGETHER);
  #from = 0;
  #to = 0;
  #docs: readonly PageDoc[] | undefined;

  /** Looks at all that hits [from, to) of a page are made of, TOGETHER of them at most. `withKeys`: at sort keys too. */
  bring(
    docs: readonly PageDoc[],
    from: number,
    to: number,
    withKeys: boolean,
    services: SearchServices,
  ): void {
    const end = Math.min(to, from + TOGETHER);
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
    const entries = withKeys && end > from ? docs[from]!.side.keys.length : 0;
    for (let e = 0; e < entries; e++) sum += this.#bringKeys(docs, e);
    for (let k = 0; k < end - from; k++)
      places[k] = services.findSource?.(chunks[k]!, offsets[k]!, lengths[k]!);
    for (let k = 0; k < end - from; k++) {
      const place = places[k];
      if (place === undefined) continue;
      const at = offsets[k]! - place.start;
      sum += place.bytes[at]! + place.bytes[at + lengths[k]! - 1]!;
    }
    this.seen = sum;
  }

  /** Looks at what the hits sort by: numbers, or ranks, where their terms begin, and these. */
  #bringKeys(docs: readonly PageDoc[], e: number): number {
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
      starts[i - from] = namesTerm(rank) ? flatOf(docs[i]!, e).starts[(rank - 2) >>> 1]! : NO_TERM;
    }
    for (let i = from; i < end; i++) {
      const start = starts[i - from]!;
      if (start !== NO_TERM) sum += flatOf(docs[i]!, e).bytes[start] ?? 0;
    }
    return sum;
  }

  /** Where the source of a hit lies, if it was brought and lies in memory; told once. */
  take(docs: readonly PageDoc[], hit: number): Place {
    if (docs !== this.#docs || hit < this.#from || hit >= this.#to) return undefined;
    const k = hit - this.#from;
    const place = this.#places[k];
    // What a cache forgets must not be held from here.
    this.#places[k] = undefined;
    return place;
  }
}

/** The terms of an entry that has ranks. */
function flatOf({ side }: PageDoc, e: number): NonNullable<TermKeys['flat']> {
  return (side.keys[e] as TermKeys).flat!;
}
