// Numbers the terms of a field over all leaves in the order of their bytes. The largest sorted dictionary is
// the base: terms of other leaves are looked up in it, and only those that it does not have are sorted in
// between.
//
//   key           the leaves by uid, the field in each, and an added term
//   bound         MOST_KEPT for one base leaf, the oldest go; they die with the leaf
//   invalidation  none: the dictionary of a leaf never changes
//   benefit       1,000,000 terms in two segments take 300 ms to number

import { compareByteRanges } from '../../kernels/sorted-search.ts';
import type { Steps } from '../../query/steps.ts';
import type { Leaf, Terms } from '../../segment/leaf.ts';

/** The dictionary of a field in one leaf. */
export interface LeafDictionary {
  readonly leaf: Leaf;
  readonly path: string;
  readonly terms: Terms;
}

const MOST_KEPT = 16;
/** Terms between two yields. */
const SLICE = 2_048;

const memo = new WeakMap<Leaf, Map<string, GlobalOrdinals>>();

/** The terms of a field over several leaves. */
export class GlobalOrdinals {
  readonly count: number;
  readonly #base: Terms | undefined;
  readonly #extras: readonly Uint8Array[];
  /** For each number, an ordinal of the base, or ~ the place of an extra; undefined without extras. */
  readonly #origins: Int32Array | undefined;
  readonly #maps: ReadonlyMap<number, Uint32Array>;

  constructor(
    base: Terms | undefined,
    extras: readonly Uint8Array[],
    origins: Int32Array | undefined,
    maps: ReadonlyMap<number, Uint32Array>,
  ) {
    this.#base = base;
    this.#extras = extras;
    this.#origins = origins;
    this.#maps = maps;
    this.count = origins?.length ?? base?.count ?? 0;
  }

  /** From the ordinals of a leaf to numbers; undefined where they are equal. */
  mapOf(leaf: Leaf): Uint32Array | undefined {
    return this.#maps.get(leaf.uid);
  }

  /** The bytes of a term: a view. */
  term(number: number): Uint8Array {
    const origin = this.#origins === undefined ? number : this.#origins[number]!;
    return origin < 0 ? this.#extras[~origin]! : this.#base!.term(origin);
  }

  /** The number of a term, or -1. O(log terms). */
  find(bytes: Uint8Array): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const mid = (low + high) >>> 1;
      const order = compareBytes(this.term(mid), bytes);
      if (order === 0) return mid;
      if (order < 0) low = mid + 1;
      else high = mid;
    }
    return -1;
  }
}

/** Numbers the terms of some dictionaries and one more term. */
export function* globalOrdinals(
  dictionaries: readonly LeafDictionary[],
  added?: Uint8Array,
): Steps<GlobalOrdinals> {
  const sorted = dictionaries.filter(({ terms }) => terms.sorted);
  const base = sorted.reduce<LeafDictionary | undefined>(
    (most, each) => (most === undefined || each.terms.count > most.terms.count ? each : most),
    undefined,
  );
  if (base === undefined) return yield* numberTerms(undefined, dictionaries, added);
  const uids = dictionaries.map(({ leaf, path }) => `${leaf.uid} ${path}`).join('\n');
  const key = `${uids}\n${added === undefined ? '' : `+${Buffer.from(added).toString('latin1')}`}`;
  let kept = memo.get(base.leaf);
  const known = kept?.get(key);
  if (known !== undefined) return known;
  const made = yield* numberTerms(base, dictionaries, added);
  if (kept === undefined) memo.set(base.leaf, (kept = new Map()));
  kept.set(key, made);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
  return made;
}

function* numberTerms(
  base: LeafDictionary | undefined,
  dictionaries: readonly LeafDictionary[],
  added: Uint8Array | undefined,
): Steps<GlobalOrdinals> {
  const maps = new Map<number, Uint32Array>();
  const places = new Map<string, number>();
  const extras: Uint8Array[] = [];
  /** The ordinal in the base, or ~ the place of an extra. */
  const place = (term: Uint8Array): number => {
    const ordinal = base?.terms.find(term, 0, term.length) ?? -1;
    if (ordinal >= 0) return ordinal;
    const text = Buffer.from(term.buffer, term.byteOffset, term.length).toString('latin1');
    let at = places.get(text);
    if (at === undefined) {
      places.set(text, (at = extras.length));
      extras.push(term.slice());
    }
    return ~at;
  };
  const found: { uid: number; terms: Terms; origins: Int32Array }[] = [];
  let looked = 0;
  for (const dictionary of dictionaries) {
    if (dictionary === base) continue;
    const { terms, leaf } = dictionary;
    const origins = new Int32Array(terms.count);
    for (const ordinal of terms.ordinals()) {
      origins[ordinal] = place(terms.term(ordinal));
      if (++looked % SLICE === 0) yield;
    }
    found.push({ uid: leaf.uid, terms, origins });
  }
  if (added !== undefined) place(added);
  const baseCount = base?.terms.count ?? 0;
  const order = extras.map((_, i) => i).sort((a, b) => compareBytes(extras[a]!, extras[b]!));
  yield;
  // Where each extra goes, and how far each ordinal of the base moves.
  const numberOf = new Uint32Array(extras.length);
  const shifted = extras.length === 0 ? undefined : new Uint32Array(baseCount);
  const origins = extras.length === 0 ? undefined : new Int32Array(baseCount + extras.length);
  if (shifted !== undefined && origins !== undefined) {
    let ordinal = 0;
    for (let i = 0; i <= order.length; i++) {
      const extra = order[i];
      const end = extra === undefined ? baseCount : (base?.terms.lowerBound(extras[extra]!) ?? 0);
      for (; ordinal < end; ordinal++) {
        shifted[ordinal] = ordinal + i;
        origins[ordinal + i] = ordinal;
      }
      if (extra === undefined) break;
      numberOf[extra] = end + i;
      origins[end + i] = ~extra;
      if (i % SLICE === 0) yield;
    }
    if (base !== undefined) maps.set(base.leaf.uid, shifted);
  }
  for (const { uid, terms, origins: own } of found) {
    const map = new Uint32Array(terms.count);
    for (const ordinal of terms.ordinals()) {
      const origin = own[ordinal]!;
      map[ordinal] = origin < 0 ? numberOf[~origin]! : (shifted?.[origin] ?? origin);
      if (++looked % SLICE === 0) yield;
    }
    maps.set(uid, map);
  }
  return new GlobalOrdinals(base?.terms, extras, origins, maps);
}

/** Negative, 0 or positive as the bytes of a sort before, with or after those of b. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return compareByteRanges(a, 0, a.length, b, 0, b.length);
}
