// The page of a search: its documents, shown where they lie. Nothing is copied for a hit that is written straight into a reply;
// `result` makes objects for those who keep hits or work on them.

import type { JsonWriter } from '../../json/json-writer.ts';
import { hasBit } from '../../kernels/bits.ts';
import { shortestFloat } from '../../mapping/types/shortest-float.ts';
import type { Named } from '../../query/named-queries.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { Leaf } from '../../segment/leaf.ts';
import type { HitPosition, SearchPage, SearchResult, SortPrinter } from '../request/request.ts';
import type { Sortable } from '../request/sortable.ts';
import type { SearchServices } from '../services.ts';
import type { Page } from './document-page.ts';
import { LeafHit } from './hit.ts';
import { Brought } from './hit-prefetch.ts';
import { PageSorts } from './page-sorts.ts';
import { sortValues } from './sort-values.ts';

/** What a page shows beside its documents. */
export interface Shown {
  readonly views: readonly IndexView[];
  /** Per index, one per field. */
  readonly sort: readonly (readonly Sortable[])[];
  readonly showScores: boolean;
  readonly timedOut: boolean;
  readonly terminatedEarly: boolean | undefined;
  readonly total: SearchResult['total'];
  readonly maxScore: number | undefined;
  readonly snapshot: number;
  /** `SearchCaches.forgotten` when the page was found. */
  readonly forgotten: number;
  /** For each document, the named queries that it matches; undefined where the query names none. */
  readonly matched: readonly (readonly Named[])[] | undefined;
}

/** Of the page that is printed: there is one at a time. */
const brought = new Brought();

/** The documents that were found for a page. */
export class FoundPage implements SearchPage {
  readonly timedOut: boolean;
  readonly terminatedEarly: boolean | undefined;
  readonly total: SearchResult['total'];
  readonly maxScore: number | undefined;
  readonly more: boolean;
  readonly moreBefore: boolean;
  readonly snapshot: number;
  readonly #docs: Page['docs'];
  readonly #shown: Shown;
  readonly #services: SearchServices;
  readonly #sorts: PageSorts;

  constructor({ docs, before, after }: Page, shown: Shown, services: SearchServices) {
    this.timedOut = shown.timedOut;
    this.terminatedEarly = shown.terminatedEarly;
    this.total = shown.total;
    this.maxScore = shown.maxScore;
    this.more = after;
    this.moreBefore = before;
    this.snapshot = shown.snapshot;
    this.#docs = docs;
    this.#shown = shown;
    this.#services = services;
    this.#sorts = new PageSorts(shown.sort, docs.length, shown.forgotten, services);
  }

  get count(): number {
    return this.#docs.length;
  }

  get isSorted(): boolean {
    return this.#shown.sort.length > 0 && this.#shown.sort[0]!.length > 0;
  }

  get isPlain(): boolean {
    if (this.#shown.matched?.some((queries) => queries.length > 0) === true) return false;
    for (let i = 0; i < this.#docs.length; i++) {
      const { side, doc } = this.#docs[i]!;
      if (!isPlain(side.leaf, doc)) return false;
    }
    return true;
  }

  index(hit: number): string {
    return this.#shown.views[this.#docs[hit]!.side.indexPlace]!.name;
  }

  score(hit: number): number {
    return this.#shown.showScores ? shortestFloat(this.#docs[hit]!.score) : Number.NaN;
  }

  prefetch(from: number, to: number, printer: SortPrinter): void {
    const withKeys = !this.#sorts.areKept(this.#docs, from, to, printer);
    brought.bring(this.#docs, from, to, withKeys, this.#services);
  }

  putSource(hit: number, out: JsonWriter): void {
    const { side, doc } = this.#docs[hit]!;
    const { docs } = side.leaf;
    const offset = docs.sourceOffset(doc);
    const length = docs.sourceLength(doc);
    const place = brought.take(this.#docs, hit);
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
    this.#sorts.put(this.#docs[hit]!, printer, out);
  }

  position(hit: number): HitPosition {
    const { side, doc, score } = this.#docs[hit]!;
    const sort = this.#shown.sort[side.indexPlace]!;
    return {
      id: side.leaf.docs.id(doc),
      index: this.index(hit),
      score: this.score(hit),
      sort: sort.length === 0 ? undefined : sortValues(sort, side, doc, score, false),
    };
  }

  result(): SearchResult {
    const { timedOut, terminatedEarly, total, maxScore, more, moreBefore, snapshot } = this;
    const hits = this.#docs.map((_, i) => this.#hit(i));
    return { timedOut, terminatedEarly, total, maxScore, hits, more, moreBefore, snapshot };
  }

  #hit(i: number): LeafHit {
    const { views, showScores, matched } = this.#shown;
    const found = this.#docs[i]!;
    const { side, doc, score } = found;
    const sort = this.#shown.sort[side.indexPlace]!;
    const parts = {
      view: views[side.indexPlace]!,
      score: showScores ? score : Number.NaN,
      sort: sort.length === 0 ? undefined : sortValues(sort, side, doc, score),
      cursor: isFormatted(sort) ? sortValues(sort, side, doc, score, false) : undefined,
      matched: matched?.[i],
    };
    return new LeafHit(found, parts, this.#services);
  }
}

function isFormatted(sort: readonly Sortable[]): boolean {
  for (let i = 0; i < sort.length; i++) if (sort[i]!.type.format !== undefined) return true;
  return false;
}

/** Whether a hit is no more than its index, id, score, sort and source. */
function isPlain(leaf: Leaf, doc: number): boolean {
  if (leaf.docs.type(doc) !== '_doc' || leaf.docs.routing(doc) !== undefined) return false;
  const ignored = leaf.present('_ignored');
  return ignored === undefined || !hasBit(ignored, doc);
}
