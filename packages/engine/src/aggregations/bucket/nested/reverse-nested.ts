// `reverse_nested`: the documents that the objects of each bucket are part of, or the objects around them.

import { illegalArgument } from '../../../errors.ts';
import type { Steps } from '../../../query/steps.ts';
import { CHUNK_DOCS } from '../../../segment/leaf.ts';
import type { AggregationBatch, AggregationLeaf } from '../../collect/aggregator.ts';
import type { AggregationKind } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { MovedDocs } from './moved-docs.ts';
import { unexpected } from './nested.ts';

class ReverseNested extends MovedDocs {
  /** By bucket: what came last. Objects of one document come together, and count once. */
  readonly #last = new Map<number, number>();
  #of: AggregationLeaf['leaf'] | undefined;

  protected *move(from: AggregationLeaf, { docs, buckets, count }: AggregationBatch): Steps<void> {
    const path = this.place.within.entered?.path ?? '';
    const around = from.index.nested?.around(from.leaf, path);
    if (around === undefined) return;
    const { numbers, leaves } = around;
    if (this.#of !== leaves[0]?.view.leaf) this.#last.clear();
    this.#of = leaves[0]?.view.leaf;
    for (let i = 0, at = 0; i < count; at++) {
      const { view, first } = leaves[at]!;
      const end = first + view.leaf.docCount;
      if (numbers[docs[i]!]! >= end) continue;
      yield* this.enterLeaf(view, from.indexPlace);
      let chunk = -1;
      for (; i < count && numbers[docs[i]!]! < end; i++) {
        const number = numbers[docs[i]!]!;
        const bucket = buckets[i]!;
        if (this.#last.get(bucket) === number) continue;
        this.#last.set(bucket, number);
        // A batch is of one chunk.
        const own = Math.floor((number - first) / CHUNK_DOCS);
        if (own !== chunk) this.flush();
        chunk = own;
        this.emit(number - first, bucket, from.scores?.[docs[i]! % CHUNK_DOCS]);
      }
      this.flush();
      yield;
    }
  }
}

export const REVERSE_NESTED: AggregationKind<{ readonly path: string }> = {
  role: 'bucket',
  name: 'reverse_nested',
  parse: (body, name) => {
    const members = new Members('reverse_nested', body);
    const path = members.text('path') ?? '';
    members.end(unexpected(name, body));
    return { path };
  },
  within: ({ path }, context, name) => {
    if (context.entered === undefined)
      throw illegalArgument(
        `Reverse nested aggregation [${name}] can only be used inside a [nested] aggregation`,
      );
    return context.leave(path);
  },
  create: (_options, place) => new ReverseNested(place),
};
