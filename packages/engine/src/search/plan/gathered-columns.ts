// Columns of values that are gathered or computed for a sort, laid out as those of a leaf.

import { setBit, wordsFor } from '../../kernels/bits.ts';
import { compareByteRanges } from '../../kernels/sorted-search.ts';
import type { Key64 } from '../../mapping/types/type.ts';
import type { ComputedColumns, SortColumn } from '../../order/order-spec.ts';
import type { Steps } from '../../query/steps.ts';
import type { Leaf } from '../../segment/leaf.ts';

/** Documents between two yields. */
const STEP = 4_096;

/** Columns by their leaves. */
export function gathered(key: string, columns: ReadonlyMap<Leaf, SortColumn | undefined>): ComputedColumns {
  return {
    key,
    column(leaf) {
      // Nothing found is kept for good, and so must never mean that nothing was looked for.
      if (!columns.has(leaf)) throw new RangeError('the values of another leaf were gathered');
      return columns.get(leaf);
    },
  };
}

/** A column of keys. `keysOf` gives those of each document, in any order. */
export function* numericColumn(
  docCount: number,
  keysOf: (doc: number) => readonly Key64[],
): Steps<SortColumn | undefined> {
  const present = new Uint32Array(wordsFor(docCount));
  const starts = new Uint32Array(docCount + 1);
  const lists: Key64[][] = [];
  for (let doc = 0; doc < docCount; doc++) {
    const keys = [...keysOf(doc)].sort((a, b) => a.hi - b.hi || a.lo - b.lo);
    if (keys.length > 0) {
      setBit(present, doc);
      lists.push(keys);
    }
    starts[doc + 1] = starts[doc]! + keys.length;
    if (doc % STEP === 0) yield;
  }
  const total = starts[docCount]!;
  if (total === 0) return undefined;
  const hi = new Uint32Array(total);
  const lo = new Uint32Array(total);
  let n = 0;
  for (const keys of lists) {
    for (const key of keys) {
      hi[n] = key.hi;
      lo[n++] = key.lo;
    }
    if (n % STEP === 0) yield;
  }
  return { kind: 'numeric', starts, hi, lo, present };
}

/** A column of terms. `lists`: those of the documents that have any, in the order of the documents. */
export function* termsColumn(
  lists: readonly (readonly Uint8Array[])[],
  starts: Uint32Array,
  present: Uint32Array,
): Steps<SortColumn> {
  const byText = new Map<string, Uint8Array>();
  const texts = lists.map((list) =>
    list.map((bytes) => {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
      byText.set(text, bytes);
      return text;
    }),
  );
  yield;
  const sorted = [...byText].sort(([, a], [, b]) => compareByteRanges(a, 0, a.length, b, 0, b.length));
  yield;
  const places = new Map(sorted.map(([text], place) => [text, place] as const));
  const list = sorted.map(([, bytes]) => bytes.slice());
  const ordinals = new Uint32Array(starts.at(-1)!);
  let n = 0;
  for (const own of texts)
    for (const place of own.map((text) => places.get(text)!).sort((a, b) => a - b)) ordinals[n++] = place;
  const dictionary = { count: list.length, sorted: true, term: (place: number) => list[place]! };
  return { kind: 'ordinal', starts, ordinals, terms: dictionary, present };
}
