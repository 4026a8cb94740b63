// Documents that hold terms next to each other, or nearly: first the documents that hold them all, then their
// positions.

import { andInto } from '../../../kernels/bits.ts';
import { NO_NORM, termScore } from '../../../score/bm25.ts';
import {
  exactFrequency,
  type PhrasePositions,
  SloppyFrequency,
} from '../../../score/phrase/phrase-frequency.ts';
import { CHUNK_DOCS, CHUNK_WORDS, type Leaf, type Terms } from '../../../segment/leaf.ts';
import type { Matcher } from '../../matcher.ts';
import type { PhraseSlot, TermVisitor } from '../../query-terms.ts';
import { byteKey } from '../cache-key.ts';
import { chunkDocs, listDocs } from '../chunk-docs.ts';
import { NOTHING } from '../clauses/match-all-node.ts';
import { ScoringNode } from '../node.ts';
import { ChunkScratch } from '../scratch.ts';
import { findGroup, matchCost, orGroup } from './posting-groups.ts';

class PhraseMatcher implements Matcher {
  readonly cost: number;
  readonly #node: PhraseNode;
  readonly #leaf: Leaf;
  readonly #terms: Terms;
  readonly #ordinals: readonly (readonly number[])[];
  readonly #slots: PhrasePositions[];
  readonly #sloppy: SloppyFrequency | undefined;
  readonly #out: { positions: Uint32Array } = { positions: new Uint32Array(64) };
  #merged: Uint32Array = new Uint32Array(64);

  constructor(node: PhraseNode, leaf: Leaf, terms: Terms, ordinals: readonly (readonly number[])[]) {
    this.#node = node;
    this.#leaf = leaf;
    this.#terms = terms;
    this.#ordinals = ordinals;
    this.cost = Math.min(...ordinals.map((list) => matchCost(leaf, terms, list)));
    const groups = sharing(ordinals);
    this.#slots = node.slots.map(({ offset }, i) => ({
      offset,
      positions: new Uint32Array(64),
      count: 0,
      group: groups[i]!,
    }));
    this.#sloppy = node.slop > 0 ? new SloppyFrequency(this.#slots, node.slop) : undefined;
  }

  match(chunk: number, bits: Uint32Array): boolean {
    const { scratch, scores } = this.#node;
    const postings = this.#terms.postings;
    scratch.claim(this, chunk);
    const other = scratch.bits(0);
    const groups = this.#ordinals.map((list) =>
      list.map((ordinal) => findGroup(postings, ordinal, chunk)).filter((group) => group >= 0),
    );
    bits.fill(0);
    if (groups.some((list) => list.length === 0)) return false;
    groups.forEach((list, i) => {
      const into = i === 0 ? bits : other.fill(0);
      for (const group of list) orGroup(postings, group, into);
      if (i > 0) andInto(bits, other);
    });
    let any = 0;
    for (let w = 0; w < CHUNK_WORDS; w++) {
      let word = bits[w]!;
      while (word !== 0) {
        const low = word & -word;
        word ^= low;
        const doc = (w << 5) + 31 - Math.clz32(low);
        const freq = this.#frequency(groups, doc, scores);
        if (freq === 0) bits[w]! ^= low;
        else if (scores) scratch.freqs[doc] = freq;
      }
      any |= bits[w]!;
    }
    return any !== 0;
  }

  score(chunk: number, bits: Uint32Array, scores: Float64Array): void {
    const { scratch, path, weight, inverses } = this.#node;
    if (!scratch.isClaimedBy(this, chunk)) this.match(chunk, scratch.bits(1));
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

  /** Frequency of the phrase in a document that holds a term of every slot. */
  #frequency(groups: readonly (readonly number[])[], doc: number, exactCount: boolean): number {
    for (let i = 0; i < groups.length; i++) this.#read(groups[i]!, doc, this.#slots[i]!);
    if (this.#sloppy !== undefined) return this.#sloppy.frequency(this.#slots);
    return exactFrequency(this.#slots, exactCount ? undefined : 1, this.#ordinals[0]!.length > 1);
  }

  /** Reads the positions of a slot: those of its one term, or those of several merged. */
  #read(groups: readonly number[], doc: number, slot: PhrasePositions): void {
    const postings = this.#terms.postings;
    slot.count = 0;
    for (const group of groups) {
      const posting = postings.find(group, doc);
      if (posting < 0) continue;
      if (slot.count === 0) {
        slot.count = postings.positions(group, posting, slot);
      } else {
        this.#merge(slot, postings.positions(group, posting, this.#out));
      }
    }
  }

  /** Merges the positions just read into those of a slot. A place with several of its terms counts for each, as in Lucene. */
  #merge(slot: PhrasePositions, more: number): void {
    if (this.#merged.length < slot.count + more) this.#merged = new Uint32Array((slot.count + more) * 2);
    const out = this.#merged;
    const a = slot.positions;
    const b = this.#out.positions;
    let n = 0;
    for (let i = 0, j = 0; i < slot.count || j < more; ) {
      const fromA = j >= more || (i < slot.count && a[i]! <= b[j]!);
      out[n++] = fromA ? a[i++]! : b[j++]!;
    }
    this.#merged = a;
    slot.positions = out;
    slot.count = n;
  }
}

/** For each slot the number of the group of slots that it shares terms with, or -1. */
function sharing(ordinals: readonly (readonly number[])[]): number[] {
  const groups = ordinals.map((_, i) => i);
  for (let i = 0; i < ordinals.length; i++) {
    for (let k = 0; k < i; k++) {
      if (groups[i] === groups[k] || !ordinals[i]!.some((ordinal) => ordinals[k]!.includes(ordinal)))
        continue;
      const from = groups[i];
      const to = groups[k]!;
      for (let j = 0; j < groups.length; j++) if (groups[j] === from) groups[j] = to;
    }
  }
  return groups.map((group) => (groups.filter((other) => other === group).length > 1 ? group : -1));
}

/** Several terms in order. REQUIRES: at least two slots, offsets ascending. */
export class PhraseNode extends ScoringNode {
  readonly path: string;
  readonly slots: readonly PhraseSlot[];
  readonly slop: number;
  readonly weight: number;
  readonly inverses: Float32Array;
  readonly scores: boolean;
  readonly scratch: ChunkScratch = new ChunkScratch();

  constructor(
    path: string,
    slots: readonly PhraseSlot[],
    slop: number,
    weight: number,
    inverses: Float32Array,
    scores: boolean,
  ) {
    super();
    this.path = path;
    this.slots = slots;
    this.slop = slop;
    this.weight = weight;
    this.inverses = inverses;
    this.scores = scores;
  }

  get key(): string {
    const slots = this.slots.map(
      (slot) => `@${slot.offset}${slot.terms.map((b) => byteKey('', b)).join('')}`,
    );
    return `p(${byteKey(this.path, new Uint8Array())}~${this.slop}${slots.join('')})`;
  }

  visitTerms(visitor: TermVisitor): void {
    visitor.phrase(this.path, this.slots, this.slop);
  }

  matcher(leaf: Leaf): Matcher {
    const terms = leaf.terms(this.path);
    if (terms === undefined || !terms.hasPositions) return NOTHING;
    const ordinals = this.slots.map((slot) => [
      ...new Set(slot.terms.map((bytes) => terms.find(bytes, 0, bytes.length)).filter((o) => o >= 0)),
    ]);
    return ordinals.some((list) => list.length === 0)
      ? NOTHING
      : new PhraseMatcher(this, leaf, terms, ordinals);
  }
}
