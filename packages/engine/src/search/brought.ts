// How is the memory waited for once, and not for every piece of a page? A hit lies in a dozen places, each far from the
// others: its id, its keys, their terms, its source. A loop that only looks at one byte of each has many of them on the way
// at a time; printing them then finds them near.

import type { EntryKeys } from '../order/compare.ts';
import type { PageDoc } from './page.ts';
import type { SearchServices } from './services.ts';

/** Hits that are brought together. Their sources stay in a cache of the first or second level. */
export const TOGETHER = 64;

type Place = ReturnType<NonNullable<SearchServices['findSource']>>;

const NOWHERE: readonly Place[] = new Array<Place>(TOGETHER).fill(undefined);

/** Where the sources of a few hits lie. */
export class Brought {
  /** Of what was looked at: were it for nothing, compilers would leave the looking out. */
  seen = 0;
  readonly #places: Place[] = [...NOWHERE];
  readonly #chunks: Uint32Array = new Uint32Array(TOGETHER);
  readonly #offsets: Uint32Array = new Uint32Array(TOGETHER);
  readonly #lengths: Uint32Array = new Uint32Array(TOGETHER);
  #from = 0;
  #to = 0;
  #docs: readonly PageDoc[] | undefined;

  /** Looks at all that hits [from, to) of a page are made of, TOGETHER of them at most. */
  bring(docs: readonly PageDoc[], from: number, to: number, services: SearchServices): void {
    const end = Math.min(to, from + TOGETHER);
    this.#docs = docs;
    this.#from = from;
    this.#to = end;
    const chunks = this.#chunks;
    const offsets = this.#offsets;
    const lengths = this.#lengths;
    let sum = 0;
    for (let i = from; i < end; i++) {
      const { side, doc } = docs[i]!;
      const { docs: table } = side.leaf;
      chunks[i - from] = table.sourceChunk(doc);
      offsets[i - from] = table.sourceOffset(doc);
      lengths[i - from] = table.sourceLength(doc);
      sum += table.idBytes[table.idStarts[doc]!] ?? 0;
    }
    for (let i = from; i < end; i++) {
      const { side, doc } = docs[i]!;
      const { keys } = side;
      for (let e = 0; e < keys.length; e++) sum += keyByte(keys[e], doc);
    }
    const places = this.#places;
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

/** A byte of what a document sorts by. */
function keyByte(keys: EntryKeys, doc: number): number {
  if (keys === undefined) return 0;
  if (keys.kind === 'numeric') return keys.hi[doc]! + keys.lo[doc]!;
  if (keys.kind === 'unranked') return 0;
  const { flat } = keys;
  const rank = keys.ranks[doc]!;
  return flat === undefined || rank === 0 || (rank & 1) === 1
    ? rank
    : flat.bytes[flat.starts[(rank - 2) >>> 1]!]!;
}
