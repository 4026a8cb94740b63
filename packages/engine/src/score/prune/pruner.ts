// What are the k best documents of a flat query, without scoring the others? Leaf after leaf, chunk after chunk, with
// one limit that rises all the way.

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

/** A restriction to fewer documents than 1 / this of a leaf leads. */
const FEW = 32;

const free: Pruner[] = [];

/** Borrows a pruner: its arrays are many and small. Give it back with `returnPruner` when the search is over. */
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
export class Pruner {
  readonly #lists = new PostingLists();
  readonly #survivors = new CandidateBounds();
  readonly #tally = new MatchCounter(this.#lists);
  #any: AnyPruner | undefined;
  readonly #shared = new ListIntersection(this.#lists);
  readonly #adjacent = new AdjacentPhrase(this.#lists, this.#survivors, this.#shared);
  #phrase = false;
  #single = false;
  #counting = false;
  #docs = 0;
  #few: Uint32Array | undefined;

  begin(query: FlatQuery, top: TopK): void {
    this.#tally.begin();
    this.#lists.begin(query);
    this.#survivors.begin(top);
    this.#phrase = query.shape === 'phrase';
    this.#single = this.#phrase || query.terms.length === 1;
    if (this.#phrase) this.#adjacent.begin();
    else if (query.shape === 'any') this.#any ??= new AnyPruner(this.#lists, this.#survivors);
  }

  /** Lets go of leaves and heap. */
  release(): void {
    this.#lists.release();
    this.#survivors.release();
    this.#tally.release();
    this.#few = undefined;
  }

  /** Visible matches counted so far. */
  get total(): number {
    return this.#tally.total + (this.#phrase ? this.#adjacent.total : 0);
  }

  /**
   * Goes on to a leaf in which the terms have been located. Documents are offered to the heap as base + number.
   * `counting`: its matches count towards the total. False when the leaf has no bounds: then all of it has to be scored.
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
    this.#survivors.enterLeaf(view, accept, base, this.#single ? terms.most[0]! : lists.weigh());
    const { docCount } = view.leaf;
    this.#docs = docCount;
    this.#few = accept && countBits(accept, 0, docCount) * FEW < docCount ? accept : undefined;
    this.#adjacent.counting = counting;
    this.#counting = counting && !this.#phrase && !this.#tally.enterLeaf(view, accept);
    return true;
  }

  /** Searches the next chunk of the leaf; false when there is none. */
  step(): boolean {
    const lists = this.#lists;
    if (!lists.nextChunk()) return false;
    if (this.#few !== undefined) {
      if (this.#phrase) this.#adjacent.scoreFew(this.#few);
      else this.#tally.total += scoreFew(lists, this.#survivors, this.#few);
      return true;
    }
    if (this.#phrase) this.#adjacent.pruneChunk();
    else if (this.#single) pruneSingle(lists, this.#survivors);
    else if (lists.query.shape === 'all') {
      this.#conjunction();
      return true;
    } else this.#any!.pruneChunk(this.#docs - lists.base);
    if (this.#counting) this.#tally.countChunk();
    return true;
  }

  #conjunction(): void {
    // Bitmaps alone give the count.
    const apart = this.#counting && this.#lists.areDense();
    const matches = pruneAll(this.#lists, this.#survivors, this.#shared, this.#counting && !apart);
    if (apart) this.#tally.countChunk();
    else if (this.#counting) this.#tally.total += matches;
  }
}

/** Scores the documents of the chunk that are in a bitmap of the leaf. Returns how many visible ones match. */
function scoreFew(lists: PostingLists, survivors: CandidateBounds, accept: Uint32Array): number {
  const first = lists.base >>> 5;
  const words = Math.min(CHUNK_WORDS, accept.length - first);
  let matches = 0;
  for (let w = 0; w < words; w++) {
    let word = accept[first + w]!;
    while (word !== 0) {
      const low = (w << 5) + 31 - Math.clz32(word & -word);
      word &= word - 1;
      const doc = lists.base + low;
      if (!survivors.isVisible(doc)) continue;
      const score = lists.score(low);
      if (score < 0) continue;
      matches++;
      survivors.offer(Math.fround(score), doc);
    }
  }
  return matches;
}
