// Ranges of a tail's documents, as the writer sees them: identity and deaths, enough to overwrite them,
// without making them searchable. Their fields are inverted by the first search.

import { Deaths, mergeDeaths } from '../../segment/deaths.ts';
import type { DocumentRange, DocumentRangeTable } from '../../segment/leaf.ts';
import type { TailDocuments } from '../forward/tail-documents.ts';
import type { TailFields } from '../forward/tail-fields.ts';

/** The doc table of a range. Created with every commit. */
class RangeDocuments implements DocumentRangeTable {
  readonly #documents: TailDocuments;
  readonly #start: number;
  readonly #end: number;

  constructor(documents: TailDocuments, start: number, end: number) {
    this.#documents = documents;
    this.#start = start;
    this.#end = end;
  }

  seqNo(doc: number): number {
    return this.#documents.seqNo(this.#start + doc);
  }

  version(doc: number): number {
    return this.#documents.version(this.#start + doc);
  }

  type(doc: number): string {
    return this.#documents.type(this.#start + doc);
  }

  routing(doc: number): string | undefined {
    return this.#documents.routing(this.#start + doc);
  }

  commit(doc: number): number {
    return this.#documents.commit(this.#start + doc);
  }

  countAt(commit: number): number {
    return this.#documents.countAt(commit, this.#start, this.#end);
  }

  sourceChunk(doc: number): number {
    return this.#documents.sourceChunk(this.#start + doc);
  }

  sourceOffset(doc: number): number {
    return this.#documents.sourceOffset(this.#start + doc);
  }

  sourceLength(doc: number): number {
    return this.#documents.sourceLength(this.#start + doc);
  }
}

/** Documents [start, end) of a tail, numbered from 0. */
export class TailRange implements DocumentRange {
  readonly start: number;
  readonly end: number;
  readonly docCount: number;
  readonly docs: DocumentRangeTable;
  readonly deaths: Deaths;
  readonly #fields: TailFields;

  constructor(documents: TailDocuments, fields: TailFields, start: number, end: number, deaths: Deaths) {
    this.#fields = fields;
    this.start = start;
    this.end = end;
    this.docCount = end - start;
    this.deaths = deaths;
    this.docs = new RangeDocuments(documents, start, end);
  }

  termsOf(slot: number, doc: number): readonly Uint8Array[] {
    return this.#fields.bySlot[slot]?.termsOf(this.start + doc) ?? [];
  }
}

/** The death logs of adjacent minis as one, in commit order, for documents [start, end). */
export function mergedDeaths(ranges: readonly TailRange[], start: number, end: number): Deaths {
  const merged = new Deaths(end - start);
  // Nothing has died if every document is new.
  if (ranges.every(({ deaths }) => deaths.count === 0)) return merged;
  const sources = ranges.map(({ deaths, start: first }) => ({
    deaths,
    newDoc: (doc: number) => (first + doc < end ? first + doc - start : -1),
  }));
  mergeDeaths(sources, merged);
  return merged;
}

/** A death, by number in the tail. */
export interface TailDeath {
  readonly doc: number;
  readonly commit: number;
}

/** The deaths in commits (after, upTo], in commit order. */
export function deathsIn(ranges: readonly TailRange[], after: number, upTo: number): readonly TailDeath[] {
  const found: TailDeath[] = [];
  for (const { deaths, start } of ranges) {
    const end = deaths.countAt(upTo);
    for (let entry = deaths.countAt(after); entry < end; entry++)
      found.push({ doc: start + deaths.doc(entry), commit: deaths.commit(entry) });
  }
  return found.sort((a, b) => a.commit - b.commit);
}

/** The range of a document; undefined behind the last range. O(log ranges). REQUIRES: adjacent ranges. */
export function rangeAt(ranges: readonly TailRange[], doc: number): TailRange | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (ranges[mid]!.end <= doc) low = mid + 1;
    else high = mid;
  }
  return ranges[low];
}
