// An aggregation over values that scripts compute. Its documents are kept while they are collected. Behind the last leaf the
// scripts run on them in steps, their values become columns, and the aggregation collects the documents as it does with a
// field. So no kind of aggregation knows of scripts.

import type { AggregationResult } from '../../api.ts';
import type { JsonValue } from '../../json/value.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import type { Steps } from '../../query/steps.ts';
import { SearchMeter } from '../../scripts/documents/search-meter.ts';
import { type ComputedKind, ValueScript } from '../../scripts/documents/value-script.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../collect/aggregator.ts';
import type { AggregationContext } from '../collect/context.ts';
import { DeferredDocs } from '../collect/deferred-docs.ts';
import { SubAggregators } from '../collect/sub-aggregators.ts';
import { fieldsOf, isBytes, isDateKind } from '../values/fields.ts';
import type { ComputedField } from './computed-fields.ts';
import { type ComputedLeaf, computedField, numberColumn, textColumn, withComputed } from './computed-leaf.ts';

/** Bytes of a value that is kept: an object in a list, and its place in the column. */
const VALUE_BYTES = 64;

/** The computed fields of one aggregation, over the indices of a search. */
export class ComputedFields {
  /** The context of the aggregation, in which the fields are mapped. */
  readonly context: AggregationContext;
  readonly #outer: AggregationContext;
  readonly #fields: readonly (ComputedField & {
    readonly kind: ComputedKind;
    readonly compiled: ValueScript;
  })[];
  readonly #places = new Map<AggregationLeaf['leaf'], { readonly view: AggregationLeaf['view'] }>();
  readonly #originals = new WeakMap<AggregationLeaf, AggregationLeaf>();

  /** Throws script_exception for scripts that do not compile. */
  constructor(fields: readonly ComputedField[], outer: AggregationContext) {
    this.#outer = outer;
    const mapped = new Map<string, FieldType>();
    this.#fields = fields.map((field) => {
      const own = field.field === undefined ? undefined : valuesOf(field.field, outer);
      const kind = field.kind ?? own?.kind ?? 'double';
      mapped.set(field.path, computedField(field.path, kind, own?.format));
      return { ...field, kind, compiled: new ValueScript(field.script, field.field, outer.now) };
    });
    const views = outer.views.map((view) => withComputed(view, mapped));
    for (const [i, view] of outer.views.entries())
      for (const [k, { leaf }] of view.leaves.entries())
        this.#places.set(leaf, { view: views[i]!.leaves[k]! });
    this.context = outer.over(views);
  }

  get needsScores(): boolean {
    return this.#fields.some(({ compiled }) => compiled.reads('_score'));
  }

  /** The leaf with the computed columns. */
  enter(leaf: AggregationLeaf): AggregationLeaf {
    const { view } = this.#places.get(leaf.leaf)!;
    const index = this.context.views[leaf.indexPlace]!;
    const entered = { ...leaf, leaf: view.leaf, view, index };
    this.#originals.set(entered, leaf);
    return entered;
  }

  /** The level below reads the leaves as they are. */
  below(subs: SubAggregators): SubAggregators {
    const originals = this.#originals;
    return new (class extends SubAggregators {
      override *enter(leaf: AggregationLeaf): Steps<void> {
        yield* subs.enter(originals.get(leaf) ?? leaf);
      }
    })(subs.list, this.#outer);
  }

  /** Runs the scripts on documents of a leaf, which ascend. */
  *compute(leaf: AggregationLeaf, docs: readonly number[], scores: readonly number[]): Steps<void> {
    const { hits } = this.#outer;
    const { columns, docCount } = this.#places.get(leaf.leaf)!.view.leaf as ComputedLeaf;
    for (const { path, kind, compiled } of this.#fields) {
      const meter = new SearchMeter();
      const readSource = compiled.reads('_source') ? (doc: number) => hits.source(leaf, doc) : undefined;
      const { mapping } = leaf.index;
      if (kind === 'keyword') {
        const texts = compiled.texts(mapping, leaf.leaf, meter, readSource);
        columns.set(path, yield* textColumn(docCount, docs, yield* this.#run(texts, docs, scores, meter)));
      } else {
        const keys = compiled.keys(kind, mapping, leaf.leaf, meter, readSource);
        columns.set(path, yield* numberColumn(docCount, docs, yield* this.#run(keys, docs, scores, meter)));
      }
    }
  }

  *#run<T>(
    valuesOf: (doc: number, score: number) => readonly T[],
    docs: readonly number[],
    scores: readonly number[],
    meter: SearchMeter,
  ): Steps<(readonly T[])[]> {
    const all: (readonly T[])[] = [];
    for (const [i, doc] of docs.entries()) {
      const values = valuesOf(doc, scores[i] ?? 0);
      let bytes = 16 + VALUE_BYTES * values.length;
      for (const value of values) if (typeof value === 'string') bytes += 2 * value.length;
      this.#outer.claimBytes(bytes);
      all.push(values);
      if (meter.isDue()) yield;
    }
    return all;
  }
}

/** What a script makes of the values of a field, with the format that these have. Throws where they cannot be read. */
function valuesOf(path: string, { views }: AggregationContext): { kind: ComputedKind; format?: JsonValue } {
  const field = fieldsOf(path, views).find((each) => each !== undefined);
  if (field === undefined) return { kind: 'double' };
  if (field.kind === 'boolean') return { kind: 'boolean' };
  if (!isDateKind(field.kind)) return { kind: isBytes(field) ? 'keyword' : 'double' };
  const { format } = field.params;
  return { kind: 'date', ...(format === undefined ? {} : { format }) };
}

/** Defers the documents of an aggregator until their values are computed. */
export class ComputedAggregator implements Aggregator {
  readonly needsScores: boolean;
  readonly #fields: ComputedFields;
  readonly #inner: Aggregator;
  readonly #docs: DeferredDocs;

  constructor(fields: ComputedFields, inner: Aggregator, context: AggregationContext) {
    this.#fields = fields;
    this.#inner = inner;
    this.needsScores = fields.needsScores || inner.needsScores === true;
    this.#docs = new DeferredDocs(context, this.needsScores);
  }

  enter(leaf: AggregationLeaf): void {
    this.#docs.enter(leaf);
  }

  collect({ docs, buckets, count }: AggregationBatch): void {
    for (let i = 0; i < count; i++) this.#docs.add(docs[i]!, buckets[i]!);
  }

  *finish(): Steps<void> {
    yield* this.#compute();
    if (this.#inner.prepare !== undefined) yield* this.#inner.prepare();
    const { enter, collect } = this.#inner;
    yield* this.#docs.replay({
      enter: (leaf) => enter.call(this.#inner, this.#fields.enter(leaf)),
      collect: (batch) => collect.call(this.#inner, batch),
    });
    if (this.#inner.finish !== undefined) yield* this.#inner.finish();
  }

  /** Computes the values of all documents before the first is collected: terms are numbered over all leaves. */
  *#compute(): Steps<void> {
    let current: AggregationLeaf | undefined;
    let docs: number[] = [];
    let scores: number[] = [];
    const fields = this.#fields;
    const end = function* (): Steps<void> {
      if (current !== undefined) yield* fields.compute(current, docs, scores);
    };
    yield* this.#docs.replay({
      *enter(leaf) {
        yield* end();
        [current, docs, scores] = [leaf, [], []];
      },
      collect: (batch) => {
        for (let i = 0; i < batch.count; i++) {
          const doc = batch.docs[i]!;
          if (docs.at(-1) === doc) continue;
          docs.push(doc);
          scores.push(Math.fround(current!.scores?.[doc & 0xffff] ?? 0));
        }
      },
    });
    yield* end();
  }

  result(bucket: number): Steps<AggregationResult> | AggregationResult {
    return this.#inner.result(bucket);
  }

  number(bucket: number, path: readonly string[], key: string): number | undefined {
    return this.#inner.number?.(bucket, path, key);
  }
}
