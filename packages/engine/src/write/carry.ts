// What happens to deaths when leaves are replaced by another? They move over, in commit order.

import type { Leaf, Run } from '../segment/leaf.ts';

/**
 * Appends the deaths of the inputs to the leaf that replaces them. `newDoc[i][doc]` is the document's new number (-1
 * when it was left out); without it documents keep their places one leaf after the other.
 */
export function carryDeaths(
  inputs: readonly Run[],
  newDoc: readonly Int32Array[] | undefined,
  target: Leaf,
): void {
  const docs: number[] = [];
  const commits: number[] = [];
  let base = 0;
  inputs.forEach((leaf, i) => {
    for (let entry = 0; entry < leaf.deaths.count; entry++) {
      const doc = leaf.deaths.doc(entry);
      const to = newDoc === undefined ? base + doc : newDoc[i]![doc]!;
      if (to < 0) continue;
      docs.push(to);
      commits.push(leaf.deaths.commit(entry));
    }
    base += leaf.docCount;
  });
  const order = commits.map((_, i) => i).sort((a, b) => commits[a]! - commits[b]!);
  for (const i of order) target.deaths.append(docs[i]!, commits[i]!);
}
