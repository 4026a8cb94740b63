// The values of nested objects that a sort names, gathered for the documents that the objects are part of.

import type { SearchRequest } from '../../api.ts';
import { EngineError } from '../../errors.ts';
import { hasBit, setBit, wordsFor } from '../../kernels/bits.ts';
import { compareByteRanges } from '../../kernels/sorted-search.ts';
import type { NestedAccess, NestedView } from '../../nested/view-objects.ts';
import type { NestedColumns, SortColumn } from '../../order/order-spec.ts';
import type { Plan } from '../../query/matcher.ts';
import { newBits } from '../../query/node/node.ts';
import { parseQuery } from '../../query/parse.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import { planInSteps } from '../../query/plan-query.ts';
import { compileInSteps, type Steps } from '../../query/steps.ts';
import type { Column, Leaf } from '../../segment/leaf.ts';
import type { NestedSort, SortField } from '../request/parse-sort.ts';
import type { NestedSorts } from '../request/sortable.ts';
import type { SearchServices } from '../services.ts';

/** One level of objects whose values count. */
interface Level {
  readonly objects: NestedView;
  /** Undefined where all count. */
  readonly filter: Plan | undefined;
  readonly maxChildren: number;
}

/** Gathers the values of nested sorts, for each view. Throws where a path is not nested. */
export function* planNestedSorts(
  fields: readonly SortField[],
  views: readonly IndexView[],
  request: SearchRequest,
  services: SearchServices,
): Steps<readonly NestedSorts[]> {
  if (fields.every(({ nested }) => nested === undefined)) return [];
  const planned: NestedSorts[] = [];
  for (const view of views) {
    const columns = new Map<SortField, NestedColumns>();
    for (const field of fields) {
      if (field.nested === undefined) continue;
      const levels = yield* levelsOf(field.nested, view, request.now ?? services.now(), services);
      columns.set(field, yield* gather(field.field, levels, view, services));
    }
    planned.push(columns);
  }
  return planned;
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
): Steps<NestedColumns> {
  const key = levels
    .map(({ objects, filter, maxChildren }) => `${objects.path}:${maxChildren}:${filter?.key ?? ''}`)
    .join('>');
  const columns = new Map<Leaf, SortColumn | undefined>();
  for (const { leaf } of view.leaves) {
    const name = `${leaf.uid}|${JSON.stringify(path)}|${key}`;
    columns.set(leaf, yield* caches.objects.column(name, () => gatherLeaf(path, leaf, levels)));
  }
  return {
    key,
    column(leaf) {
      // Nothing found is kept for good, and so must never mean that nothing was looked for.
      if (!columns.has(leaf)) throw new RangeError('the values of another leaf were gathered');
      return columns.get(leaf);
    },
  };
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
  const present = new Uint32Array(wordsFor(leaf.docCount));
  const starts = new Uint32Array(leaf.docCount + 1);
  for (let doc = 0; doc < leaf.docCount; doc++) {
    const own = found.get(doc);
    if (own !== undefined) setBit(present, doc);
    starts[doc + 1] = starts[doc]! + (own?.length ?? 0);
  }
  yield;
  const lists = [...found].sort(([a], [b]) => a - b).map(([, own]) => own);
  const [{ column }] = lists[0]! as [Value];
  return column.kind === 'numeric'
    ? yield* numbers(lists, starts, present)
    : yield* terms(lists, starts, present);
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

function* numbers(
  lists: readonly Value[][],
  starts: Uint32Array,
  present: Uint32Array,
): Steps<SortColumn | undefined> {
  const total = starts.at(-1)!;
  const hi = new Uint32Array(total);
  const lo = new Uint32Array(total);
  let n = 0;
  for (const list of lists) {
    const keys = list.flatMap(({ column, at }) =>
      column.kind === 'numeric' ? [{ hi: column.hi[at]!, lo: column.lo[at]! }] : [],
    );
    keys.sort((a, b) => a.hi - b.hi || a.lo - b.lo);
    for (const key of keys) {
      hi[n] = key.hi;
      lo[n++] = key.lo;
    }
    if (n % STEP === 0) yield;
  }
  return { kind: 'numeric', starts, hi, lo, present };
}

function* terms(
  lists: readonly Value[][],
  starts: Uint32Array,
  present: Uint32Array,
): Steps<SortColumn | undefined> {
  const byText = new Map<string, Uint8Array>();
  const texts = lists.map((list) =>
    list.flatMap(({ column, at }) => {
      if (column.kind !== 'ordinal') return [];
      const bytes = column.terms.term(column.ordinals[at]!);
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
      byText.set(text, bytes);
      return [text];
    }),
  );
  yield;
  const sorted = [...byText].sort(([, a], [, b]) => compareByteRanges(a, 0, a.length, b, 0, b.length));
  yield;
  const places = new Map(sorted.map(([text], place) => [text, place] as const));
  const list = sorted.map(([, bytes]) => bytes.slice());
  const ordinals = new Uint32Array(starts.at(-1)!);
  let n = 0;
  for (const own of texts)
    for (const place of own.map((text) => places.get(text)!).sort((a, b) => a - b)) ordinals[n++] = place;
  const dictionary = { count: list.length, sorted: true, term: (place: number) => list[place]! };
  return { kind: 'ordinal', starts, ordinals, terms: dictionary, present };
}
