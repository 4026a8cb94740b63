// A hit as an object, for callers that keep hits or work on them. Everything but doc values is copied at
// once, because the leaf may be gone when the search is over.

import type { Explanation, Hit, NestedIdentity, SortValue } from '../../api.ts';
import type { Highlights } from '../../highlight/highlighter.ts';
import type { JsonValue } from '../../json/value.ts';
import { shortestFloat } from '../../mapping/types/shortest-float.ts';
import type { ObjectStep } from '../../nested/nested-objects.ts';
import { isolateObject } from '../../nested/object-source.ts';
import type { ObjectOrigin } from '../../nested/view-objects.ts';
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
  readonly scriptFields?: Hit['scriptFields'] | undefined;
  readonly explanation?: Hit['explanation'] | undefined;
  readonly innerHits?: Hit['innerHits'] | undefined;
}

const NO_MEMBERS = new TextEncoder().encode('{}');

function identityOf([first, ...rest]: readonly ObjectStep[]): NestedIdentity {
  return rest.length === 0 ? first! : { ...first!, nested: identityOf(rest) };
}

/** A hit of a document in a leaf, or of an object in a leaf of objects. */
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
  readonly scriptFields?: ReadonlyMap<string, string>;
  readonly explanation?: Explanation;
  readonly ignored?: readonly string[];
  readonly nested?: NestedIdentity;
  readonly innerHits?: NonNullable<Hit['innerHits']>;
  readonly #origin: ObjectOrigin | undefined;
  readonly #view: IndexView;
  readonly #leaf: Leaf;
  readonly #doc: number;
  readonly #services: SearchServices;
  #source: Uint8Array | undefined;

  constructor({ side, doc }: PageDoc, parts: HitParts, services: SearchServices) {
    const { nested } = parts.view;
    const origin = nested === undefined || nested.path === '' ? undefined : nested.origin(side.leaf, doc);
    const { docs } = origin?.view.leaf ?? side.leaf;
    const document = origin?.document ?? doc;
    this.#origin = origin;
    if (origin !== undefined) this.nested = identityOf(origin.steps);
    if (parts.innerHits !== undefined) this.innerHits = parts.innerHits;
    this.index = parts.view.name;
    this.id = docs.id(document);
    this.type = docs.type(document);
    this.routing = docs.routing(document);
    this.score = shortestFloat(parts.score);
    this.sort = parts.sort;
    if (parts.cursor !== undefined) this.cursor = parts.cursor;
    this.seqNo = docs.seqNo(document);
    this.version = docs.version(document);
    this.matchedQueries = parts.matched?.map(({ name }) => name);
    if (parts.matched?.some(({ score }) => score !== undefined) === true)
      this.matchedScores = parts.matched.map(({ score }) => shortestFloat(score ?? Number.NaN));
    if (parts.highlights !== undefined) this.highlights = parts.highlights;
    if (parts.explanation !== undefined) this.explanation = parts.explanation;
    if (parts.scriptFields !== undefined) this.scriptFields = parts.scriptFields;
    const ignored =
      origin === undefined ? ignoredPaths(parts.view.mapping, side.leaf, doc, services.compat) : undefined;
    if (ignored !== undefined) this.ignored = ignored;
    this.#view = parts.view;
    this.#leaf = side.leaf;
    this.#doc = doc;
    this.#services = services;
  }

  get source(): Uint8Array {
    if (this.#source !== undefined) return this.#source;
    const { docs } = this.#origin?.view.leaf ?? this.#leaf;
    const doc = this.#origin?.document ?? this.#doc;
    const source = this.#services.readSource(
      docs.sourceChunk(doc),
      docs.sourceOffset(doc),
      docs.sourceLength(doc),
    );
    return this.#origin === undefined ? source : (isolateObject(source, this.#origin.steps) ?? NO_MEMBERS);
  }

  /** Reads the source now, and keeps it. */
  keepSource(): void {
    this.#source = this.source;
  }

  docValues(path: string, format?: string): SortValue[] {
    // Metadata is that of the document.
    if (this.#origin !== undefined && path.startsWith('_')) {
      const { view, document } = this.#origin;
      return docValues(this.#view, view.leaf, document, path, format);
    }
    return docValues(this.#view, this.#leaf, this.#doc, path, format);
  }

  indexedValues(path: string, values: readonly JsonValue[], format?: string): JsonValue[] {
    return indexedValues(this.#view.mapping.field(path), values, format);
  }
}
