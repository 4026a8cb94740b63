// A hit as an object, for callers that keep hits or work on them. Everything but doc values is copied at
// once, because the leaf may be gone when the search is over.

import type { Hit, SortValue } from '../../api.ts';
import type { Highlights } from '../../highlight/highlighter.ts';
import type { JsonValue } from '../../json/value.ts';
import { shortestFloat } from '../../mapping/types/shortest-float.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { Leaf } from '../../segment/leaf.ts';
import type { SearchServices } from '../services.ts';
import { docValues } from './doc-values.ts';
import type { PageDoc } from './document-page.ts';
import { ignoredPaths } from './ignored-fields.ts';
import { indexedValues } from './indexed-values.ts';
import type { NamedMatch } from './matched-queries.ts';

/** What a hit shows beside its document. */
export interface HitParts {
  readonly view: IndexView;
  readonly score: number;
  readonly sort: readonly SortValue[] | undefined;
  /** Present where `sort` is formatted. */
  readonly cursor: readonly SortValue[] | undefined;
  readonly matched: readonly NamedMatch[] | undefined;
  readonly highlights: Highlights | undefined;
}

/** A hit of a document in a leaf. */
export class LeafHit implements Hit {
  readonly index: string;
  readonly id: string;
  readonly type: string;
  readonly routing: string | undefined;
  readonly score: number;
  readonly sort: readonly SortValue[] | undefined;
  readonly cursor?: readonly SortValue[];
  readonly seqNo: number;
  readonly version: number;
  readonly matchedQueries: readonly string[] | undefined;
  readonly matchedScores?: readonly number[];
  readonly highlights?: Highlights;
  readonly ignored?: readonly string[];
  readonly #view: IndexView;
  readonly #leaf: Leaf;
  readonly #doc: number;
  readonly #services: SearchServices;
  #source: Uint8Array | undefined;

  constructor({ side, doc }: PageDoc, parts: HitParts, services: SearchServices) {
    const { docs } = side.leaf;
    this.index = parts.view.name;
    this.id = docs.id(doc);
    this.type = docs.type(doc);
    this.routing = docs.routing(doc);
    this.score = shortestFloat(parts.score);
    this.sort = parts.sort;
    if (parts.cursor !== undefined) this.cursor = parts.cursor;
    this.seqNo = docs.seqNo(doc);
    this.version = docs.version(doc);
    this.matchedQueries = parts.matched?.map(({ name }) => name);
    if (parts.matched?.some(({ score }) => score !== undefined) === true)
      this.matchedScores = parts.matched.map(({ score }) => shortestFloat(score ?? Number.NaN));
    if (parts.highlights !== undefined) this.highlights = parts.highlights;
    const ignored = ignoredPaths(side.leaf, doc);
    if (ignored !== undefined) this.ignored = ignored;
    this.#view = parts.view;
    this.#leaf = side.leaf;
    this.#doc = doc;
    this.#services = services;
  }

  get source(): Uint8Array {
    if (this.#source !== undefined) return this.#source;
    const [{ docs }, doc] = [this.#leaf, this.#doc];
    return this.#services.readSource(docs.sourceChunk(doc), docs.sourceOffset(doc), docs.sourceLength(doc));
  }

  /** Reads the source now, and keeps it. */
  keepSource(): void {
    this.#source = this.source;
  }

  docValues(path: string, format?: string): SortValue[] {
    return docValues(this.#view, this.#leaf, this.#doc, path, format);
  }

  indexedValues(path: string, values: readonly JsonValue[], format?: string): JsonValue[] {
    return indexedValues(this.#view.mapping.field(path), values, format);
  }
}
