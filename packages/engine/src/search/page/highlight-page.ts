// Highlights the documents of a page, each by the highlighter of its index. Yields between fields.

import type { HighlightField } from '../../api.ts';
import { Highlighter, type Highlights } from '../../highlight/highlighter.ts';
import type { SearchSteps } from '../deadline.ts';
import type { PlannedSearch } from '../plan/planned-search.ts';
import type { PageDoc } from './document-page.ts';

/** For each document of a page, its highlights. Throws the errors of the queries, and of texts that are too long. */
export function* highlightPage(
  docs: readonly PageDoc[],
  { views, request, services }: Pick<PlannedSearch, 'views' | 'request' | 'services'>,
  fields: readonly HighlightField[],
): SearchSteps<readonly Highlights[]> {
  const now = request.now ?? services.now();
  const context = {
    now,
    // Without scores, optional clauses are left out of a plan.
    scores: true,
    keepsAbsent: true,
    compat: services.compat,
    limits: services.limits.query,
  };
  const byIndex = new Map<number, Highlighter>();
  const out: Highlights[] = [];
  for (const { side, doc } of docs) {
    let highlighter = byIndex.get(side.indexPlace);
    if (highlighter === undefined) {
      highlighter = yield* Highlighter.plan(views[side.indexPlace]!, fields, request, context);
      byIndex.set(side.indexPlace, highlighter);
    }
    const { docs: stored } = side.leaf;
    const source = services.readSource(
      stored.sourceChunk(doc),
      stored.sourceOffset(doc),
      stored.sourceLength(doc),
    );
    out.push(yield* highlighter.highlight(stored.id(doc), source));
  }
  return out;
}
