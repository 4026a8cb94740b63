// How long are the sources of an index together? Documents never change, so what a run of them comes to is summed up once; a
// snapshot that sees more of it, or less, adds or takes away the difference. Asked for by whoever watches, every few seconds.

import type { DocumentRunTable } from '../../segment/leaf.ts';

interface Sum {
  count: number;
  bytes: number;
}

/** Sums of source lengths by run. They go with their runs. */
export class SourceBytes {
  readonly #sums = new WeakMap<DocumentRunTable, Sum>();

  /** Of the first `count` documents. O(documents between this and the last count that was asked for). */
  ofFirst(docs: DocumentRunTable, count: number): number {
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
