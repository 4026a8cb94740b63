// Are two searches the same, so that what one has found is what the other would? By the text of their queries, by the mappings
// that these are read under, and by what planning has asked for beside them.

import type { SearchRequest } from '../../api.ts';
import { stringifyJson } from '../../json/print.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { Passing } from '../../query/plan/volatile-inputs.ts';
import { queryOf } from '../leaf-task.ts';

/** Equal for equal queries over the same indices under the same mappings and settings. */
export function queryText(
  request: SearchRequest,
  views: readonly IndexView[],
  { asksNow, asksNames }: Passing,
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

function textOf(request: SearchRequest, { name }: IndexView): string {
  return stringifyJson(queryOf(request, name) ?? {});
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** Another one for each object, the same for as long as it lives. */
function numberOf(object: object): number {
  let number = numbers.get(object);
  if (number === undefined) numbers.set(object, (number = ++lastNumber));
  return number;
}
