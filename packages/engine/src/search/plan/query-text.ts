// The text by which two searches are known to find the same list: the query of each index, the mapping,
// settings and statistics it is read under, and the volatile inputs that planning has used.

import type { SearchRequest } from '../../api.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonObject } from '../../json/value.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { VolatileInputs } from '../../query/plan/volatile-inputs.ts';

/** Equal for equal queries over the same indices under the same mappings and settings. */
export function queryText(
  request: SearchRequest,
  views: readonly IndexView[],
  { asksNow, asksNames }: VolatileInputs,
  compat: string,
): string {
  const texts = views.map((view) => {
    const { uuid, mapping, settings, statistics, aliases } = view;
    const under = `${numberOf(mapping)}:${numberOf(settings)}:${statistics?.id ?? 0}`;
    const names = asksNames ? JSON.stringify(aliases) : '';
    return `${uuid}:${under}:${names}:${textOf(request, view)}`;
  });
  const slice = request.slice === undefined ? '' : JSON.stringify(request.slice);
  return `${compat}|${slice}|${asksNow ? request.now : ''}|${texts.join('\n')}`;
}

/** The query of one index, filters of aliases and the post filter included; undefined matches everything. */
export function indexQuery(request: SearchRequest, index: string): JsonObject | undefined {
  const filters = [request.filters?.get(index), request.postFilter].filter((f) => f !== undefined);
  if (filters.length === 0) return request.query;
  const must = request.query ?? { match_all: {} };
  // Not a bool of the queries themselves: if one were replaced by match_none, the mistakes of the others would not be told.
  const [own, ...others] = [must, ...filters].map((query) => ({ dis_max: { queries: [query] } }));
  return { bool: { must: [own!], filter: others } };
}

function textOf(request: SearchRequest, { name }: IndexView): string {
  return stringifyJson(indexQuery(request, name) ?? {});
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** A number of each object, the same for as long as the object lives. */
function numberOf(object: object): number {
  let number = numbers.get(object);
  if (number === undefined) numbers.set(object, (number = ++lastNumber));
  return number;
}
