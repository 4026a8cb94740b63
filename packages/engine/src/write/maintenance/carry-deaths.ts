// Carries deaths over, in commit order, when leaves are replaced by one new leaf.

import { mergeDeaths } from '../../segment/deaths.ts';
import type { DocumentRange, Leaf } from '../../segment/leaf.ts';

/**
 * Appends the deaths of the inputs to the leaf that replaces them. `newDoc[i][doc]` is the document's new
 * number (-1 when it was left out); without it documents keep their places one leaf after the other.
 */
export function carryDeaths(
  inputs: readonly DocumentRange[],
  newDoc: readonly Int32Array[] | undefined,
  target: Leaf,
): void {
  let before = 0;
  const sources = inputs.map(({ deaths, docCount }, i) => {
    const base = before;
    before += docCount;
    const map = newDoc?.[i];
    return { deaths, newDoc: (doc: number) => (map === undefined ? base + doc : map[doc]!) };
  });
  mergeDeaths(sources, target.deaths);
}
