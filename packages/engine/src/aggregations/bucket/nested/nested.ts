// `nested`: the objects at a nested path of the documents of each bucket.

import type { AggregationResult } from '../../../api.ts';
import { EngineError } from '../../../errors.ts';
import type { JsonObject } from '../../../json/value.ts';
import { lowerBound } from '../../../kernels/sorted-search.ts';
import { jsonToken } from '../../../query/parameters.ts';
import type { Steps } from '../../../query/steps.ts';
import { CHUNK_DOCS } from '../../../segment/leaf.ts';
import {
  type AggregationBatch,
  type AggregationLeaf,
  BATCH_DOCS,
  NO_BUCKET,
} from '../../collect/aggregator.ts';
import type { AggregationKind } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { MovedDocs } from './moved-docs.ts';

class Nested extends MovedDocs {
  // Where no index has such objects, there are no buckets below.
  override result(bucket: number): Steps<AggregationResult> {
    return super.result(this.place.within.hasObjects ? bucket : NO_BUCKET);
  }

  protected *move(from: AggregationLeaf, { docs, buckets, count }: AggregationBatch): Steps<void> {
    const { indexPlace, scores } = from;
    const objects = this.place.within.entered?.objects[indexPlace];
    if (objects === undefined || count === 0) return;
    const first = docs[0]!;
    const last = docs[count - 1]!;
    for (const joined of objects.join(from.leaf)) {
      const { parents, base } = joined;
      if (parents[joined.to - 1]! - base < first || parents[joined.from]! - base > last) continue;
      yield* this.enterLeaf(objects.view(joined.leaf), indexPlace);
      let left = BATCH_DOCS;
      for (let i = 0; i < count; i++) {
        const doc = docs[i]!;
        const start = lowerBound(parents, joined.from, joined.to, doc + base);
        for (let object = start; object < joined.to && parents[object] === doc + base; object++) {
          this.emit(object, buckets[i]!, scores?.[doc % CHUNK_DOCS]);
          if (--left > 0) continue;
          left = BATCH_DOCS;
          this.flush();
          yield;
        }
      }
      this.flush();
      yield;
    }
  }
}

/** The error for a member that the peer does not know here. */
export function unexpected(aggregation: string, body: JsonObject): (member: string) => EngineError {
  return (member) =>
    new EngineError('parsing_exception', `Unexpected token ${jsonToken(body[member]!)} in [${aggregation}].`);
}

export const NESTED: AggregationKind<{ readonly path: string }> = {
  role: 'bucket',
  name: 'nested',
  parse: (body, name) => {
    const members = new Members('nested', body);
    const path = members.text('path');
    members.end(unexpected(name, body));
    if (path === undefined)
      throw new EngineError('parsing_exception', `Missing [path] field for nested aggregation [${name}]`);
    return { path };
  },
  within: ({ path }, context) => context.enter(path),
  create: (_options, place) => new Nested(place),
};
