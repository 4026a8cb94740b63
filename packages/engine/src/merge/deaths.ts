// What becomes of the deaths when segments merge? Those of documents left out are gone; the others move with their
// documents and keep their commits, those that came during the merge too.

import { setBit, wordsFor } from '../kernels/bits.ts';
import { Deaths } from '../segment/deaths.ts';

/**
 * One death log for the merged segment, in commit order. A document of an old base that was kept stays in the base.
 * O(n + d log d).
 */
export function mergeDeaths(
  logs: readonly Deaths[],
  newDoc: readonly Int32Array[],
  docCount: number,
): Deaths {
  const entries: { doc: number; commit: number }[] = [];
  let base: Uint32Array | undefined;
  logs.forEach((log, input) => {
    const map = newDoc[input]!;
    for (let i = 0; i < log.count; i++) {
      const doc = map[log.doc(i)]!;
      if (doc >= 0) entries.push({ doc, commit: log.commit(i) });
    }
    const old = log.base;
    if (old === undefined) return;
    for (let doc = 0; doc < map.length; doc++) {
      if (map[doc]! < 0 || ((old[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
      base ??= new Uint32Array(wordsFor(docCount));
      setBit(base, map[doc]!);
    }
  });
  entries.sort((a, b) => a.commit - b.commit);
  const merged = new Deaths(docCount, base);
  for (const { doc, commit } of entries) merged.append(doc, commit);
  return merged;
}
