// Finds the terms of a flat query in a leaf: their postings, and bounds of what they can score there.

import type { Leaf } from '../segment/leaf.ts';
import { NO_POSTINGS } from '../segment/postings/postings-arrays.ts';
import { PostingsView } from '../segment/postings/postings-view.ts';
import { codeBounds } from './bound-ratio.ts';
import type { FlatQuery } from './flat-query.ts';

/** The postings of a term that the leaf does not have. */
export const NO_VIEW: PostingsView = new PostingsView(NO_POSTINGS, undefined, false, undefined);
const NO_NORMS = new Uint8Array(0);

/** The terms of a query in a leaf: one entry a term in each list. */
export interface LeafTerms {
  readonly postings: readonly PostingsView[];
  readonly norms: readonly Uint8Array[];
  /** The first group and the end of groups; equal where the leaf does not have the term. */
  readonly group: readonly number[];
  readonly end: readonly number[];
  /** Upper and lower bound of what a code of 1 scores; 0 where the leaf does not have the term. */
  readonly most: readonly number[];
  readonly least: readonly number[];
}

/** `empty`: no document matches. `unbounded`: the leaf has no codes, so that all of it must be scored. */
export type LocatedTerms = LeafTerms | 'empty' | 'unbounded';

/** Looks the terms up. */
export function locateTerms({ terms, shape }: FlatQuery, leaf: Leaf): LocatedTerms {
  const postings: PostingsView[] = [];
  const norms: Uint8Array[] = [];
  const group: number[] = [];
  const end: number[] = [];
  const most: number[] = [];
  const least: number[] = [];
  let found = false;
  for (const { path, bytes, weight, inverses } of terms) {
    const field = leaf.terms(path);
    const usable = field !== undefined && (shape === 'phrase' ? field.hasPositions : field.indexed);
    const ordinal = usable ? field.find(bytes, 0, bytes.length) : -1;
    if (ordinal < 0 && shape !== 'any') return 'empty';
    if (ordinal < 0) {
      postings.push(NO_VIEW);
      norms.push(NO_NORMS);
      for (const list of [group, end, most, least]) list.push(0);
      continue;
    }
    const view = field!.postings;
    if (!field!.hasFreqs || !(view instanceof PostingsView)) return 'unbounded';
    const worth = codeBounds(view.bucket, inverses);
    postings.push(view);
    norms.push(leaf.norms(path) ?? NO_NORMS);
    group.push(view.firstGroup(ordinal));
    end.push(view.endGroup(ordinal));
    most.push(weight * worth.most);
    least.push(weight * worth.least);
    found = true;
  }
  return found ? { postings, norms, group, end, most, least } : 'empty';
}
