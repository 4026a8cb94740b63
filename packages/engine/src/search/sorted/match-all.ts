// Pages `match_all` without a sort: insertion order, read directly from the live-document bitmaps. No order
// is built for it.

import { popcount32 } from '../../kernels/bits.ts';
import type { Side } from '../../order/compare.ts';
import type { LeafView } from '../../segment/leaf.ts';
import type { DocumentPage, PageDoc } from '../page/document-page.ts';

/** The documents of a leaf that a snapshot shows. */
type Live = Pick<LeafView, 'live' | 'liveCount' | 'docCount'>;

/**
 * A page of all documents in insertion order, each with one score. `sides` are those of the leaves.
 * O(leaves + size + words of the bitmap of the leaf where the page begins).
 */
export function matchAllPage(
  leaves: readonly { readonly view: Live }[],
  sides: readonly Side[],
  score: number,
  from: number,
  size: number,
): DocumentPage {
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
    const side = sides[place]!;
    if (live === undefined) {
      for (let doc = skip; doc < docCount && docs.length < size; doc++) docs.push({ side, doc, score });
      skip = 0;
      continue;
    }
    for (let w = 0; w << 5 < docCount && docs.length < size; w++) {
      let word = live[w]!;
      if (docCount - (w << 5) < 32) word &= (1 << (docCount & 31)) - 1;
      const count = popcount32(word);
      if (count <= skip) {
        skip -= count;
        continue;
      }
      for (; word !== 0 && docs.length < size; word &= word - 1) {
        if (skip > 0) skip--;
        else docs.push({ side, doc: (w << 5) + 31 - Math.clz32(word & -word), score });
      }
    }
  }
  const before = from > 0 && total > 0;
  return { docs, total, before, after: from + docs.length < total, maxScore: score, cutShort: false };
}
