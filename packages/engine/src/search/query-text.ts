// Are two searches the same, so that what one has found is what the other would? By the text of their queries, and by the mappings
// that these are read under; not where they mean another moment each time.

import { stringifyJson } from '../json/print.ts';
import type { IndexView } from '../query/view.ts';
import { queryOf } from './plan.ts';
import type { SearchRequest } from './request.ts';

/** Equal for equal queries over the same indices under the same mappings and settings. */
export function queryText(request: SearchRequest, views: readonly IndexView[], compat: string): string {
  const texts = views.map((view) => {
    const { uuid, mapping, settings, statistics } = view;
    const under = `${numberOf(mapping)}:${numberOf(settings)}:${statistics?.id ?? 0}`;
    return `${uuid}:${under}:${textOf(request, view)}`;
  });
  const slice = request.slice === undefined ? '' : JSON.stringify(request.slice);
  return `${compat}|${slice}|${texts.join('\n')}`;
}

/** What says `now` means another moment each time. True also where it is a part of a word: escapes before it may look like one. */
export function saysNow(request: SearchRequest, views: readonly IndexView[]): boolean {
  return views.some((view) => textOf(request, view).includes('now'));
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
