// Documents with certain spans: first the documents that hold the terms, then their positions. Spans and
// intervals share this; they differ in what a span counts for and how a document is scored.

import { NO_NORM } from '../../../score/bm25.ts';
import { CHUNK_DOCS, CHUNK_WORDS, type Leaf } from '../../../segment/leaf.ts';
import { runToEnd } from '../../../turn.ts';
import type { Matcher } from '../../matcher.ts';
import type { TermVisitor } from '../../query-terms.ts';
import type { SpanList, SpanReader, SpanSource } from '../../span-list.ts';
import { chunkDocs, listDocs } from '../chunk-docs.ts';
import type { PlanNode } from '../node.ts';
import { ChunkScratch } from '../scratch.ts';
import { openPostings } from './posting-spans.ts';

class PositionsMatcher implements Matcher {
  readonly cost: number;
  /** So many that a chunk is always matched ahead: positions are slow to read. */
  readonly effort = 16;
  readonly #node: PositionsNode;
  readonly #leaf: Leaf;
  readonly #reader: SpanReader;

  constructor(node: PositionsNode, leaf: Leaf) {
    this.#node = node;
    this.#leaf = leaf;
    this.#reader = node.source.open(openPostings(leaf));
    this.cost = this.#reader.cost;
  }

  match(chunk: number, bits: Uint32Array): boolean {
    const { scratch } = this.#node;
    if (!scratch.isClaimedBy(this, chunk)) runToEnd(this.matchAhead(chunk));
    const found = scratch.bits(0);
    bits.set(found);
    return found.some((word) => word !== 0);
  }

  /** Reads the positions of all candidates; yields every few documents. */
  *matchAhead(chunk: number): Generator<void, void, undefined> {
    const { scratch } = this.#node;
    // A generator of another matcher may run between two steps, so that the result is copied at the end.
    const bits = new Uint32Array(CHUNK_WORDS);
    const freqs: number[] = [];
    const docs: number[] = [];
    if (this.#reader.candidates(chunk, bits)) {
      let spans = 0;
      for (let w = 0; w < CHUNK_WORDS; w++) {
        let word = bits[w]!;
        while (word !== 0) {
          const low = word & -word;
          word ^= low;
          const doc = (w << 5) + 31 - Math.clz32(low);
          const list = this.#reader.read(doc);
          spans += 8 + list.count;
          if (list.count === 0) bits[w]! ^= low;
          else {
            docs.push(doc);
            freqs.push(this.#node.frequency(list));
          }
          if (spans > SLICE) {
            spans = 0;
            yield;
          }
        }
      }
    }
    scratch.claim(this, chunk);
    scratch.bits(0).set(bits);
    docs.forEach((doc, i) => {
      scratch.freqs[doc] = freqs[i]!;
    });
  }

  score(chunk: number, bits: Uint32Array, scores: Float64Array): void {
    const { scratch, path } = this.#node;
    if (!scratch.isClaimedBy(this, chunk)) runToEnd(this.matchAhead(chunk));
    const norms = this.#leaf.norms(path);
    const freqs = scratch.freqs;
    const base = chunk * CHUNK_DOCS;
    const n = listDocs(bits);
    for (let i = 0; i < n; i++) {
      const doc = chunkDocs[i]!;
      const norm = norms === undefined ? NO_NORM : norms[base + doc]!;
      scores[doc]! += this.#node.score(freqs[doc]!, norm);
    }
  }
}

/** Spans read between two yields. */
const SLICE = 8192;

/** A query of positions. */
export abstract class PositionsNode implements PlanNode {
  readonly scoring = true;
  readonly matchesAll = false;
  readonly sumsFloats = false;
  readonly matchesNone: boolean;
  /** The field whose lengths count. */
  readonly path: string;
  readonly source: SpanSource;
  readonly scratch: ChunkScratch = new ChunkScratch();

  constructor(path: string, source: SpanSource, matchesNone: boolean) {
    this.path = path;
    this.source = source;
    this.matchesNone = matchesNone;
  }

  /** What the spans of a document count for together, as a float32. */
  abstract frequency(spans: SpanList): number;
  /** The score of a frequency, in a document of a length. */
  abstract score(frequency: number, norm: number): number;
  abstract get key(): string;
  abstract visitTerms(visitor: TermVisitor): void;

  matcher(leaf: Leaf): Matcher {
    return new PositionsMatcher(this, leaf);
  }
}
