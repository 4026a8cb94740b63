// Finds the k best documents of a flat query without scoring the others: leaf after leaf, chunk after chunk,
// with one limit that rises all the way. This is the twin of the search kernel, for leaves and machines
// without it.

import { countBits } from '../../kernels/bits.ts';
import { CHUNK_WORDS, type LeafView } from '../../segment/leaf.ts';
import type { FlatQuery } from '../flat-query.ts';
import { CandidateBounds } from '../lists/candidate-bounds.ts';
import { ListIntersection } from '../lists/intersect-lists.ts';
import { MatchCounter } from '../lists/match-counter.ts';
import { PostingLists } from '../lists/posting-lists.ts';
import type { LocatedTerms } from '../locate-terms.ts';
import { AdjacentPhrase } from '../phrase/adjacent-phrase.ts';
import type { TopK } from '../top-k.ts';
import { pruneAll } from './prune-all.ts';
import { AnyPruner } from './prune-any.ts';
import { pruneSingle } from './prune-single.ts';

/** A restriction to fewer documents than 1 / this of a leaf leads the search. */
const MIN_SHARE = 32;

const free: Pruner[] = [];

/**
 * Borrows a pruner, whose many small arrays are reused. Give it back with `returnPruner` when the search is
 * over.
 */
export function borrowPruner(query: FlatQuery, top: TopK): Pruner {
  const pruner = free.pop() ?? new Pruner();
  pruner.begin(query, top);
  return pruner;
}

export function returnPruner(pruner: Pruner): void {
  pruner.release();
  if (free.length < 4) free.push(pruner);
}

/** One search over some leaves. */
class Pruner {
  readonly #lists = new PostingLists();
  readonly #candidates = new CandidateBounds();
  readonly #counter = new MatchCounter(this.#lists);
  #disjunction: AnyPruner | undefined;
  readonly #intersection = new ListIntersection(this.#lists);
  readonly #phraseSearch = new AdjacentPhrase(this.#lists, this.#candidates, this.#intersection);
  #phrase = false;
  #single = false;
  #counting = false;
  #docs = 0;
  #restriction: Uint32Array | undefined;

  begin(query: FlatQuery, top: TopK): void {
    this.#counter.begin();
    this.#lists.begin(query);
    this.#candidates.begin(top);
    this.#phrase = query.shape === 'phrase';
    this.#single = this.#phrase || query.terms.length === 1;
    if (this.#phrase) this.#phraseSearch.begin();
    else if (query.shape === 'any') this.#disjunction ??= new AnyPruner(this.#lists, this.#candidates);
  }

  /** Drops the leaves and the heap. */
  release(): void {
    this.#lists.release();
    this.#candidates.release();
    this.#counter.release();
    this.#restriction = undefined;
  }

  /** Visible matches counted so far. */
  get total(): number {
    return this.#counter.total + (this.#phrase ? this.#phraseSearch.total : 0);
  }

  /**
   * Moves to a leaf in which the terms have been located. Documents are offered to the heap as base + number.
   * `counting`: its matches count towards the total. False when the leaf has no bounds and must be scored
   * whole.
   */
  enterLeaf(
    view: LeafView,
    terms: LocatedTerms,
    accept: Uint32Array | undefined,
    base: number,
    counting: boolean,
  ): boolean {
    const lists = this.#lists;
    if (terms === 'unbounded' || terms === 'empty') {
      lists.leaveLeaf();
      return terms === 'empty';
    }
    lists.enterLeaf(terms);
    this.#candidates.enterLeaf(view, accept, base, this.#single ? terms.most[0]! : lists.weigh());
    const { docCount } = view.leaf;
    this.#docs = docCount;
    this.#restriction = accept && countBits(accept, 0, docCount) * MIN_SHARE < docCount ? accept : undefined;
    this.#phraseSearch.counting = counting;
    this.#counting = counting && !this.#phrase && !this.#counter.enterLeaf(view, accept);
    return true;
  }

  /** Searches the next chunk of the leaf; false when there is none. */
  step(): boolean {
    const lists = this.#lists;
    if (!lists.nextChunk()) return false;
    if (this.#restriction !== undefined) {
      if (this.#phrase) this.#phraseSearch.scoreFew(this.#restriction);
      else this.#counter.total += scoreFew(lists, this.#candidates, this.#restriction);
      return true;
    }
    if (this.#phrase) this.#phraseSearch.pruneChunk();
    else if (this.#single) pruneSingle(lists, this.#candidates);
    else if (lists.query.shape === 'all') {
      this.#conjunction();
      return true;
    } else this.#disjunction!.pruneChunk(this.#docs - lists.base);
    if (this.#counting) this.#counter.countChunk();
    return true;
  }

  #conjunction(): void {
    // Bitmaps alone give the count.
    const countsApart = this.#counting && this.#lists.areDense();
    const matches = pruneAll(
      this.#lists,
      this.#candidates,
      this.#intersection,
      this.#counting && !countsApart,
    );
    if (countsApart) this.#counter.countChunk();
    else if (this.#counting) this.#counter.total += matches;
  }
}

/**
 * Scores the documents of the chunk that are in a bitmap of the leaf. Returns how many visible ones match.
 */
function scoreFew(lists: PostingLists, candidates: CandidateBounds, accept: Uint32Array): number {
  const first = lists.base >>> 5;
  const words = Math.min(CHUNK_WORDS, accept.length - first);
  let matches = 0;
  for (let w = 0; w < words; w++) {
    let word = accept[first + w]!;
    while (word !== 0) {
      const low = (w << 5) + 31 - Math.clz32(word & -word);
      word &= word - 1;
      const doc = lists.base + low;
      if (!candidates.isVisible(doc)) continue;
      const score = lists.score(low);
      if (score < 0) continue;
      matches++;
      candidates.offer(Math.fround(score), doc);
    }
  }
  return matches;
}
