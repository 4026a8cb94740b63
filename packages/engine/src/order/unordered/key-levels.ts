// By which numbers are documents compared before anything else? By the entries of an order that have keys or ranks, up to the
// first that has none, turned so that less is nearer to the start of a page. They decide nearly always.

import { MOST_LEVELS } from '../../kernels/assembly/order/layout.ts';
import type { Key64 } from '../../mapping/types/type.ts';
import type { Cursor, CursorValue, EntryKeys, Side } from '../compare.ts';

const LEAST = 0;
const MOST = 0xffff_ffff;

/** One of these numbers, by document. */
export interface KeyLevel {
  /** Halves of keys; of ranks, both are the same array. */
  readonly hi: Uint32Array;
  readonly lo: Uint32Array;
  /** What both have to be turned by. */
  readonly flip: number;
  /** The cursor's, turned; without one, what nothing is less than. */
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
  // Ranks of terms are even, those of places between terms odd.
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
  const rank = keys.rankOf(value.bytes);
  return { hi: rank, lo: rank };
}

/** Numbers that nothing on a page is farther than, level by level; at first, nothing is. */
export class FarBound {
  readonly hi: Uint32Array = new Uint32Array(MOST_LEVELS).fill(MOST);
  readonly lo: Uint32Array = new Uint32Array(MOST_LEVELS).fill(MOST);

  /** Comes as near as a document, where that is nearer by the levels that both have. */
  approach(levels: readonly KeyLevel[], doc: number): void {
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

  /** Takes over the first `count` levels of another. */
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
