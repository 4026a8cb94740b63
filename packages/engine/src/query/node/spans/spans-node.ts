// Documents with spans: first the documents that hold the terms, then their positions. A document counts a
// span as 1 / (1 + width) occurrences of one term whose idf is the sum of those of all terms (Lucene: SpanWeight).

import { NO_NORM, termScore } from '../../../score/bm25.ts';
import { CHUNK_DOCS, CHUNK_WORDS, type Leaf } from '../../../segment/leaf.ts';
import { runToEnd } from '../../../turn.ts';
import type { Matcher } from '../../matcher.ts';
import type { TermVisitor } from '../../query-terms.ts';
import type { SpanList, SpanReader, SpanSource } from '../../span-list.ts';
import { textKey } from '../cache-key.ts';
import { chunkDocs, listDocs } from '../chunk-docs.ts';
import type { PlanNode } from '../node.ts';
import { ChunkScratch } from '../scratch.ts';
import { openPostings } from './posting-spans.ts';

class SpansMatcher implements Matcher {
  readonly cost: number;
  /** So many that a chunk is always matched ahead: positions are slow to read. */
  readonly termSets = 16;
  readonly #node: SpansNode;
  readonly #leaf: Leaf;
  readonly #reader: SpanReader;

  constructor(node: SpansNode, leaf: Leaf) {
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
            freqs.push(frequency(list));
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
    const { scratch, path, weight, inverses } = this.#node;
    if (!scratch.isClaimedBy(this, chunk)) runToEnd(this.matchAhead(chunk));
    const norms = this.#leaf.norms(path);
    const freqs = scratch.freqs;
    const base = chunk * CHUNK_DOCS;
    const n = listDocs(bits);
    for (let i = 0; i < n; i++) {
      const doc = chunkDocs[i]!;
      const norm = norms === undefined ? NO_NORM : norms[base + doc]!;
      scores[doc]! += termScore(weight, freqs[doc]!, inverses[norm]!);
    }
  }
}

/** Spans read between two yields. */
const SLICE = 8192;

/** Sum of the spans' frequencies, in float32 as Lucene adds them. */
function frequency({ widths, count }: SpanList): number {
  let freq = 0;
  for (let i = 0; i < count; i++) freq = Math.fround(freq + Math.fround(1 / (1 + widths[i]!)));
  return freq;
}

/** Spans of a query, settled for one view. */
export interface PlannedSpans {
  /** The field that the query is one of: clauses of a query must agree on it. */
  readonly path: string;
  /** The field whose statistics and lengths count, where the query stands alone. */
  readonly scoredPath: string;
  readonly source: SpanSource;
  /** The terms whose idfs are added up. */
  readonly terms: readonly SpanTerm[];
  /** The query as Lucene prints it. */
  readonly text: string;
}

/** A term that spans are made of. */
export interface SpanTerm {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A query of spans. */
export class SpansNode implements PlanNode {
  readonly scoring = true;
  readonly matchesAll = false;
  readonly sumsFloats = false;
  readonly matchesNone: boolean;
  readonly planned: PlannedSpans;
  readonly path: string;
  readonly source: SpanSource;
  readonly weight: number;
  readonly inverses: Float32Array;
  readonly scratch: ChunkScratch = new ChunkScratch();

  constructor(planned: PlannedSpans, weight: number, inverses: Float32Array, matchesNone: boolean) {
    this.planned = planned;
    this.path = planned.scoredPath;
    this.source = planned.source;
    this.weight = weight;
    this.inverses = inverses;
    this.matchesNone = matchesNone;
  }

  get key(): string {
    return `x(${textKey(this.path)}${this.source.key})`;
  }

  visitTerms(visitor: TermVisitor): void {
    visitor.spans(this.planned.path, this.source);
  }

  matcher(leaf: Leaf): Matcher {
    return new SpansMatcher(this, leaf);
  }
}
