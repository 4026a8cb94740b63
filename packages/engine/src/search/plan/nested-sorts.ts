// The values of nested objects that a sort names, gathered for the documents that the objects are part of.

import { EngineError, illegalArgument } from '../../errors.ts';
import { hasBit, setBit, wordsFor } from '../../kernels/bits.ts';
import type { Key64 } from '../../mapping/types/type.ts';
import type { NestedAccess, NestedView } from '../../nested/view-objects.ts';
import type { ComputedColumns, SortColumn } from '../../order/order-spec.ts';
import { type Plan, testsDocuments } from '../../query/matcher.ts';
import { newBits } from '../../query/node/node.ts';
import { parseQuery } from '../../query/parse.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import { planInSteps } from '../../query/plan-query.ts';
import { compileInSteps, type Steps } from '../../query/steps.ts';
import type { Column, Leaf } from '../../segment/leaf.ts';
import type { NestedSort } from '../request/parse-sort.ts';
import type { SearchServices } from '../services.ts';
import { gathered, numericColumn, termsColumn } from './gathered-columns.ts';

/** One level of objects whose values count. */
interface Level {
  readonly objects: NestedView;
  /** Undefined where all count. */
  readonly filter: Plan | undefined;
  readonly maxChildren: number;
}

/** Gathers the values of a nested sort for one view. Throws where a path is not nested. */
export function* gatherNested(
  path: string,
  sort: NestedSort,
  view: IndexView,
  now: number,
  services: SearchServices,
): Steps<ComputedColumns> {
  const levels = yield* levelsOf(sort, view, now, services);
  return yield* gather(path, levels, view, services);
}

function* levelsOf(
  sort: NestedSort,
  view: IndexView,
  now: number,
  { limits, compat }: SearchServices,
): Steps<Level[]> {
  const levels: Level[] = [];
  let nested: NestedAccess | undefined = view.nested;
  for (let at: NestedSort | undefined = sort; at !== undefined; at = at.inner) {
    const { path, filter, maxChildren } = at;
    const isWithin = nested !== undefined && (nested.path === '' || path.startsWith(`${nested.path}.`));
    if (!view.mapping.isNested(path) || !isWithin) {
      throw new EngineError(
        'query_shard_exception',
        `[nested] failed to find nested object under path [${path}]`,
        { details: { index: view.name, index_uuid: view.uuid } },
      );
    }
    const objects: NestedView = yield* nested!.enter(path);
    nested = objects.inner;
    const within = { ...view, leaves: objects.leaves, nested, statistics: undefined };
    const context = { now, limits: limits.query, compat, scores: false };
    const plan =
      filter === undefined
        ? undefined
        : yield* planInSteps(parseQuery(filter, limits.query), within, context);
    if (plan !== undefined && testsDocuments(plan))
      throw illegalArgument('the [filter] of a nested sort must not have scripts; filter by a field');
    levels.push({ objects, filter: plan, maxChildren });
  }
  return levels;
}

/** The columns of all leaves of a view. */
function* gather(
  path: string,
  levels: readonly Level[],
  view: IndexView,
  { caches }: SearchServices,
): Steps<ComputedColumns> {
  const key = levels
    .map(({ objects, filter, maxChildren }) => `${objects.path}:${maxChildren}:${filter?.key ?? ''}`)
    .join('>');
  const columns = new Map<Leaf, SortColumn | undefined>();
  for (const { leaf } of view.leaves) {
    const name = `${leaf.uid}|${JSON.stringify(path)}|${key}`;
    columns.set(leaf, yield* caches.objects.column(name, () => gatherLeaf(path, leaf, levels)));
  }
  return gathered(key, columns);
}

/** A value: an object's column with the place of the value in it. */
interface Value {
  readonly column: Column;
  readonly at: number;
}

/** The values of the documents of one leaf. */
function* gatherLeaf(path: string, leaf: Leaf, levels: readonly Level[]): Steps<SortColumn | undefined> {
  const found = new Map<number, Value[]>();
  yield* visit(leaf, levels, (objects, object, document) => {
    const column = objects.column(path);
    if (column === undefined || !hasBit(column.present, object)) return false;
    const { starts } = column;
    const start = starts === undefined ? object : starts[object]!;
    const end = starts === undefined ? object + 1 : starts[object + 1]!;
    let own = found.get(document);
    if (own === undefined) found.set(document, (own = []));
    for (let at = start; at < end; at++) own.push({ column, at });
    return true;
  });
  if (found.size === 0) return undefined;
  yield;
  const [{ column }] = found.values().next().value as [Value];
  if (column.kind === 'numeric')
    return yield* numericColumn(leaf.docCount, (doc) => (found.get(doc) ?? []).flatMap(keyAt));
  const present = new Uint32Array(wordsFor(leaf.docCount));
  const starts = new Uint32Array(leaf.docCount + 1);
  for (let doc = 0; doc < leaf.docCount; doc++) {
    const own = found.get(doc);
    if (own !== undefined) setBit(present, doc);
    starts[doc + 1] = starts[doc]! + (own?.length ?? 0);
  }
  yield;
  const lists = [...found].sort(([a], [b]) => a - b).map(([, own]) => own.flatMap(termAt));
  return yield* termsColumn(lists, starts, present);
}

function keyAt({ column, at }: Value): Key64[] {
  return column.kind === 'numeric' ? [{ hi: column.hi[at]!, lo: column.lo[at]! }] : [];
}

function termAt({ column, at }: Value): Uint8Array[] {
  return column.kind === 'ordinal' ? [column.terms.term(column.ordinals[at]!)] : [];
}

/** Objects between two yields. */
const STEP = 4_096;

/**
 * Calls `use` for each object of the innermost level that counts, with the document of `leaf` that it lies in, until
 * `maxChildren` of a document have had a value.
 */
function* visit(
  leaf: Leaf,
  [level, ...inner]: readonly Level[],
  use: (objects: Leaf, object: number, document: number) => boolean,
): Steps<void> {
  const { objects, filter, maxChildren } = level!;
  let document = -1;
  let count = 0;
  for (const { leaf: own, from, to, parents, base } of objects.join(leaf)) {
    const bits = filter === undefined ? undefined : newBits();
    if (bits !== undefined) (yield* compileInSteps(filter!, own)).match(0, bits);
    const counts = (object: number): boolean => bits === undefined || hasBit(bits, object);
    if (inner.length > 0) {
      yield* visit(own, inner, (objects, object, outer) => {
        const isCounted = outer >= from && outer < to && counts(outer);
        return isCounted && use(objects, object, parents[outer]! - base);
      });
      continue;
    }
    for (let object = from; object < to; object++) {
      if (object % STEP === 0) yield;
      if (parents[object]! - base !== document) {
        document = parents[object]! - base;
        count = 0;
      }
      if (count < maxChildren && counts(object) && use(own, object, document)) count++;
    }
  }
}
