// Spans of terms from the postings of a leaf: one span for each position.

import type { Leaf, Postings } from '../../../segment/leaf.ts';
import { NO_SPANS, type OpenTerms, SpanList, type SpanReader } from '../../span-list.ts';
import { findGroup, matchCost, orGroup } from '../terms/posting-groups.ts';

const NOTHING: SpanReader = {
  cost: 0,
  candidates(_chunk, bits) {
    bits.fill(0);
    return false;
  },
  read: () => NO_SPANS,
};

class PostingSpans implements SpanReader {
  readonly cost: number;
  readonly #postings: Postings;
  readonly #ordinals: readonly number[];
  readonly #groups: number[] = [];
  readonly #found: { positions: Uint32Array } = { positions: new Uint32Array(64) };
  readonly #out: SpanList = new SpanList();

  constructor(postings: Postings, ordinals: readonly number[], cost: number) {
    this.#postings = postings;
    this.#ordinals = ordinals;
    this.cost = cost;
  }

  candidates(chunk: number, bits: Uint32Array): boolean {
    this.#groups.length = 0;
    bits.fill(0);
    for (const ordinal of this.#ordinals) {
      const group = findGroup(this.#postings, ordinal, chunk);
      if (group < 0) continue;
      this.#groups.push(group);
      orGroup(this.#postings, group, bits);
    }
    return this.#groups.length > 0;
  }

  read(doc: number): SpanList {
    const out = this.#out;
    out.count = 0;
    let terms = 0;
    for (const group of this.#groups) {
      const posting = this.#postings.find(group, doc);
      if (posting < 0) continue;
      terms++;
      const n = this.#postings.positions(group, posting, this.#found);
      for (let i = 0; i < n; i++) out.add(this.#found.positions[i]!, this.#found.positions[i]! + 1, 0);
    }
    if (terms > 1) {
      // All widths are 0 and all ends follow from the starts, so that only the starts have to be sorted.
      const starts = out.starts.slice(0, out.count).sort((a, b) => a - b);
      out.count = 0;
      for (const start of starts) out.add(start, start + 1, 0);
    }
    return out;
  }
}

/** The terms of a leaf. */
export function openPostings(leaf: Leaf): OpenTerms {
  return (path, list) => {
    const terms = leaf.terms(path);
    if (terms === undefined || !terms.hasPositions) return NOTHING;
    const ordinals = list.map((bytes) => terms.find(bytes, 0, bytes.length)).filter((o) => o >= 0);
    if (ordinals.length === 0) return NOTHING;
    return new PostingSpans(terms.postings, ordinals, matchCost(leaf, terms, ordinals));
  };
}
