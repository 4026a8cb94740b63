// Words of an index that are close to a word (Lucene's DirectSpellChecker): by edit distance, then by how often
// they occur.

import { utf8Text } from '../json/bytes.ts';
import { EditAutomaton } from '../query/automaton/edit-automaton.ts';
import { walkTerms } from '../query/automaton/walk-terms.ts';
import type { IndexView } from '../query/plan/index-view.ts';
import { Statistics } from '../query/plan/statistics.ts';
import type { Steps } from '../query/steps.ts';
import { type StringDistance, stringDistance } from './string-distance.ts';

/** When a word is corrected: if it does not occur, by words that occur more often, or always. */
export type SuggestMode = 'missing' | 'popular' | 'always';

/** Options of a spell checker. */
export interface SpellOptions {
  readonly mode: SuggestMode;
  readonly maxEdits: number;
  readonly prefixLength: number;
  readonly minWordLength: number;
  /** Words looked at, for each that is wanted. */
  readonly maxInspections: number;
  /** A share of the documents below 1, else a number of them. */
  readonly minDocFreq: number;
  readonly maxTermFreq: number;
  readonly accuracy: number;
  readonly distance: StringDistance;
  readonly sort: 'score' | 'frequency';
}

/** Options as they are read. */
export type SpellDraft = { -readonly [K in keyof SpellOptions]: SpellOptions[K] };

/** The options of a spell checker that is given none. */
export const SPELL_DEFAULTS: SpellOptions = {
  mode: 'missing',
  maxEdits: 2,
  prefixLength: 1,
  minWordLength: 4,
  maxInspections: 5,
  minDocFreq: 0,
  maxTermFreq: Math.fround(0.01),
  accuracy: 0.5,
  distance: 'internal',
  sort: 'score',
};

/** A word that is close to another. */
export interface NearWord {
  readonly word: string;
  /** 1 for an equal word. A float32. */
  readonly score: number;
  readonly docFreq: number;
}

const encoder = new TextEncoder();

/** Finds words in one field of one index. */
export class SpellChecker {
  readonly #view: IndexView;
  readonly #path: string;
  readonly #stats: Statistics;

  constructor(view: IndexView, path: string) {
    this.#view = view;
    this.#path = path;
    this.#stats = new Statistics(view.leaves);
  }

  docFreq(word: string): number {
    return this.#stats.term(this.#path, encoder.encode(word)).docFreq;
  }

  totalTermFreq(word: string): number {
    return this.#stats.term(this.#path, encoder.encode(word)).totalTermFreq;
  }

  /** The words closest to one, best first. O(words with the same beginning), bounded by their number of edits. */
  *near(word: string, wanted: number, options: SpellOptions): Steps<NearWord[]> {
    const { mode, minWordLength, maxTermFreq, minDocFreq, maxEdits, maxInspections, sort } = options;
    if ([...word].length < minWordLength) return [];
    const { maxDoc } = this.#stats;
    let docFreq = this.docFreq(word);
    if (mode === 'missing' && docFreq > 0) return [];
    if (docFreq > (maxTermFreq >= 1 ? maxTermFreq : Math.ceil(maxTermFreq * maxDoc))) return [];
    if (mode !== 'popular') docFreq = 0;
    if (minDocFreq >= 1) docFreq = Math.max(docFreq, Math.trunc(minDocFreq));
    else if (minDocFreq > 0) docFreq = Math.max(docFreq, Math.trunc(minDocFreq * maxDoc) - 1);
    const most = wanted * maxInspections;
    const found = new Map<string, NearWord>();
    for (const edits of maxEdits > 1 ? [1, maxEdits] : [maxEdits]) {
      if (found.size >= most) break;
      for (const near of yield* this.#within(word, edits, docFreq, most, options)) found.set(near.word, near);
    }
    return [...found.values()].sort(sort === 'score' ? byScore : byFrequency).slice(0, wanted);
  }

  *#within(
    word: string,
    edits: number,
    above: number,
    most: number,
    { prefixLength, accuracy, distance }: SpellOptions,
  ): Steps<NearWord[]> {
    const automaton = new EditAutomaton(word, edits, prefixLength, true);
    const distances = new Map<string, number>();
    for (const { leaf } of this.#view.leaves) {
      const terms = leaf.terms(this.#path);
      if (terms === undefined) continue;
      const near: [number, number][] = [];
      yield* walkTerms(terms, automaton, (ordinal, far) => near.push([ordinal, far]));
      for (const [ordinal, far] of near) {
        const bytes = terms.term(ordinal);
        distances.set(utf8Text(bytes, 0, bytes.length), far);
      }
    }
    const found: NearWord[] = [];
    for (const [other, far] of distances) {
      if (other === word) continue;
      const docFreq = this.docFreq(other);
      if (docFreq <= above) continue;
      const score =
        distance === 'internal' ? scoreOf(far, word, other) : stringDistance(distance, word, other);
      if (score >= accuracy) found.push({ word: other, score, docFreq });
      yield;
    }
    return found.sort(byScore).slice(0, most);
  }
}

/** Lucene's score of a word so many edits away. */
function scoreOf(edits: number, word: string, other: string): number {
  return Math.fround(1 - Math.fround(edits / Math.min([...word].length, [...other].length)));
}

/** Best first; Lucene compares texts by UTF-16 units. */
export function byScore(a: NearWord, b: NearWord): number {
  return b.score - a.score || b.docFreq - a.docFreq || (a.word < b.word ? -1 : a.word > b.word ? 1 : 0);
}

export function byFrequency(a: NearWord, b: NearWord): number {
  return b.docFreq - a.docFreq || b.score - a.score || (a.word < b.word ? -1 : a.word > b.word ? 1 : 0);
}
