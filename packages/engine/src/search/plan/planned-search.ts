// Plans a search: resolves its sort, its query and its `collapse` against the mappings of the indices. The result decides how
// the page is found (find-page.ts).

import type { SearchRequest } from '../../api.ts';
import { type OrderSpec, orderSpec } from '../../order/order-spec.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { Deadline, SearchSteps } from '../deadline.ts';
import { type LeafTask, leafTasks } from '../leaf-task.ts';
import { collapseFields } from '../request/collapse-fields.ts';
import { parseSort, type SortField } from '../request/parse-sort.ts';
import { resolveSort, type Sortable } from '../request/sortable.ts';
import type { SearchServices } from '../services.ts';
import { computeSorts, readsScores } from './computed-sorts.ts';
import { type PlannedQuery, planAll } from './plan-memo.ts';

/** A request, planned for the indices that it searches. */
export interface PlannedSearch {
  readonly request: SearchRequest;
  readonly views: readonly IndexView[];
  readonly tasks: readonly LeafTask[];
  readonly fields: readonly SortField[];
  /** Per index, one per field. */
  readonly sort: readonly Sortable[][];
  /** Per index. */
  readonly specs: readonly OrderSpec[];
  /** Per index, the field whose values `collapse` groups by; undefined without it. */
  readonly collapsed: readonly (string | undefined)[] | undefined;
  readonly planned: PlannedQuery;
  readonly needScores: boolean;
  readonly services: SearchServices;
  readonly deadline: Deadline;
}

/** The order of searches that ask for none. */
const BY_SCORE: OrderSpec = orderSpec([
  { kind: 'score', descending: true },
  { kind: 'position', descending: false },
]);

/** Plans a search. Throws the peer's errors for sorts and queries that do not fit the indices. */
export function* planSearch(
  views: readonly IndexView[],
  request: SearchRequest,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<PlannedSearch> {
  const { collapse, ignoreUnmapped } = request;
  const fields = parseSort(request.sort);
  const counting = request.size === 0;
  const needScores =
    request.minScore !== undefined ||
    (!counting && (sortsByScore(fields) || request.trackScores === true || fields.some(readsScore)));
  const planned = yield* planAll(views, request, services, needScores, deadline);
  const { plans, memoized } = planned;
  const computed = yield* computeSorts(fields, views, plans, request, services);
  const sort = views.length === 0 ? [] : resolveSort(fields, views, computed, ignoreUnmapped);
  const specs = sort.map((entries) =>
    entries.length > 0 ? orderSpec(entries.map((s) => s.entry)) : BY_SCORE,
  );
  const collapsed =
    collapse === undefined || views.length === 0
      ? undefined
      : collapseFields(collapse, views, ignoreUnmapped);
  const tasks =
    memoized === undefined ? leafTasks(views, plans) : (memoized.tasks ??= leafTasks(views, plans));
  return { request, views, tasks, fields, sort, specs, collapsed, planned, needScores, services, deadline };
}

function readsScore({ computed }: SortField): boolean {
  return computed?.by === 'script' && readsScores(computed.script.source);
}

/** Whether scores are part of the order. */
export function sortsByScore(fields: readonly SortField[]): boolean {
  return fields.length === 0 || fields.some((f) => f.field === '_score');
}
