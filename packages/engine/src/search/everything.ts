// Which documents come first where every one matches, and alike? Those that were written first: no order is kept for it, the
// bitmaps of who lives are gone through.

import type { Side } from '../order/compare.ts';
import type { LeafView } from '../segment/leaf.ts';
import type { Page, PageDoc } from './page.ts';

/** What is seen of a leaf: who lives, and how many. */
type Seen = Pick<LeafView, 'live' | 'liveCount' | 'docCount'>;

/**
 * A page of all documents in the order in which they were written, each with one score. `sides` are those of the leaves.
 * O(leaves + from + size + words of dead documents before them).
 */
export function pageOfEverything(
  leaves: readonly { readonly view: Seen }[],
  sides: readonly Side[],
  score: number,
  from: number,
  size: number,
): Page {
  const docs: PageDoc[] = [];
  let total = 0;
  let skip = from;
  for (let place = 0; place < leaves.length; place++) {
    const { live, liveCount, docCount } = leaves[place]!.view;
    total += liveCount;
    if (skip >= liveCount) {
      skip -= liveCount;
      continue;
    }
    for (let doc = 0; doc < docCount && docs.length < size; doc++) {
      if (live !== undefined) {
        const word = live[doc >>> 5]! >>> (doc & 31);
        if (word === 0) {
          doc |= 31;
          continue;
        }
        doc += 31 - Math.clz32(word & -word);
        if (doc >= docCount) break;
      }
      if (skip > 0) skip--;
      else docs.push({ side: sides[place]!, doc, score });
    }
  }
  const before = from > 0 && total > 0;
  return { docs, total, before, after: from + docs.length < total, maxScore: score };
}
