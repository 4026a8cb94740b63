// The values of computed sorts: for each leaf a column of what a script or a distance gives for its documents.

import type { SearchRequest } from '../../api.ts';
import { illegalArgument } from '../../errors.ts';
import { hasBit, nextSetBit, setBit, wordsFor } from '../../kernels/bits.ts';
import { arcDistance, planeDistance } from '../../mapping/geo/geo-distance.ts';
import { latOf, lonOf } from '../../mapping/geo/geo-points.ts';
import { doubleKey } from '../../mapping/types/sortable-key.ts';
import type { ComputedColumns, SortColumn } from '../../order/order-spec.ts';
import type { Plan } from '../../query/matcher.ts';
import { borrowScores, newBits, returnScores } from '../../query/node/node.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import { compileInSteps, matchInSteps, type Steps, scoreInSteps } from '../../query/steps.ts';
import { NUMBER_SORT, STRING_SORT } from '../../scripts/documents/contexts.ts';
import { DocumentScript } from '../../scripts/documents/document-script.ts';
import { SearchMeter } from '../../scripts/documents/search-meter.ts';
import { CHUNK_DOCS, type Leaf, type LeafView } from '../../segment/leaf.ts';
import { liveDocs, maskLive } from '../../segment/live-docs.ts';
import type { DistanceSort, ScriptSort } from '../request/computed-sort.ts';
import type { SortField } from '../request/parse-sort.ts';
import type { ComputedSorts } from '../request/sortable.ts';
import type { SearchServices } from '../services.ts';
import { gathered, numericColumn, termsColumn } from './gathered-columns.ts';
import { gatherNested } from './nested-sorts.ts';

/** Documents between two yields. */
const STEP = 4_096;

/** Computes the values of sorts, for each view. `plans`: one for each view. Throws where they do not fit an index. */
export function* computeSorts(
  fields: readonly SortField[],
  views: readonly IndexView[],
  plans: readonly Plan[],
  request: SearchRequest,
  services: SearchServices,
): Steps<readonly ComputedSorts[]> {
  if (fields.every(({ nested, computed }) => nested === undefined && computed === undefined)) return [];
  const now = request.now ?? services.now();
  const all: ComputedSorts[] = [];
  for (const [i, view] of views.entries()) {
    const columns = new Map<SortField, ComputedColumns>();
    for (const field of fields) {
      if (field.nested !== undefined)
        columns.set(field, yield* gatherNested(field.field, field.nested, view, now, services));
      else if (field.computed?.by === 'distance')
        columns.set(field, yield* distances(field.computed, view, services));
      else if (field.computed !== undefined)
        columns.set(field, yield* scripted(field.computed, view, plans[i]!, now, services));
    }
    all.push(columns);
  }
  return all;
}

/** Distances of all documents: they are the same for all queries. */
function* distances(sort: DistanceSort, view: IndexView, { caches }: SearchServices): Steps<ComputedColumns> {
  const { path, points, unit, isPlane, ignoreUnmapped } = sort;
  const field = view.mapping.field(path);
  if (field === undefined && !ignoreUnmapped)
    throw illegalArgument(`failed to find mapper for [${path}] for geo distance based sort`);
  if (field !== undefined && field.kind !== 'geo_point')
    throw illegalArgument(
      `field [${path}] is of type [${field.kind}], but [_geo_distance] needs a [geo_point]`,
    );
  const measure = isPlane ? planeDistance : arcDistance;
  const key = `distance${JSON.stringify([field?.path, points, unit, isPlane])}`;
  const columns = new Map<Leaf, SortColumn | undefined>();
  for (const { leaf } of view.leaves) {
    const column = field === undefined ? undefined : leaf.column(field.path);
    if (column?.kind !== 'numeric') {
      columns.set(leaf, undefined);
      continue;
    }
    const { starts, present, hi, lo } = column;
    const make = (): Steps<SortColumn | undefined> =>
      numericColumn(leaf.docCount, (doc) => {
        if (!hasBit(present, doc)) return [];
        const [start, end] = starts === undefined ? [doc, doc + 1] : [starts[doc]!, starts[doc + 1]!];
        const found: number[] = [];
        for (let at = start; at < end; at++)
          for (const point of points) found.push(measure(point, latOf(hi[at]!), lonOf(lo[at]!)) / unit);
        return found.map(doubleKey);
      });
    columns.set(leaf, yield* caches.objects.column(`${leaf.uid}|${key}`, make));
  }
  return gathered(key, columns);
}

let runs = 0;

/** What a script gives for the documents that a plan matches: it is not run on others. */
function* scripted(
  { type, script: spec }: ScriptSort,
  view: IndexView,
  plan: Plan,
  now: number,
  services: SearchServices,
): Steps<ComputedColumns> {
  const context = type === 'number' ? NUMBER_SORT : STRING_SORT;
  const script = new DocumentScript<number | string>(spec, context, view.mapping, () => now);
  const readsScore = readsScores(spec.source);
  // Scores depend on more than the query: on boosts, and on the statistics of the moment.
  const isRepeatable = script.key !== undefined && !readsScore;
  const key = `${type}${script.key ?? ''}|${isRepeatable ? plan.key : ++runs}`;
  const columns = new Map<Leaf, SortColumn | undefined>();
  for (const leafView of view.leaves) {
    const { leaf, docCount, deathCount } = leafView;
    const make = (): Steps<SortColumn | undefined> => scriptColumn(script, type, leafView, plan, readsScore);
    const name = `${leaf.uid}|${docCount}|${deathCount}|${key}`;
    columns.set(leaf, isRepeatable ? yield* services.caches.objects.column(name, make) : yield* make());
  }
  const views = view.leaves.map(({ leaf, docCount, deathCount }) => [leaf.uid, docCount, deathCount]);
  return gathered(`${key}|${JSON.stringify(views)}`, columns);
}

/** Whether a script may read scores. */
export function readsScores(source: string): boolean {
  return source.includes('_score');
}

function* scriptColumn(
  script: DocumentScript<number | string>,
  type: ScriptSort['type'],
  view: LeafView,
  plan: Plan,
  readsScore: boolean,
): Steps<SortColumn | undefined> {
  const { leaf } = view;
  const values = new Map<number, number | string>();
  const matcher = yield* compileInSteps(plan, leaf);
  const meter = new SearchMeter();
  const run = script.forLeaf(leaf, meter);
  const live = newBits();
  const bits = newBits();
  for (let chunk = 0; chunk * CHUNK_DOCS < view.docCount; chunk++) {
    liveDocs(view, chunk, live);
    yield;
    if (!(yield* matchInSteps(matcher, chunk, bits, live))) continue;
    maskLive(view, chunk, bits);
    const scores = borrowScores();
    if (readsScore) yield* scoreInSteps(matcher, chunk, bits, scores);
    for (let doc = nextSetBit(bits, 0); doc >= 0; doc = nextSetBit(bits, doc + 1)) {
      values.set(chunk * CHUNK_DOCS + doc, run(chunk * CHUNK_DOCS + doc, Math.fround(scores[doc]!)));
      scores[doc] = 0;
      if (meter.isDue()) yield;
    }
    returnScores(scores);
  }
  if (values.size === 0) return undefined;
  if (type === 'string') return yield* textColumn(leaf.docCount, values as Map<number, string>);
  return yield* numericColumn(leaf.docCount, (doc) => {
    const value = values.get(doc);
    return value === undefined ? [] : [doubleKey(Number(value))];
  });
}

function* textColumn(docCount: number, values: ReadonlyMap<number, string>): Steps<SortColumn> {
  const encoder = new TextEncoder();
  const present = new Uint32Array(wordsFor(docCount));
  const starts = new Uint32Array(docCount + 1);
  for (let doc = 0; doc < docCount; doc++) {
    if (values.has(doc)) setBit(present, doc);
    starts[doc + 1] = starts[doc]! + (values.has(doc) ? 1 : 0);
    if (doc % STEP === 0) yield;
  }
  const lists = [...values].map(([, text]) => [encoder.encode(text)]);
  return yield* termsColumn(lists, starts, present);
}
