// The common part of `nested` and `reverse_nested`: the documents of a bucket are replaced by others, which lie
// in other leaves. Documents are kept until all have come, because a level can enter another leaf only between
// batches.

import type { AggregationResult } from '../../../api.ts';
import type { Steps } from '../../../query/steps.ts';
import { CHUNK_DOCS, type LeafView } from '../../../segment/leaf.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../../collect/aggregator.ts';
import { DocCounts } from '../../collect/counts.ts';
import { DeferredDocs } from '../../collect/deferred-docs.ts';
import type { AggregationPlace } from '../../kind.ts';

/** A single bucket per bucket above, with other documents. */
export abstract class MovedDocs implements Aggregator {
  protected readonly place: AggregationPlace;
  readonly #counts = new DocCounts();
  readonly #docs: DeferredDocs;
  #leaf: AggregationLeaf | undefined;
  /** Places by the uid of leaves. */
  readonly #places = new Map<number, number>();
  #entered: AggregationLeaf | undefined;

  constructor(place: AggregationPlace) {
    this.place = place;
    this.#docs = new DeferredDocs(place.context, place.subs.needsScores);
  }

  get needsScores(): boolean {
    return this.place.subs.needsScores;
  }

  *prepare(): Steps<void> {
    yield* this.place.subs.prepare();
  }

  enter(leaf: AggregationLeaf): void {
    this.#docs.enter(leaf);
  }

  collect({ docs, buckets, count }: AggregationBatch): void {
    for (let i = 0; i < count; i++) this.#docs.add(docs[i]!, buckets[i]!);
  }

  *finish(): Steps<void> {
    yield* this.#docs.replay({
      enter: (leaf) => {
        this.#leaf = leaf;
      },
      collect: (batch) => this.move(this.#leaf!, batch),
    });
  }

  /** Replaces the documents of a batch: enters their leaves, and emits them. */
  protected abstract move(leaf: AggregationLeaf, batch: AggregationBatch): Steps<void>;

  /** The documents emitted next lie in this leaf. */
  protected *enterLeaf(view: LeafView, indexPlace: number): Steps<void> {
    const { leaf } = view;
    if (this.#entered?.leaf === leaf) return;
    const { subs, within } = this.place;
    const place = this.#places.get(leaf.uid) ?? this.#places.size;
    this.#places.set(leaf.uid, place);
    const scores = subs.needsScores ? new Float64Array(CHUNK_DOCS) : undefined;
    this.#entered = { leaf, view, index: within.views[indexPlace]!, indexPlace, place, scores };
    yield* subs.enter(this.#entered);
  }

  /** Passes a document on. REQUIRES: its leaf is entered; `flush` follows the last one of a leaf or chunk. */
  protected emit(doc: number, bucket: number, score: number | undefined): void {
    this.#counts.add(bucket);
    const { scores } = this.#entered!;
    if (scores !== undefined && score !== undefined) scores[doc % CHUNK_DOCS] = score;
    this.place.subs.add(doc, bucket);
  }

  protected flush(): void {
    this.place.context.beginBatch();
    this.place.subs.flush();
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { type, meta, subs } = this.place;
    const aggregations = yield* subs.results(bucket);
    return { shape: 'bucket', typeName: type, meta, docCount: this.#counts.of(bucket), aggregations };
  }

  number(bucket: number, path: readonly string[], key: string): number | undefined {
    if (path.length > 0) return this.place.subs.number(bucket, path, key);
    return key === '' || key === 'doc_count' || key === '_count' ? this.#counts.of(bucket) : undefined;
  }
}
