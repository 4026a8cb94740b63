// A small world to search in: real tails and sealed segments of a few fields, filled by hand, with plain
// versions of the same documents that an oracle can sort and count.

import { buildAnalysis } from '../src/analysis/registry.ts';
import type { JsonObject } from '../src/json/value.ts';
import { parseMapping } from '../src/mapping/index-mapping.ts';
import { doubleKey, longKey } from '../src/mapping/types/sortable-key.ts';
import type { Mapping } from '../src/mapping/types/type.ts';
import { createMemory } from '../src/memory/arenas.ts';
import type { Memory } from '../src/memory/memory.ts';
import type { IndexView } from '../src/query/plan/index-view.ts';
import { BackgroundWork } from '../src/search/background-work.ts';
import { SearchCaches } from '../src/search/caches/search-caches.ts';
import { DEFAULT_SEARCH_LIMITS } from '../src/search/search-limits.ts';
import type { SearchServices } from '../src/search/services.ts';
import type { Leaf, LeafView } from '../src/segment/leaf.ts';
import { copySegment, type SegmentBytes } from '../src/segment/section-writer.ts';
import { openSegment } from '../src/segment/segment-leaf.ts';
import { Tail } from '../src/tail/tail.ts';

const memory: Memory = createMemory();
const encoder = new TextEncoder();

/** Fields of the world: numbers (several), doubles, keywords (several) and text. */
export interface WorldDoc {
  readonly n?: readonly number[];
  readonly f?: number;
  readonly k?: readonly string[];
  readonly t?: string;
}

/** A version of a document: alive at S when `from <= S < to`. */
export interface Version {
  readonly id: string;
  readonly doc: WorldDoc;
  readonly seqNo: number;
  readonly from: number;
  to: number;
}

const MAPPING: JsonObject = {
  properties: {
    n: { type: 'long' },
    f: { type: 'double' },
    k: { type: 'keyword' },
    t: { type: 'text' },
  },
};

function whole(steps: Generator<void, SegmentBytes>): Uint8Array {
  let step = steps.next();
  while (!step.done) step = steps.next();
  const block = memory.alloc(step.value.byteLength);
  const bytes = new Uint8Array(block.buffer, block.ptr, step.value.byteLength);
  copySegment(step.value, bytes);
  return bytes;
}

/** One index that is written by hand. */
export class World {
  readonly name: string;
  readonly mapping: Mapping;
  readonly versions: Version[] = [];
  commit = 0;
  #tail = new Tail(memory);
  readonly #sealed: Leaf[] = [];
  readonly #analysis = buildAnalysis({});
  #seqNo = 0;

  constructor(name: string) {
    this.name = name;
    this.mapping = parseMapping(MAPPING, this.#analysis);
  }

  /** Writes (or deletes, without a doc) some ids in one commit; an id may come once. */
  write(batch: readonly { id: string; doc: WorldDoc | undefined }[]): void {
    this.commit++;
    const seen = new Set<string>();
    const dying: string[] = [];
    const born: { id: string; doc: WorldDoc }[] = [];
    for (const { id, doc } of batch) {
      if (seen.has(id)) continue;
      seen.add(id);
      if (this.versions.some((v) => v.id === id && v.to === Number.POSITIVE_INFINITY)) dying.push(id);
      if (doc !== undefined) born.push({ id, doc });
    }
    for (const id of dying) this.#kill(id);
    for (const { id, doc } of born) this.#add(id, doc);
    this.#tail.closeBatch();
  }

  #kill(id: string): void {
    const version = this.versions.find((v) => v.id === id && v.to === Number.POSITIVE_INFINITY)!;
    version.to = this.commit;
    const bytes = encoder.encode(id);
    for (const leaf of [...this.#sealed, ...this.#tail.leaves()]) {
      for (let doc = leaf.docs.find(bytes); doc >= 0; doc = leaf.docs.find(bytes, doc)) {
        if (leaf.docs.seqNo(doc) === version.seqNo) leaf.deaths.append(doc, this.commit);
      }
    }
  }

  #add(id: string, doc: WorldDoc): void {
    const tail = this.#tail;
    const seqNo = this.#seqNo++;
    const at = { chunk: 0, offset: seqNo, length: 1 };
    tail.begin({
      id: encoder.encode(id),
      seqNo,
      version: 1,
      type: '_doc',
      routing: undefined,
      commit: this.commit,
      ...at,
    });
    const spec = (path: string) => this.mapping.field(path)!.spec;
    for (const x of doc.n ?? []) tail.numeric(spec('n'), longKey(x).hi, longKey(x).lo);
    if (doc.f !== undefined) tail.numeric(spec('f'), doubleKey(doc.f).hi, doubleKey(doc.f).lo);
    for (const k of doc.k ?? []) {
      const bytes = encoder.encode(k);
      tail.keyword(spec('k'), bytes, 0, bytes.length);
    }
    doc.t?.split(' ').forEach((word, position) => {
      const bytes = encoder.encode(word);
      tail.term(spec('t'), bytes, 0, bytes.length, position);
    });
    tail.end();
    this.versions.push({ id, doc, seqNo, from: this.commit, to: Number.POSITIVE_INFINITY });
  }

  /** Turns the tail into a sealed segment. */
  seal(): void {
    if (this.#tail.closedCount === 0) return;
    const leaf = openSegment(whole(this.#tail.seal()), { deaths: this.#tail.deaths() });
    this.#sealed.push(leaf);
    this.#tail = new Tail(memory);
  }

  /** What a snapshot shows. */
  view(snapshot: number = this.commit): IndexView {
    const leaves: LeafView[] = [...this.#sealed, ...this.#tail.leaves()].map((leaf) => {
      const docCount = leaf.docs.countAt(snapshot);
      const live = leaf.deaths.liveAt(snapshot);
      let liveCount = 0;
      for (let doc = 0; doc < docCount; doc++) {
        liveCount += live === undefined ? 1 : (live[doc >>> 5]! >>> (doc & 31)) & 1;
      }
      return { leaf, docCount, live, liveCount, deathCount: leaf.deaths.countAt(snapshot) };
    });
    return {
      name: this.name,
      uuid: `uuid-${this.name}`,
      mapping: this.mapping,
      settings: {},
      leaves,
      analyzer: (name) => this.#analysis.get(name),
    };
  }

  /** The documents that a snapshot shows, in insertion order. */
  alive(snapshot: number = this.commit): Version[] {
    return this.versions.filter((v) => v.from <= snapshot && snapshot < v.to);
  }
}

/** Services over nothing but memory; sources are the sequence number as text. */
export function worldServices(buildAtOnce = 65_536): SearchServices & { readonly work: BackgroundWork } {
  const work = new BackgroundWork();
  return {
    work,
    caches: new SearchCaches({}, memory),
    compat: 'opensearch',
    limits: { ...DEFAULT_SEARCH_LIMITS, buildAtOnce },
    now: () => 0,
    readSource: (_chunk, offset) => encoder.encode(`{"seq":${offset}}`),
    copySource: (_chunk, offset, _length, into, at) => into.set(encoder.encode(`{"seq":${offset}}`), at),
    background: (key, steps) => work.add(key, steps),
  };
}
