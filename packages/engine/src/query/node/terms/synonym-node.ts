// Several terms at one position, counted as one: frequencies are summed before the score is taken (Lucene's
// SynonymQuery).

import { NO_NORM, termScore } from '../../../score/bm25.ts';
import { CHUNK_DOCS, type Leaf, type Terms } from '../../../segment/leaf.ts';
import type { Matcher } from '../../matcher.ts';
import type { TermVisitor } from '../../query-terms.ts';
import { byteKey } from '../cache-key.ts';
import { chunkDocs, listDocs } from '../chunk-docs.ts';
import { NOTHING } from '../clauses/match-all-node.ts';
import { ScoringNode } from '../node.ts';
import { ChunkScratch } from '../scratch.ts';
import { findGroup, matchCost, orGroup } from './posting-groups.ts';

class SynonymMatcher implements Matcher {
  readonly cost: number;
  readonly #leaf: Leaf;
  readonly #terms: Terms;
  readonly #ordinals: readonly number[];
  readonly #node: SynonymNode;

  constructor(leaf: Leaf, terms: Terms, ordinals: readonly number[], node: SynonymNode) {
    this.cost = matchCost(leaf, terms, ordinals);
    this.#leaf = leaf;
    this.#terms = terms;
    this.#ordinals = ordinals;
    this.#node = node;
  }

  match(chunk: number, bits: Uint32Array): boolean {
    let any = false;
    bits.fill(0);
    for (const ordinal of this.#ordinals) {
      const group = findGroup(this.#terms.postings, ordinal, chunk);
      if (group < 0) continue;
      orGroup(this.#terms.postings, group, bits);
      any = true;
    }
    return any;
  }

  score(chunk: number, bits: Uint32Array, scores: Float64Array): void {
    const postings = this.#terms.postings;
    const freqs = this.#node.scratch.freqs;
    const norms = this.#leaf.norms(this.#node.path);
    const base = chunk * CHUNK_DOCS;
    for (const ordinal of this.#ordinals) {
      const group = findGroup(postings, ordinal, chunk);
      if (group < 0) continue;
      const end = postings.end(group);
      for (let p = postings.start(group); p < end; p++) {
        const doc = postings.lo[p]!;
        if (((bits[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
        freqs[doc]! += postings.freq(p, norms === undefined ? NO_NORM : norms[base + doc]!);
      }
    }
    const n = listDocs(bits);
    for (let i = 0; i < n; i++) {
      const doc = chunkDocs[i]!;
      const norm = norms === undefined ? NO_NORM : norms[base + doc]!;
      scores[doc]! += termScore(this.#node.weight, freqs[doc]!, this.#node.inverses[norm]!);
      freqs[doc] = 0;
    }
  }
}

/** Several terms as one. */
export class SynonymNode extends ScoringNode {
  readonly path: string;
  readonly terms: readonly Uint8Array[];
  readonly weight: number;
  readonly inverses: Float32Array;
  readonly scratch: ChunkScratch = new ChunkScratch();

  constructor(path: string, terms: readonly Uint8Array[], weight: number, inverses: Float32Array) {
    super();
    this.path = path;
    this.terms = terms;
    this.weight = weight;
    this.inverses = inverses;
  }

  get key(): string {
    return `b[1?${this.terms
      .map((bytes) => `t${byteKey(this.path, bytes)}`)
      .sort()
      .join('')}]`;
  }

  visitTerms(visitor: TermVisitor): void {
    visitor.terms(this.path, this.terms);
  }

  matcher(leaf: Leaf): Matcher {
    const terms = leaf.terms(this.path);
    if (terms === undefined || !terms.indexed) return NOTHING;
    const ordinals = this.terms.map((b) => terms.find(b, 0, b.length)).filter((ordinal) => ordinal >= 0);
    return ordinals.length === 0 ? NOTHING : new SynonymMatcher(leaf, terms, [...new Set(ordinals)], this);
  }
}
