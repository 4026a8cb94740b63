// What a pattern says, as a tree.

import type { CharSet } from './char-set.ts';

/** Conditions of a place between two characters. */
export type PlaceKind =
  | 'text-start'
  | 'text-end'
  | 'text-end-or-break'
  | 'line-start'
  | 'line-end'
  | 'word-edge'
  | 'no-word-edge';

export type PatternNode =
  | { readonly kind: 'chars'; readonly set: CharSet }
  | { readonly kind: 'sequence' | 'choice'; readonly of: readonly PatternNode[] }
  | { readonly kind: 'group'; readonly number: number; readonly of: PatternNode }
  | {
      readonly kind: 'repeat';
      readonly of: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
    }
  | { readonly kind: 'place'; readonly place: PlaceKind }
  | {
      readonly kind: 'look';
      readonly isAhead: boolean;
      readonly isNegative: boolean;
      readonly of: PatternNode;
    };

/** A pattern that was read. */
export interface PatternTree {
  readonly root: PatternNode;
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
}

export const EMPTY: PatternNode = Object.freeze({ kind: 'sequence', of: [] });
