// The numbers by which documents of a scan are compared first: the leading entries of an order that have keys
// or ranks, flipped so that less is nearer to the start of the page. They decide nearly every comparison.

import { MOST_LEVELS } from '../../kernels/assembly/order/layout.ts';
import type { Key64 } from '../../mapping/types/type.ts';
import type { Cursor, CursorValue, EntryKeys, Side } from '../compare.ts';

const LEAST = 0;
const MOST = 0xffff_ffff;

/** One such number, by document. */
export interface KeyLevel {
  /** Halves of keys; of ranks, both are the same array. */
  readonly hi: Uint32Array;
  readonly lo: Uint32Array;
  /** The mask that both are flipped by. */
  readonly flip: number;
  /** The cursor's key, flipped; without a cursor the least key. */
  readonly nearHi: number;
  readonly nearLo: number;
  /** Whether documents that tie with the cursor here have its value. */
  readonly isExact: boolean;
  /** Whether the number means the same in all leaves. */
  readonly isCommon: boolean;
}

/** The levels of a leaf, for pages forwards or backwards from a cursor. */
export function keyLevels(
  { spec, keys }: Side,
  cursor: Cursor | undefined,
  backwards: boolean,
): readonly KeyLevel[] {
  const levels: KeyLevel[] = [];
  for (let e = 0; e < spec.entries.length && e < MOST_LEVELS; e++) {
    const flip = spec.entries[e]!.descending !== backwards ? MOST : 0;
    const level = levelOf(keys[e], cursor?.values[e], flip);
    if (level === undefined) break;
    levels.push(level);
    if (!level.isExact) break;
  }
  return levels;
}

function levelOf(keys: EntryKeys, value: CursorValue | undefined, flip: number): KeyLevel | undefined {
  if (keys === undefined || keys.kind === 'unranked') return undefined;
  const isCommon = keys.kind === 'numeric';
  const { hi, lo } = isCommon ? keys : { hi: keys.ranks, lo: keys.ranks };
  if (value === undefined) return { hi, lo, flip, nearHi: LEAST, nearLo: LEAST, isExact: true, isCommon };
  const near = keyOfCursor(keys, value);
  if (near === undefined) return undefined;
  // Ranks of terms are even, ranks of places between terms odd.
  const isExact = isCommon || (near.lo & 1) === 0;
  return {
    ...{ hi, lo, flip, isExact, isCommon },
    nearHi: (near.hi ^ flip) >>> 0,
    nearLo: (near.lo ^ flip) >>> 0,
  };
}

function keyOfCursor(keys: Exclude<EntryKeys, undefined>, value: CursorValue): Key64 | undefined {
  if (keys.kind === 'numeric') return value.kind === 'numeric' ? value : undefined;
  if (keys.kind === 'unranked' || value.kind !== 'bytes') return undefined;
  const rank = keys.rankOfBytes(value.bytes);
  return { hi: rank, lo: rank };
}

/** The bound of a page, level by level: nothing on the page lies behind it. At first it excludes nothing. */
export class FarBound {
  readonly hi: Uint32Array = new Uint32Array(MOST_LEVELS).fill(MOST);
  readonly lo: Uint32Array = new Uint32Array(MOST_LEVELS).fill(MOST);

  /** Moves to a document that is nearer by the levels that both have. */
  tighten(levels: readonly KeyLevel[], doc: number): void {
    for (let n = 0; n < levels.length; n++) {
      const { hi, lo, flip } = levels[n]!;
      const high = (hi[doc]! ^ flip) >>> 0;
      const low = (lo[doc]! ^ flip) >>> 0;
      if (high === this.hi[n] && low === this.lo[n]) continue;
      if (high > this.hi[n]! || (high === this.hi[n] && low > this.lo[n]!)) return;
      for (let m = n; m < MOST_LEVELS; m++) {
        const level = levels[m];
        this.hi[m] = level === undefined ? MOST : level.hi[doc]! ^ level.flip;
        this.lo[m] = level === undefined ? MOST : level.lo[doc]! ^ level.flip;
      }
      return;
    }
  }

  /** Copies the first `count` levels of another bound. */
  copy(other: FarBound, count: number): void {
    for (let n = 0; n < count; n++) {
      this.hi[n] = other.hi[n]!;
      this.lo[n] = other.lo[n]!;
    }
  }
}

/** How many levels from the first on mean the same in all leaves. */
export function commonLevels(levels: readonly KeyLevel[]): number {
  const own = levels.findIndex(({ isCommon }) => !isCommon);
  return own < 0 ? levels.length : own;
}
