// Searches a chunk from its restriction: when a filter leaves few documents, they lead. The twin is
// score/prune (few documents).

import { base, score } from './lists';
import { isVisible, offer } from './top';

/**
 * Scores the documents of the chunk that are in a bitmap of a leaf of `docs` documents. Returns how many
 * match.
 */
export function scoreRestricted(accept: usize, docs: i32): i32 {
  const bits = accept + (<usize>base >> 3);
  const left = (docs - base + 31) >>> 5;
  const words = min(left, 2048);
  let matches = 0;
  for (let w = 0; w < words; w++) {
    let word = load<u32>(bits + ((<usize>w) << 2));
    while (word !== 0) {
      const low = (w << 5) + <i32>ctz<u32>(word);
      word &= word - 1;
      if (!isVisible(base + low)) continue;
      const sum = score(low);
      if (sum < 0) continue;
      matches++;
      offer(<f64>(<f32>sum), base + low);
    }
  }
  return matches;
}
