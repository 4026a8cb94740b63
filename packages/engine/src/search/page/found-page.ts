// The page of a search. The `put` methods copy the parts of a hit straight from its leaf and the log into a
// reply; `result` copies hits to objects.

import type {
  AggregationResults,
  Explanation,
  Hit,
  HitPosition,
  SearchPage,
  SearchProfile,
  SearchResult,
  SortPrinter,
  SuggestResults,
} from '../../api.ts';
import type { Highlights } from '../../highlight/highlighter.ts';
import type { JsonWriter } from '../../json/json-writer.ts';
import { hasBit } from '../../kernels/bits.ts';
import { shortestFloat } from '../../mapping/types/shortest-float.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { Leaf } from '../../segment/leaf.ts';
import { putSort, sortValues } from '../request/sort-values.ts';
import type { Sortable } from '../request/sortable.ts';
import { answerTooLarge } from '../search-limits.ts';
import type { SearchServices } from '../services.ts';
import type { DocumentPage } from './document-page.ts';
import { HitPrefetch } from './hit-prefetch.ts';
import { LeafHit } from './leaf-hit.ts';
import type { NamedMatch } from './matched-queries.ts';

/** What a page shows of its documents where the request asks for it. */
export interface PageParts {
  /** For each document, the named queries that it matches. */
  readonly matched?: readonly (readonly NamedMatch[])[] | undefined;
  /** For each document, its highlights. */
  readonly highlights?: readonly Highlights[] | undefined;
  /** For each document, the values of its script fields. */
  readonly scripted?: readonly NonNullable<Hit['scriptFields']>[] | undefined;
  /** For each document, how it was scored. */
  readonly explained?: readonly Explanation[] | undefined;
  /** For each document, its inner hits. */
  readonly inner?: readonly NonNullable<Hit['innerHits']>[] | undefined;
  readonly aggregations?: AggregationResults | undefined;
  readonly suggest?: SuggestResults | undefined;
  readonly profile?: SearchProfile | undefined;
}

/** What a page shows beside its documents. */
interface PageDetails extends PageParts {
  readonly views: readonly IndexView[];
  /** Per index, one per field. */
  readonly sort: readonly (readonly Sortable[])[];
  readonly showScores: boolean;
  readonly timedOut: boolean;
  readonly terminatedEarly: boolean | undefined;
  readonly total: SearchResult['total'];
  readonly maxScore: number | undefined;
  readonly snapshot: number;
}

/** Shared by all pages. A page whose printing is interrupted by another one loses its prefetch, and reads without it. */
const hitPrefetch = new HitPrefetch();

/** The documents that were found for a page. */
export class FoundPage implements SearchPage {
  readonly timedOut: boolean;
  readonly terminatedEarly: boolean | undefined;
  readonly total: SearchResult['total'];
  readonly maxScore: number | undefined;
  readonly more: boolean;
  readonly moreBefore: boolean;
  readonly snapshot: number;
  readonly aggregations?: AggregationResults;
  readonly suggest?: SuggestResults;
  readonly profile?: SearchProfile;
  readonly #docs: DocumentPage['docs'];
  readonly #details: PageDetails;
  readonly #services: SearchServices;

  constructor({ docs, before, after }: DocumentPage, details: PageDetails, services: SearchServices) {
    this.timedOut = details.timedOut;
    this.terminatedEarly = details.terminatedEarly;
    this.total = details.total;
    this.maxScore = details.maxScore;
    this.more = after;
    this.moreBefore = before;
    this.snapshot = details.snapshot;
    if (details.aggregations !== undefined) this.aggregations = details.aggregations;
    if (details.suggest !== undefined) this.suggest = details.suggest;
    if (details.profile !== undefined) this.profile = details.profile;
    this.#docs = docs;
    this.#details = details;
    this.#services = services;
  }

  get count(): number {
    return this.#docs.length;
  }

  get isSorted(): boolean {
    return this.#details.sort.length > 0 && this.#details.sort[0]!.length > 0;
  }

  get isPlain(): boolean {
    const { highlights, scripted, explained, inner } = this.#details;
    if (explained !== undefined || highlights !== undefined || scripted !== undefined || inner !== undefined)
      return false;
    if (this.#details.matched?.some((queries) => queries.length > 0) === true) return false;
    for (let i = 0; i < this.#docs.length; i++) {
      const { side, doc } = this.#docs[i]!;
      if (!isPlain(side.leaf, doc)) return false;
    }
    return true;
  }

  get sourceBytes(): number {
    let bytes = 0;
    for (const { side, doc } of this.#docs) bytes += side.leaf.docs.sourceLength(doc);
    return bytes;
  }

  index(hit: number): string {
    return this.#details.views[this.#docs[hit]!.side.indexPlace]!.name;
  }

  score(hit: number): number {
    return this.#details.showScores ? shortestFloat(this.#docs[hit]!.score) : Number.NaN;
  }

  prefetch(from: number, to: number): void {
    hitPrefetch.run(this.#docs, from, to, this.#services);
  }

  putSource(hit: number, out: JsonWriter): void {
    const { side, doc } = this.#docs[hit]!;
    const { docs } = side.leaf;
    const offset = docs.sourceOffset(doc);
    const length = docs.sourceLength(doc);
    // The reply so far, and this source.
    this.#requireRoom(out.at + length);
    const place = hitPrefetch.takeSource(this.#docs, hit);
    if (place === undefined) {
      out.reserve(length);
      this.#services.copySource(docs.sourceChunk(doc), offset, length, out.bytes, out.at);
      out.at += length;
    } else out.range(place.bytes, offset - place.start, offset - place.start + length);
  }

  putId(hit: number, out: JsonWriter): void {
    const { side, doc } = this.#docs[hit]!;
    const { idBytes, idStarts } = side.leaf.docs;
    out.quoted(idBytes, idStarts[doc]!, idStarts[doc + 1]!);
  }

  putSort(hit: number, printer: SortPrinter, out: JsonWriter): void {
    const found = this.#docs[hit]!;
    putSort(this.#details.sort[found.side.indexPlace]!, found, printer, out);
  }

  position(hit: number): HitPosition {
    const { side, doc, score } = this.#docs[hit]!;
    const sort = this.#details.sort[side.indexPlace]!;
    return {
      id: side.leaf.docs.id(doc),
      index: this.index(hit),
      score: this.score(hit),
      sort: sort.length === 0 ? undefined : sortValues(sort, side, doc, score, false),
    };
  }

  result(sources: 'read' | 'lazy' = 'read'): SearchResult {
    const { timedOut, terminatedEarly, total, maxScore, more, moreBefore, snapshot } = this;
    const { aggregations, suggest, profile } = this;
    const hits = this.#docs.map((_, i) => this.#hit(i));
    if (sources === 'read') {
      this.#requireRoom(this.sourceBytes);
      for (const hit of hits) hit.keepSource();
    }
    const page = { timedOut, terminatedEarly, total, maxScore, hits, more, moreBefore, snapshot };
    return {
      ...page,
      ...(aggregations === undefined ? {} : { aggregations }),
      ...(suggest === undefined ? {} : { suggest }),
      ...(profile === undefined ? {} : { profile }),
    };
  }

  /** Throws before a page takes more memory than it may. */
  #requireRoom(bytes: number): void {
    const { maxPageBytes } = this.#services.limits;
    if (bytes > maxPageBytes) throw answerTooLarge(bytes, maxPageBytes);
  }

  #hit(i: number): LeafHit {
    const { views, showScores, matched, highlights, scripted, explained, inner } = this.#details;
    const found = this.#docs[i]!;
    const { side, doc, score } = found;
    const sort = this.#details.sort[side.indexPlace]!;
    const parts = {
      view: views[side.indexPlace]!,
      score: showScores ? score : Number.NaN,
      sort: sort.length === 0 ? undefined : sortValues(sort, side, doc, score),
      cursor: isFormatted(sort) ? sortValues(sort, side, doc, score, false) : undefined,
      matched: matched?.[i],
      highlights: highlights?.[i],
      scriptFields: scripted?.[i],
      explanation: explained?.[i],
      innerHits: inner?.[i],
    };
    return new LeafHit(found, parts, this.#services);
  }
}

function isFormatted(sort: readonly Sortable[]): boolean {
  for (let i = 0; i < sort.length; i++) if (sort[i]!.type.format !== undefined) return true;
  return false;
}

/** Whether a hit has nothing but its index, id, score, sort and source. */
function isPlain(leaf: Leaf, doc: number): boolean {
  if (leaf.docs.type(doc) !== '_doc' || leaf.docs.routing(doc) !== undefined) return false;
  const ignored = leaf.present('_ignored');
  return ignored === undefined || !hasBit(ignored, doc);
}
