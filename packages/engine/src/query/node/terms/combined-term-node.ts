// Terms in several fields, counted as if the fields were one (Lucene's CombinedFieldQuery; Robertson, Zaragoza and
// Taylor 2004, BM25F): frequencies and lengths are summed by the weights of the fields before the score is taken.

import { NO_NORM, termScore } from '../../../score/bm25.ts';
import { CHUNK_DOCS, type Leaf, type Terms } from '../../../segment/leaf.ts';
import { LENGTHS, normOf } from '../../../segment/postings/norms.ts';
import type { Matcher } from '../../matcher.ts';
import type { TermVisitor } from '../../query-terms.ts';
import { byteKey } from '../cache-key.ts';
import { chunkDocs, listDocs } from '../chunk-docs.ts';
import { NOTHING } from '../clauses/match-all-node.ts';
import { ScoringNode } from '../node.ts';
import { ChunkScratch } from '../scratch.ts';
import { findGroup, matchCost, orGroup } from './posting-groups.ts';

/** A field with its weight. */
export interface CombinedField {
  readonly path: string;
  readonly weight: number;
}

interface LeafField {
  readonly terms: Terms;
  readonly ordinals: readonly number[];
  readonly norms: Uint8Array | undefined;
  readonly weight: number;
}

interface Lengths {
  readonly norms: Uint8Array;
  readonly weight: number;
}

class CombinedTermMatcher implements Matcher {
  readonly cost: number;
  readonly #fields: readonly LeafField[];
  /** Of all fields, also those without the terms. */
  readonly #lengths: readonly Lengths[];
  readonly #node: CombinedTermNode;

  constructor(leaf: Leaf, fields: readonly LeafField[], node: CombinedTermNode) {
    const costs = fields.map(({ terms, ordinals }) => matchCost(leaf, terms, ordinals));
    this.cost = Math.min(
      leaf.docCount,
      costs.reduce((sum, each) => sum + each, 0),
    );
    this.#fields = fields;
    this.#lengths = node.fields.flatMap(({ path, weight }) => {
      const norms = leaf.norms(path);
      return norms === undefined ? [] : { norms, weight };
    });
    this.#node = node;
  }

  match(chunk: number, bits: Uint32Array): boolean {
    let any = false;
    bits.fill(0);
    for (const { terms, ordinals } of this.#fields) {
      for (const ordinal of ordinals) {
        const group = findGroup(terms.postings, ordinal, chunk);
        if (group < 0) continue;
        orGroup(terms.postings, group, bits);
        any = true;
      }
    }
    return any;
  }

  score(chunk: number, bits: Uint32Array, scores: Float64Array): void {
    const { freqs } = this.#node.scratch;
    const base = chunk * CHUNK_DOCS;
    for (const { terms, ordinals, norms, weight } of this.#fields) {
      const { postings } = terms;
      for (const ordinal of ordinals) {
        const group = findGroup(postings, ordinal, chunk);
        if (group < 0) continue;
        const end = postings.end(group);
        for (let p = postings.start(group); p < end; p++) {
          const doc = postings.lo[p]!;
          if (((bits[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
          const freq = postings.freq(p, norms === undefined ? NO_NORM : norms[base + doc]!);
          freqs[doc]! += Math.fround(weight * freq);
        }
      }
    }
    const n = listDocs(bits);
    for (let i = 0; i < n; i++) {
      const doc = chunkDocs[i]!;
      const inverse = this.#node.inverses[this.#norm(base + doc)]!;
      scores[doc]! += termScore(this.#node.weight, freqs[doc]!, inverse);
      freqs[doc] = 0;
    }
  }

  /** The norm of all fields of a document together. */
  #norm(doc: number): number {
    let length = 0;
    for (const { norms, weight } of this.#lengths)
      length = Math.fround(length + Math.fround(weight * LENGTHS[norms[doc]!]!));
    return length === 0 ? NO_NORM : normOf(Math.round(length));
  }
}

/** Terms of equal meaning in several fields, as one term of one field. */
export class CombinedTermNode extends ScoringNode {
  readonly fields: readonly CombinedField[];
  readonly terms: readonly Uint8Array[];
  readonly weight: number;
  readonly inverses: Float32Array;
  readonly scratch: ChunkScratch = new ChunkScratch();

  constructor(
    fields: readonly CombinedField[],
    terms: readonly Uint8Array[],
    weight: number,
    inverses: Float32Array,
  ) {
    super();
    this.fields = fields;
    this.terms = terms;
    this.weight = weight;
    this.inverses = inverses;
  }

  get key(): string {
    return `b[1?${this.fields
      .flatMap(({ path }) => this.terms.map((bytes) => `t${byteKey(path, bytes)}`))
      .sort()
      .join('')}]`;
  }

  visitTerms(visitor: TermVisitor): void {
    for (const { path } of this.fields) visitor.terms(path, this.terms);
  }

  matcher(leaf: Leaf): Matcher {
    const fields = this.fields.flatMap(({ path, weight }): LeafField[] => {
      const terms = leaf.terms(path);
      if (terms === undefined || !terms.indexed) return [];
      const found = this.terms.map((each) => terms.find(each, 0, each.length)).filter((each) => each >= 0);
      const ordinals = [...new Set(found)];
      return ordinals.length === 0 ? [] : [{ terms, ordinals, norms: leaf.norms(path), weight }];
    });
    return fields.length === 0 ? NOTHING : new CombinedTermMatcher(leaf, fields, this);
  }
}
