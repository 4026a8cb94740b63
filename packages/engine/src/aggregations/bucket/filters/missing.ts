// `missing`: the documents without a value of a field.

import type { FieldType } from '../../../mapping/types/type.ts';
import type { Steps } from '../../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf } from '../../collect/aggregator.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../../request/values-spec.ts';
import { fieldsOf } from '../../values/fields.ts';
import { SingleBucket } from '../single-bucket.ts';

class Missing extends SingleBucket {
  readonly #fields: readonly (FieldType | undefined)[];
  readonly #hasDefault: boolean;
  #present: Uint32Array | undefined;

  constructor(spec: ValuesSpec, place: AggregationPlace) {
    super('missing', place);
    this.#fields = fieldsOf(spec.field, place.context.views);
    this.#hasDefault = spec.missing !== undefined;
  }

  override *enter(leaf: AggregationLeaf): Steps<void> {
    const path = this.#fields[leaf.indexPlace]?.path;
    this.#present =
      path === undefined ? undefined : (leaf.leaf.column(path)?.present ?? leaf.leaf.present(path));
    yield* super.enter(leaf);
  }

  protected keep({ docs, buckets, count }: AggregationBatch, kept: AggregationBatch): void {
    const present = this.#present;
    let n = 0;
    for (let i = 0; i < count && !this.#hasDefault; i++) {
      const doc = docs[i]!;
      if (present !== undefined && ((present[doc >>> 5]! >>> (doc & 31)) & 1) !== 0) continue;
      kept.docs[n] = doc;
      kept.buckets[n++] = buckets[i]!;
    }
    kept.count = n;
  }
}

export const MISSING: AggregationKind<ValuesSpec> = {
  role: 'bucket',
  name: 'missing',
  parse: (body) => {
    const members = new Members('missing', body);
    const spec = readValuesSpec(members);
    members.end();
    return spec;
  },
  create: (spec, place) => new Missing(spec, place),
};
