// The hits inside buckets of aggregations: sorted as hits of a page are, and copied to objects.

import type { AggregationLeaf } from '../../aggregations/collect/aggregator.ts';
import type {
  AggregationHits,
  HitCandidate,
  HitHighlighter,
  HitSort,
} from '../../aggregations/collect/hits.ts';
import type { Hit, SearchRequest, SortValue } from '../../api.ts';
import { illegalArgument } from '../../errors.ts';
import { readHighlight } from '../../highlight/read-highlight.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { compareDocs, type Side } from '../../order/compare.ts';
import { type OrderSpec, orderSpec } from '../../order/order-spec.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { NamedPlan } from '../../query/plan/planner.ts';
import type { Steps } from '../../query/steps.ts';
import { parseSort } from '../request/parse-sort.ts';
import { sortValues } from '../request/sort-values.ts';
import { resolveSort, type Sortable } from '../request/sortable.ts';
import type { SearchServices } from '../services.ts';
import type { HitPlace } from './document-page.ts';
import { PageHighlighter } from './highlight-page.ts';
import { type HitParts, LeafHit } from './leaf-hit.ts';
import { matchedQueries } from './matched-queries.ts';

const BY_SCORE: OrderSpec = orderSpec([
  { kind: 'score', descending: true },
  { kind: 'position', descending: false },
]);

/** What a hit shows of its document beside the document itself. */
export type HitDetails = Partial<Pick<HitParts, 'matched' | 'highlights' | 'innerHits'>>;

/** Finds the inner hits of documents; undefined where the search asks for none. */
type FindInnerHits = (
  docs: readonly HitPlace[],
) => Steps<readonly NonNullable<Hit['innerHits']>[] | undefined>;

// biome-ignore lint/correctness/useYield: there is nothing to find.
function* noInnerHits(): Steps<undefined> {
  return undefined;
}

/** Sorts and shows the hits of one search's buckets. */
export class HitCollection implements AggregationHits {
  readonly #views: readonly IndexView[];
  readonly #services: SearchServices;
  readonly #innerHits: FindInnerHits;
  readonly #named: ReadonlyMap<number, readonly NamedPlan[]>;
  readonly #request: SearchRequest | undefined;

  /**
   * `innerHits` finds those of documents; `named` has the named queries by the place of the index. Without a `request`
   * the hits are objects within documents, which cannot be highlighted.
   */
  constructor(
    views: readonly IndexView[],
    services: SearchServices,
    innerHits: FindInnerHits = noInnerHits,
    named: ReadonlyMap<number, readonly NamedPlan[]> = new Map(),
    request?: SearchRequest,
  ) {
    this.#request = request;
    this.#named = named;
    this.#views = views;
    this.#services = services;
    this.#innerHits = innerHits;
  }

  sort(json: JsonValue | undefined): LeafHitSort {
    return new LeafHitSort(json, this.#views, this.#services, this.#request?.ignoreUnmapped);
  }

  source({ leaf: { docs } }: AggregationLeaf, doc: number): Uint8Array {
    return this.#services.readSource(docs.sourceChunk(doc), docs.sourceOffset(doc), docs.sourceLength(doc));
  }

  highlighter(json: JsonObject): HitHighlighter {
    const request = this.#request;
    if (request === undefined)
      throw illegalArgument('[highlight] is not supported in [top_hits] below [nested]');
    const highlighter = new PageHighlighter(
      { views: this.#views, request, services: this.#services },
      readHighlight(json),
    );
    return (hits) => highlighter.highlight(placesOf(hits));
  }

  *show(
    hits: readonly HitCandidate[],
    sort: HitSort,
    showScores: boolean,
    details?: readonly HitDetails[],
  ): Steps<Hit[]> {
    const inner = yield* this.#innerHits(placesOf(hits));
    const sides = hits.map(({ leaf }) => (sort as LeafHitSort).of(leaf));
    const matched = yield* matchedQueries(
      hits.map(({ doc, score }, i) => ({ side: sides[i]!.side, doc, score })),
      this.#named,
    );
    return hits.map(({ leaf, doc, score }, i) => {
      const own = sides[i]!;
      return new LeafHit(
        { side: own.side, doc, score },
        {
          view: this.#views[leaf.indexPlace]!,
          score: showScores ? score : Number.NaN,
          sort: own.sort.length === 0 ? undefined : sortValues(own.sort, own.side, doc, score),
          cursor: undefined,
          matched: matched?.[i],
          highlights: undefined,
          ...(inner === undefined ? {} : { innerHits: inner[i] }),
          ...details?.[i],
        },
        this.#services,
      );
    });
  }
}

function placesOf(hits: readonly HitCandidate[]): HitPlace[] {
  return hits.map(({ leaf: { leaf, indexPlace }, doc }) => ({ leaf, indexPlace, doc }));
}

/** A leaf as a side of comparisons, and the sort of its index. */
interface LeafSide {
  readonly side: Side;
  readonly sort: readonly Sortable[];
}

/** A sort over the leaves of a search. */
class LeafHitSort implements HitSort {
  readonly needsScores: boolean;
  readonly #services: SearchServices;
  readonly #sort: readonly (readonly Sortable[])[];
  readonly #specs: readonly OrderSpec[];
  readonly #sides: LeafSide[] = [];

  constructor(
    json: JsonValue | undefined,
    views: readonly IndexView[],
    services: SearchServices,
    ignoreUnmapped?: boolean,
  ) {
    const fields = parseSort(json);
    this.needsScores = fields.length === 0 || fields.some(({ field }) => field === '_score');
    this.#services = services;
    this.#sort = views.length === 0 ? [] : resolveSort(fields, views, [], ignoreUnmapped);
    // Nothing continues behind these hits, so those that tie stay in the order of their documents.
    this.#specs = this.#sort.map((sort) =>
      sort.length === 0 ? BY_SCORE : { ...orderSpec(sort.map(({ entry }) => entry)), tiebreakById: false },
    );
  }

  compare(a: HitCandidate, b: HitCandidate): number {
    return compareDocs(this.of(a.leaf).side, a.doc, a.score, this.of(b.leaf).side, b.doc, b.score);
  }

  values({ leaf, doc, score }: HitCandidate): readonly SortValue[] | undefined {
    const { side, sort } = this.of(leaf);
    return sort.length === 0 ? undefined : sortValues(sort, side, doc, score, false);
  }

  of({ leaf, place, indexPlace }: AggregationLeaf): LeafSide {
    return (this.#sides[place] ??= {
      side: this.#services.caches.orders.scanSide(leaf, this.#specs[indexPlace]!, place, indexPlace),
      sort: this.#sort[indexPlace]!,
    });
  }
}
