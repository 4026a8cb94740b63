// The suggestions of a search: what suggesters may see, and the hits of what they suggest.

import type { SearchRequest, SuggestResults } from '../../api.ts';
import { andInto } from '../../kernels/bits.ts';
import { orderSpec } from '../../order/order-spec.ts';
import type { Plan } from '../../query/matcher.ts';
import { newBits } from '../../query/node/node.ts';
import { parseQuery } from '../../query/parse.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import { planInSteps } from '../../query/plan-query.ts';
import { compileInSteps, type Steps } from '../../query/steps.ts';
import { liveDocs } from '../../segment/live-docs.ts';
import { findSuggestions, parseSuggest } from '../../suggest/suggest.ts';
import type { SearchServices } from '../services.ts';
import { LeafHit } from './leaf-hit.ts';

/** The suggestions of a search; undefined where it asks for none. */
export function* suggestions(
  views: readonly IndexView[],
  request: SearchRequest,
  services: SearchServices,
): Steps<SuggestResults | undefined> {
  if (request.suggest === undefined) return undefined;
  const filters = yield* filterPlans(views, request, services);
  const spec = orderSpec([]);
  return yield* findSuggestions(parseSuggest(request.suggest), {
    views,
    limits: services.limits.query,
    *visible(view, indexPlace) {
      const filter = filters[indexPlace];
      const matcher = filter === undefined ? undefined : yield* compileInSteps(filter, view.leaf);
      const live = newBits();
      const bits = newBits();
      return (chunk) => {
        liveDocs(view, chunk, live);
        if (matcher === undefined) return live;
        matcher.match(chunk, bits, live);
        andInto(bits, live);
        return bits;
      };
    },
    hit(view, indexPlace, doc, score) {
      const side = { leaf: view.leaf, spec, place: 0, indexPlace, score, keys: [] };
      const parts = { view: views[indexPlace]!, score, sort: undefined, cursor: undefined };
      return new LeafHit(
        { side, doc, score },
        { ...parts, matched: undefined, highlights: undefined },
        services,
      );
    },
  });
}

/** The filter of each index, which decides what may be seen. */
function* filterPlans(
  views: readonly IndexView[],
  { filters, now }: SearchRequest,
  services: SearchServices,
): Steps<(Plan | undefined)[]> {
  const { compat, limits } = services;
  const plans: (Plan | undefined)[] = [];
  for (const view of views) {
    const json = filters?.get(view.name);
    const context = { now: now ?? services.now(), limits: limits.query, compat, scores: false };
    plans.push(
      json === undefined ? undefined : yield* planInSteps(parseQuery(json, limits.query), view, context),
    );
  }
  return plans;
}
