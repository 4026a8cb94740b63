// Sums of source lengths of an index. Documents never change, so the sum of a range is kept, and a snapshot
// that sees more or fewer documents adds or subtracts the difference. Monitoring asks for it every few
// seconds.

import type { DocumentRangeTable } from '../../segment/leaf.ts';

interface Sum {
  count: number;
  bytes: number;
}

/** Sums of source lengths by range; dropped with their ranges. */
export class SourceBytes {
  readonly #sums = new WeakMap<DocumentRangeTable, Sum>();

  /** The sum of the first `count` documents. O(documents between this count and the last one). */
  ofFirst(docs: DocumentRangeTable, count: number): number {
    let sum = this.#sums.get(docs);
    if (sum === undefined) this.#sums.set(docs, (sum = { count: 0, bytes: 0 }));
    let { bytes } = sum;
    for (let doc = sum.count; doc < count; doc++) bytes += docs.sourceLength(doc);
    for (let doc = count; doc < sum.count; doc++) bytes -= docs.sourceLength(doc);
    sum.count = count;
    sum.bytes = bytes;
    return bytes;
  }
}
