// The doc table of a tail: rows of documents in commit order, and a hash table from id to the newest
// document.

import { utf8Text } from '../../json/bytes.ts';
import { hashBytes } from '../../kernels/sorted-search.ts';
import type { Memory } from '../../memory/memory.ts';
import { hashIds, idHash } from '../../segment/doc-view.ts';
import { encodeNames } from '../../segment/field-records.ts';
import { KIND } from '../../segment/format.ts';
import type { SectionWriter } from '../../segment/section-writer.ts';
import { tableSize } from '../../segment/terms.ts';
import { GrowableBytes, GrowableDoubles, GrowableWords } from '../terms/growable.ts';

const encoder = new TextEncoder();
/**
 * Initial slots of the id table, which is at most half full. It then grows by four, so ids are rarely rehashed.
 */
const FIRST_SLOTS = 2_048;
/** Ids hashed between two yields. */
const SLICE_DOCS = 256;

/** One document, from the write path. */
export interface TailDocument {
  readonly id: Uint8Array;
  readonly seqNo: number;
  readonly version: number;
  /** '_doc' unless a typed path said otherwise. */
  readonly type: string;
  /** Undefined or empty: none. */
  readonly routing: string | undefined;
  readonly commit: number;
  /** Place of the source in the document log. */
  readonly chunk: number;
  readonly offset: number;
  readonly length: number;
}

/** The rows of a tail, for another thread to read. */
export interface LentDocuments {
  readonly types: readonly string[];
  readonly ids: Uint8Array;
  readonly routings: Uint8Array;
  readonly words: readonly Uint32Array[];
  readonly doubles: readonly Float64Array[];
}

/** Rows of documents, in commit order. */
export class TailDocuments {
  readonly #idBytes: GrowableBytes;
  readonly #idEnds: GrowableWords;
  readonly #routingBytes: GrowableBytes;
  readonly #routingEnds: GrowableWords;
  readonly #seqNos: GrowableDoubles;
  readonly #versions: GrowableDoubles;
  readonly #commits: GrowableDoubles;
  readonly #types: GrowableWords;
  readonly #chunks: GrowableWords;
  readonly #offsets: GrowableWords;
  readonly #lengths: GrowableWords;
  readonly #typeNames: string[] = ['_doc'];
  #hash: Uint32Array = new Uint32Array(FIRST_SLOTS);
  #hashed = 0;
  /** Per hashed document: 1 + the previous document with the same id, or 0. */
  readonly #previous: GrowableWords;

  constructor(memory: Memory) {
    this.#idBytes = new GrowableBytes(memory);
    this.#idEnds = new GrowableWords(memory);
    this.#routingBytes = new GrowableBytes(memory);
    this.#routingEnds = new GrowableWords(memory);
    this.#seqNos = new GrowableDoubles(memory);
    this.#versions = new GrowableDoubles(memory);
    this.#commits = new GrowableDoubles(memory);
    this.#types = new GrowableWords(memory);
    this.#previous = new GrowableWords(memory);
    this.#chunks = new GrowableWords(memory);
    this.#offsets = new GrowableWords(memory);
    this.#lengths = new GrowableWords(memory);
  }

  get count(): number {
    return this.#idEnds.length;
  }

  push(doc: TailDocument): void {
    this.#idBytes.append(doc.id, 0, doc.id.length);
    this.#idEnds.push(this.#idBytes.length);
    if (doc.routing) {
      const routing = encoder.encode(doc.routing);
      this.#routingBytes.append(routing, 0, routing.length);
    }
    this.#routingEnds.push(this.#routingBytes.length);
    this.#seqNos.push(doc.seqNo);
    this.#versions.push(doc.version);
    this.#commits.push(doc.commit);
    let type = this.#typeNames.indexOf(doc.type);
    if (type < 0) type = this.#typeNames.push(doc.type) - 1;
    this.#types.push(type);
    this.#chunks.push(doc.chunk);
    this.#offsets.push(doc.offset);
    this.#lengths.push(doc.length);
  }

  /** Drops documents from `count` on. */
  truncate(count: number): void {
    for (const column of this.#columns()) if (column.length > count) column.length = count;
    this.#idBytes.length = count === 0 ? 0 : this.#idEnds.view[count - 1]!;
    this.#routingBytes.length = count === 0 ? 0 : this.#routingEnds.view[count - 1]!;
    if (count < this.#hashed) {
      this.#hash.fill(0);
      this.#hashed = this.#previous.length = 0;
      this.indexIds(count);
    }
  }

  /** Makes documents below `count` findable by id. */
  indexIds(count: number): void {
    if (count * 2 > this.#hash.length) {
      this.#hash = new Uint32Array(tableSize(Math.max(count * 2, this.#hash.length * 2)));
      this.#hashed = this.#previous.length = 0;
    }
    const mask = this.#hash.length - 1;
    for (; this.#hashed < count; this.#hashed++) {
      const start = this.#idStart(this.#hashed);
      const end = this.#idEnds.view[this.#hashed]!;
      let slot = hashBytes(this.#idBytes.view, start, end) & mask;
      while (this.#hash[slot] !== 0 && !this.#same(this.#hash[slot]! - 1, this.#idBytes.view, start, end)) {
        slot = (slot + 1) & mask;
      }
      this.#previous.push(this.#hash[slot]!);
      this.#hash[slot] = this.#hashed + 1;
    }
  }

  /** The newest hashed document with this id, or -1. */
  find(id: Uint8Array): number {
    const mask = this.#hash.length - 1;
    for (let slot = hashBytes(id, 0, id.length) & mask; ; slot = (slot + 1) & mask) {
      const doc = this.#hash[slot]! - 1;
      if (doc < 0 || this.#same(doc, id, 0, id.length)) return doc;
    }
  }

  /** Whether this is the id of a hashed document. */
  isId(doc: number, id: Uint8Array): boolean {
    return doc < this.#hashed && this.#same(doc, id, 0, id.length);
  }

  /** The hashed document before this one with the same id, or -1. */
  older(doc: number): number {
    return this.#previous.view[doc]! - 1;
  }

  seqNo(doc: number): number {
    return this.#seqNos.view[doc]!;
  }

  version(doc: number): number {
    return this.#versions.view[doc]!;
  }

  type(doc: number): string {
    return this.#typeNames[this.#types.view[doc]!]!;
  }

  routing(doc: number): string | undefined {
    const start = doc === 0 ? 0 : this.#routingEnds.view[doc - 1]!;
    const end = this.#routingEnds.view[doc]!;
    return start === end ? undefined : utf8Text(this.#routingBytes.view, start, end);
  }

  commit(doc: number): number {
    return this.#commits.view[doc]!;
  }

  /** How many of documents [from, to) were written at or before a commit. */
  countAt(commit: number, from: number, to: number): number {
    const commits = this.#commits.view;
    let low = from;
    let high = to;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (commits[mid]! <= commit) low = mid + 1;
      else high = mid;
    }
    return low - from;
  }

  sourceChunk(doc: number): number {
    return this.#chunks.view[doc]!;
  }

  sourceOffset(doc: number): number {
    return this.#offsets.view[doc]!;
  }

  sourceLength(doc: number): number {
    return this.#lengths.view[doc]!;
  }

  /** The sections of documents [from, to), numbered from 0. Yields as it goes. */
  *write(from: number, to: number, sections: SectionWriter): Generator<void, void> {
    const n = to - from;
    const idStarts = starts(this.#idEnds.view, from, to);
    const idFrom = this.#idStart(from);
    const idBytes = this.#idBytes.view.subarray(idFrom, idFrom + idStarts[n]!);
    sections.addPlain(KIND.idBytes, idBytes);
    sections.addPlain(KIND.idStarts, idStarts);
    const ids = idHash(n);
    for (let doc = 0; doc < n; doc += SLICE_DOCS) {
      hashIds(ids, idBytes, idStarts, doc, Math.min(n, doc + SLICE_DOCS), n);
      yield;
    }
    sections.addPlain(KIND.idHash, ids.hash);
    sections.addPlain(KIND.idPrevious, ids.previous);
    sections.addPlain(KIND.seqNos, this.#seqNos.view.subarray(from, to));
    const versions = this.#versions.view.subarray(from, to);
    if (versions.some((version) => version !== 1)) sections.addPlain(KIND.versions, versions);
    const types = this.#types.view.subarray(from, to);
    if (types.some((type) => type !== 0)) {
      sections.addPlain(KIND.types, Uint16Array.from(types));
      sections.addPlain(KIND.typeNames, encodeNames(this.#typeNames));
    }
    const routingStarts = starts(this.#routingEnds.view, from, to);
    if (routingStarts[n]! > 0) {
      const at = from === 0 ? 0 : this.#routingEnds.view[from - 1]!;
      sections.addPlain(KIND.routingBytes, this.#routingBytes.view.subarray(at, at + routingStarts[n]!));
      sections.addPlain(KIND.routingStarts, routingStarts);
    }
    writeRuns(this.#commits.view, from, to, sections);
    sections.addPlain(KIND.sourceChunks, this.#chunks.view.subarray(from, to));
    sections.addPlain(KIND.sourceOffsets, this.#offsets.view.subarray(from, to));
    sections.addPlain(KIND.sourceLengths, this.#lengths.view.subarray(from, to));
  }

  /** The first `count` documents. */
  lend(count: number = this.count): LentDocuments {
    return {
      types: this.#typeNames,
      ids: this.#idBytes.lend(),
      routings: this.#routingBytes.lend(),
      words: this.#words().map((column) => column.view.subarray(0, count)),
      doubles: this.#doubles().map((column) => column.view.subarray(0, count)),
    };
  }

  /** Replaces the contents by what another thread has lent: enough for `indexIds` and `write`. */
  borrow({ types, ids, routings, words, doubles }: LentDocuments): void {
    this.#typeNames.splice(0, this.#typeNames.length, ...types);
    this.#idBytes.borrow(ids);
    this.#routingBytes.borrow(routings);
    for (const [i, column] of this.#words().entries()) column.borrow(words[i]!);
    for (const [i, column] of this.#doubles().entries()) column.borrow(doubles[i]!);
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#arrays().reduce((sum, array) => sum + array.bytes, this.#hash.byteLength);
  }

  release(): void {
    for (const array of this.#arrays()) array.release();
  }

  #idStart(doc: number): number {
    return doc === 0 ? 0 : this.#idEnds.view[doc - 1]!;
  }

  #same(doc: number, id: Uint8Array, start: number, end: number): boolean {
    const at = this.#idStart(doc);
    const length = end - start;
    if (this.#idEnds.view[doc]! - at !== length) return false;
    const bytes = this.#idBytes.view;
    for (let i = 0; i < length; i++) if (bytes[at + i] !== id[start + i]) return false;
    return true;
  }

  #words(): GrowableWords[] {
    return [this.#idEnds, this.#routingEnds, this.#types, this.#chunks, this.#offsets, this.#lengths];
  }

  #doubles(): GrowableDoubles[] {
    return [this.#seqNos, this.#versions, this.#commits];
  }

  #columns(): (GrowableWords | GrowableDoubles)[] {
    return [...this.#words(), ...this.#doubles()];
  }

  #arrays(): (GrowableBytes | GrowableWords | GrowableDoubles)[] {
    return [this.#idBytes, this.#routingBytes, this.#previous, ...this.#columns()];
  }
}

/** Converts the ends of all rows to the starts of rows [from, to), relative to the first. */
function starts(ends: Uint32Array, from: number, to: number): Uint32Array {
  const out = new Uint32Array(to - from + 1);
  const base = from === 0 ? 0 : ends[from - 1]!;
  for (let i = from; i < to; i++) out[i - from + 1] = ends[i]! - base;
  return out;
}

function writeRuns(commits: Float64Array, from: number, to: number, sections: SectionWriter): void {
  const runs: number[] = [];
  for (let i = from; i < to; i++) if (i === from || commits[i] !== commits[i - 1]) runs.push(i);
  sections.addPlain(
    KIND.runStarts,
    Uint32Array.from(runs, (doc) => doc - from),
  );
  sections.addPlain(
    KIND.runCommits,
    Float64Array.from(runs, (doc) => commits[doc]!),
  );
}
