// Highlights the documents of a page, or of buckets, each by the highlighter of its index. Yields between fields.

import type { HighlightField } from '../../api.ts';
import { Highlighter, type Highlights } from '../../highlight/highlighter.ts';
import type { Steps } from '../../query/steps.ts';
import type { PlannedSearch } from '../plan/planned-search.ts';
import type { HitPlace } from './document-page.ts';

/** The highlighter of a search. */
export class PageHighlighter {
  readonly #search: Pick<PlannedSearch, 'views' | 'request' | 'services'>;
  readonly #fields: readonly HighlightField[];
  /** By the place of the index. */
  readonly #highlighters: Highlighter[] = [];

  constructor(
    search: Pick<PlannedSearch, 'views' | 'request' | 'services'>,
    fields: readonly HighlightField[],
  ) {
    this.#search = search;
    this.#fields = fields;
  }

  /** For each document, its highlights. Throws the errors of the queries, and of texts that are too long. */
  *highlight(places: readonly HitPlace[]): Steps<readonly Highlights[]> {
    const { services } = this.#search;
    const out: Highlights[] = [];
    for (const { leaf, indexPlace, doc } of places) {
      const highlighter = (this.#highlighters[indexPlace] ??= yield* this.#plan(indexPlace));
      const { docs } = leaf;
      const source = services.readSource(
        docs.sourceChunk(doc),
        docs.sourceOffset(doc),
        docs.sourceLength(doc),
      );
      out.push(yield* highlighter.highlight(docs.id(doc), source));
    }
    return out;
  }

  #plan(indexPlace: number): Steps<Highlighter> {
    const { views, request, services } = this.#search;
    return Highlighter.plan(views[indexPlace]!, this.#fields, request, {
      now: request.now ?? services.now(),
      // Without scores, optional clauses are left out of a plan.
      scores: true,
      keepsAbsent: true,
      compat: services.compat,
      limits: services.limits.query,
    });
  }
}
