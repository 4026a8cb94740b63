// What is a hit? A document of a page, dressed: its identity, its place, its source when somebody wants it.

import { NamedMatches } from '../query/named.ts';
import type { NamedPlan } from '../query/planner.ts';
import type { IndexView } from '../query/view.ts';
import type { Leaf } from '../segment/leaf.ts';
import { docValues } from './doc-values.ts';
import { shortestFloat } from './float.ts';
import type { PageDoc } from './page.ts';
import type { Hit, SortValue } from './request.ts';
import type { SearchServices } from './services.ts';

/** What a hit is made of beside its document. */
export interface HitParts {
  readonly view: IndexView;
  readonly score: number;
  readonly sort: readonly SortValue[] | undefined;
  readonly matchedQueries: readonly string[] | undefined;
}

/** A hit over a leaf; reads nothing before it is asked. */
export class LeafHit implements Hit {
  readonly index: string;
  readonly score: number;
  readonly sort: readonly SortValue[] | undefined;
  readonly matchedQueries: readonly string[] | undefined;
  readonly #view: IndexView;
  readonly #leaf: Leaf;
  readonly #doc: number;
  readonly #services: SearchServices;

  constructor(doc: PageDoc, parts: HitParts, services: SearchServices) {
    this.index = parts.view.name;
    this.score = shortestFloat(parts.score);
    this.sort = parts.sort;
    this.matchedQueries = parts.matchedQueries;
    this.#view = parts.view;
    this.#leaf = doc.side.leaf;
    this.#doc = doc.doc;
    this.#services = services;
  }

  get id(): string {
    return this.#leaf.docs.id(this.#doc);
  }

  get type(): string {
    return this.#leaf.docs.type(this.#doc);
  }

  get routing(): string | undefined {
    return this.#leaf.docs.routing(this.#doc);
  }

  get seqNo(): number {
    return this.#leaf.docs.seqNo(this.#doc);
  }

  get version(): number {
    return this.#leaf.docs.version(this.#doc);
  }

  get source(): Uint8Array {
    const { docs } = this.#leaf;
    const doc = this.#doc;
    return this.#services.readSource(docs.sourceChunk(doc), docs.sourceOffset(doc), docs.sourceLength(doc));
  }

  docValues(path: string, format?: string): SortValue[] {
    return docValues(this.#view, this.#leaf, this.#doc, path, format);
  }
}

/** For each document of a page, the names of the named queries that it matches; undefined where none were given. */
export function matchedNames(
  docs: readonly PageDoc[],
  named: ReadonlyMap<number, readonly NamedPlan[]>,
): (readonly string[] | undefined)[] {
  if (![...named.values()].some((n) => n.length > 0)) return docs.map(() => undefined);
  const names: (readonly string[])[] = docs.map(() => []);
  const bySide = Map.groupBy(docs.keys(), (i) => docs[i]!.side);
  for (const [side, members] of bySide) {
    const matches = new NamedMatches(named.get(side.indexPlace) ?? [], side.leaf);
    for (const i of members.sort((a, b) => docs[a]!.doc - docs[b]!.doc)) names[i] = matches.of(docs[i]!.doc);
  }
  return names;
}
