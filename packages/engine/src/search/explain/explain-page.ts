// Explains the scores of the documents of a page.

import type { Explanation } from '../../api.ts';
import type { PlanNode } from '../../query/node/node.ts';
import { parseQuery } from '../../query/parse.ts';
import { planInSteps } from '../../query/plan-query.ts';
import { prepareInSteps } from '../../query/steps.ts';
import type { SearchSteps } from '../deadline.ts';
import type { PageDoc } from '../page/document-page.ts';
import type { PlannedSearch } from '../plan/planned-search.ts';
import { Explainer } from './explainer.ts';
import { matched } from './explanation.ts';

/** For each document of a page, how the query of the request scores it. Yields between documents. */
export function* explainPage(
  docs: readonly PageDoc[],
  { views, request, services }: Pick<PlannedSearch, 'views' | 'request' | 'services'>,
): SearchSteps<readonly Explanation[]> {
  const { explain, query = { match_all: {} }, rescore = [] } = request;
  const { limits, compat } = services;
  const parsed = parseQuery(typeof explain === 'object' ? explain.query : query, limits.query);
  const now = request.now ?? services.now();
  const context = { now, scores: true, keepsAbsent: true, compat, limits: limits.query };
  const plans = new Map<number, PlanNode>();
  const explainers = new Map<object, Explainer>();
  const out: Explanation[] = [];
  for (const { side, doc, score } of docs) {
    const view = views[side.indexPlace]!;
    let plan = plans.get(side.indexPlace);
    if (plan === undefined) plans.set(side.indexPlace, (plan = yield* planInSteps(parsed, view, context)));
    let explainer = explainers.get(side);
    if (explainer === undefined) {
      yield* prepareInSteps(plan, side.leaf);
      explainers.set(side, (explainer = new Explainer(view, side.leaf)));
    }
    const explanation = explainer.explain(plan, doc);
    out.push(rescore.length === 0 ? explanation : matched(score, 'score after rescoring of:', [explanation]));
    yield;
  }
  return out;
}
