// Documents that hold a term: its postings, scored by BM25.

import { popcount32 } from '../../../kernels/bits.ts';
import { NO_NORM, termScore } from '../../../score/bm25.ts';
import { CHUNK_DOCS, CHUNK_WORDS, type Leaf, type Terms } from '../../../segment/leaf.ts';
import type { Matcher } from '../../matcher.ts';
import type { TermVisitor } from '../../query-terms.ts';
import { byteKey } from '../cache-key.ts';
import { chunkDocs, listDocs } from '../chunk-docs.ts';
import { NOTHING } from '../clauses/match-all-node.ts';
import { ScoringNode } from '../node.ts';
import { findGroup, setGroup } from './posting-groups.ts';

/** From this many postings in a leaf on, scores are looked up in a table. */
const MIN_TABLE_POSTINGS = 4096;
/** Frequencies below this have their scores in the table. */
const TABLE_FREQS = 8;

/** Up to this many postings a group is read through, however few documents are to be scored. */
const MAX_READ_THROUGH = 1024;

class TermMatcher implements Matcher {
  readonly cost: number;
  readonly #terms: Terms;
  readonly #ordinal: number;
  readonly #norms: Uint8Array | undefined;
  readonly #weight: number;
  readonly #inverses: Float32Array;
  readonly #node: TermNode;

  constructor(leaf: Leaf, terms: Terms, ordinal: number, node: TermNode) {
    this.cost = terms.docFreq(ordinal);
    this.#terms = terms;
    this.#ordinal = ordinal;
    this.#norms = leaf.norms(node.path);
    this.#weight = node.weight;
    this.#inverses = node.inverses;
    this.#node = node;
  }

  match(chunk: number, bits: Uint32Array): boolean {
    const postings = this.#terms.postings;
    const group = findGroup(postings, this.#ordinal, chunk);
    if (group < 0) {
      bits.fill(0);
      return false;
    }
    setGroup(postings, group, bits);
    return true;
  }

  score(chunk: number, bits: Uint32Array, scores: Float64Array): void {
    const postings = this.#terms.postings;
    const group = findGroup(postings, this.#ordinal, chunk);
    if (group < 0) return;
    const start = postings.start(group);
    const end = postings.end(group);
    if (end - start > MAX_READ_THROUGH && fewerThan(bits, (end - start) >>> 4)) {
      this.#scoreFew(chunk, group, bits, scores);
      return;
    }
    const lo = postings.lo;
    const norms = this.#norms;
    const base = chunk * CHUNK_DOCS;
    const weight = this.#weight;
    const inverses = this.#inverses;
    if (norms !== undefined && postings.freqs !== undefined && this.cost >= MIN_TABLE_POSTINGS) {
      this.#scoreByTable(start, end, norms.subarray(base), postings.freqs, bits, scores);
      return;
    }
    for (let p = start; p < end; p++) {
      const doc = lo[p]!;
      if (((bits[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
      const norm = norms === undefined ? NO_NORM : norms[base + doc]!;
      scores[doc]! += termScore(weight, postings.freq(p, norm), inverses[norm]!);
    }
  }

  /** Scores by the table, where there are many postings: nearly all have one of few frequencies. */
  #scoreByTable(
    start: number,
    end: number,
    norms: Uint8Array,
    freqs: Uint8Array,
    bits: Uint32Array,
    scores: Float64Array,
  ): void {
    const { postings } = this.#terms;
    const { lo, code } = postings;
    const table = this.#node.table;
    for (let p = start; p < end; p++) {
      const doc = lo[p]!;
      if (((bits[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
      const norm = norms[doc]!;
      const freq = freqs[(norm << 8) | code[p]!]!;
      scores[doc]! +=
        freq > 0 && freq < TABLE_FREQS
          ? table[norm * TABLE_FREQS + freq]!
          : termScore(this.#weight, postings.freq(p, norm), this.#inverses[norm]!);
    }
  }

  /** Scores few documents: finds the posting of each. */
  #scoreFew(chunk: number, group: number, bits: Uint32Array, scores: Float64Array): void {
    const postings = this.#terms.postings;
    const base = chunk * CHUNK_DOCS;
    const n = listDocs(bits);
    for (let i = 0; i < n; i++) {
      const doc = chunkDocs[i]!;
      const p = postings.find(group, doc);
      if (p < 0) continue;
      const norm = this.#norms === undefined ? NO_NORM : this.#norms[base + doc]!;
      scores[doc]! += termScore(this.#weight, postings.freq(p, norm), this.#inverses[norm]!);
    }
  }
}

/** Whether a chunk bitmap has fewer than n documents; stops counting once it has more. */
function fewerThan(bits: Uint32Array, n: number): boolean {
  let left = n;
  for (let w = 0; w < CHUNK_WORDS; w++) {
    const word = bits[w]!;
    if (word !== 0 && (left -= popcount32(word)) <= 0) return false;
  }
  return true;
}

/** What the weight of a term was made of. */
interface TermFactors {
  readonly boost: number;
  readonly docFreq: number;
  readonly docCount: number;
}

/** One term of a field with postings, with its weight (boost · idf) fixed. */
export class TermNode extends ScoringNode {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly weight: number;
  readonly inverses: Float32Array;
  /** For explanations. */
  readonly factors: TermFactors | undefined;
  #table: Float32Array | undefined;

  constructor(
    path: string,
    bytes: Uint8Array,
    weight: number,
    inverses: Float32Array,
    factors?: TermFactors,
  ) {
    super();
    this.path = path;
    this.bytes = bytes;
    this.weight = weight;
    this.inverses = inverses;
    this.factors = factors;
  }

  /** Scores of (norm, frequency) for small frequencies. */
  get table(): Float32Array {
    if (this.#table === undefined) {
      this.#table = new Float32Array(256 * TABLE_FREQS);
      for (let i = 0; i < this.#table.length; i++) {
        const inverse = this.inverses[Math.floor(i / TABLE_FREQS)]!;
        this.#table[i] = termScore(this.weight, i % TABLE_FREQS, inverse);
      }
    }
    return this.#table;
  }

  get key(): string {
    return `t${byteKey(this.path, this.bytes)}`;
  }

  visitTerms(visitor: TermVisitor): void {
    visitor.terms(this.path, [this.bytes]);
  }

  matcher(leaf: Leaf): Matcher {
    const terms = leaf.terms(this.path);
    if (terms === undefined || !terms.indexed) return NOTHING;
    const ordinal = terms.find(this.bytes, 0, this.bytes.length);
    return ordinal < 0 ? NOTHING : new TermMatcher(leaf, terms, ordinal, this);
  }
}
