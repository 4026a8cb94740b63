// What if a restriction leaves few documents? Then they lead: each is looked up in the lists, and scored if it matches.

import { CHUNK_WORDS } from '../../segment/leaf.ts';
import type { Survivors } from '../lists/candidate-bounds.ts';
import type { Lists } from '../lists/posting-lists.ts';

/** Scores the documents of the chunk that are in a bitmap of the leaf. Returns how many visible ones match. */
export function scoreFew(lists: Lists, survivors: Survivors, accept: Uint32Array): number {
  const first = lists.base >>> 5;
  const words = Math.min(CHUNK_WORDS, accept.length - first);
  let matches = 0;
  for (let w = 0; w < words; w++) {
    let word = accept[first + w]!;
    while (word !== 0) {
      const low = (w << 5) + 31 - Math.clz32(word & -word);
      word &= word - 1;
      const doc = lists.base + low;
      if (!survivors.isVisible(doc)) continue;
      const score = lists.score(low);
      if (score < 0) continue;
      matches++;
      survivors.offer(Math.fround(score), doc);
    }
  }
  return matches;
}
