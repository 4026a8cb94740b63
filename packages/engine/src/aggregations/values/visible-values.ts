// The values of a field that any document of the indices has, whatever the query: for buckets without documents.
// Values of deleted documents, and of those that the filter of an index hides, do not count.

import { andInto, hasBit, setBit } from '../../kernels/bits.ts';
import { chunkDocs, listDocs } from '../../query/node/chunk-docs.ts';
import { newBits } from '../../query/node/node.ts';
import { parseQuery } from '../../query/parse.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import { planInSteps } from '../../query/plan-query.ts';
import { compileInSteps, type Steps } from '../../query/steps.ts';
import { CHUNK_DOCS, CHUNK_WORDS, type LeafView } from '../../segment/leaf.ts';
import { liveDocs } from '../../segment/live-docs.ts';
import { type AggregationBatch, type AggregationLeaf, BATCH_DOCS, newBatch } from '../collect/aggregator.ts';
import type { AggregationContext } from '../collect/context.ts';
import type { NumericSource } from './numeric-source.ts';
import type { OrdinalSource } from './ordinal-source.ts';

/** A flag for each number of a term. */
export function* visibleOrdinals(source: OrdinalSource, context: AggregationContext): Steps<Uint8Array> {
  const found = new Uint8Array(source.count);
  yield* scanVisible(context, {
    enter: (leaf) => source.enter(leaf),
    collect: (batch) => {
      const { ordinals, count } = source.rows(batch);
      for (let i = 0; i < count; i++) found[ordinals[i]!] = 1;
    },
  });
  return found;
}

/** Calls `add` with the key of each value, repeatedly where several documents have it. */
export function* visibleKeys(
  source: NumericSource,
  context: AggregationContext,
  add: (hi: number, lo: number) => void,
): Steps<void> {
  yield* scanVisible(context, {
    enter: (leaf) => source.enter(leaf),
    collect: (batch) => {
      const { hi, lo, count } = source.keyRows(batch);
      for (let i = 0; i < count; i++) add(hi[i]!, lo[i]!);
    },
  });
}

/** Receives documents leaf by leaf. */
interface DocumentScan {
  enter(leaf: AggregationLeaf): Steps<void> | void;
  /** May change the batch. */
  collect(batch: AggregationBatch): void;
}

/** Passes all documents that can be seen on, in batches of one chunk, all in bucket 0. */
export function* scanVisible(context: AggregationContext, { enter, collect }: DocumentScan): Steps<void> {
  const bits = new Uint32Array(CHUNK_WORDS);
  const batch = newBatch();
  for (const [indexPlace, index] of context.views.entries()) {
    const visible = yield* visibilityOf(context, indexPlace);
    for (const view of index.leaves) {
      const { leaf } = view;
      const steps = enter({ leaf, view, index, indexPlace, place: 0, scores: undefined });
      if (steps !== undefined) yield* steps;
      const mask = yield* visible(view);
      for (let chunk = 0; chunk * CHUNK_DOCS < view.docCount; chunk++) {
        mask(chunk, bits);
        const docs = chunkDocs.slice(0, listDocs(bits));
        for (let from = 0; from < docs.length; from += BATCH_DOCS) {
          batch.count = Math.min(BATCH_DOCS, docs.length - from);
          for (let i = 0; i < batch.count; i++) batch.docs[i] = chunk * CHUNK_DOCS + docs[from + i]!;
          collect(batch);
          yield;
        }
      }
    }
  }
}

/** Overwrites a bitmap with the documents of a chunk that can be seen. */
type Visibility = (view: LeafView) => Steps<(chunk: number, bits: Uint32Array) => void>;

function* visibilityOf(context: AggregationContext, indexPlace: number): Steps<Visibility> {
  const { views, request, now, limits, compat, entered } = context;
  const index = views[indexPlace]!;
  if (entered !== undefined) {
    return objectsOf(index, yield* visibilityOf(context.documents, indexPlace));
  }
  const filter = request.filters?.get(index.name);
  const plan =
    filter === undefined
      ? undefined
      : yield* planInSteps(parseQuery(filter, limits), index, { now, limits, compat, scores: false });
  return function* (view) {
    const matcher = plan === undefined ? undefined : yield* compileInSteps(plan, view.leaf);
    const live = newBits();
    return (chunk, bits) => {
      liveDocs(view, chunk, live);
      if (matcher === undefined) bits.set(live);
      else matcher.match(chunk, bits, live);
      andInto(bits, live);
    };
  };
}

/** Objects are visible where their documents are. */
function objectsOf(index: IndexView, documents: Visibility): Visibility {
  return function* (view) {
    const { numbers, leaves } = index.nested!.around(view.leaf, '')!;
    const outer = leaves[0]!.view;
    const mask = yield* documents(outer);
    const bits = newBits();
    const visible = newBits();
    let chunk = -1;
    for (let object = 0; object < view.docCount; object++) {
      const document = numbers[object]!;
      if (Math.floor(document / CHUNK_DOCS) !== chunk) {
        chunk = Math.floor(document / CHUNK_DOCS);
        mask(chunk, bits);
        yield;
      }
      if (hasBit(bits, document % CHUNK_DOCS)) setBit(visible, object);
    }
    // A leaf of objects is one chunk.
    return (_, into) => into.set(visible);
  };
}
