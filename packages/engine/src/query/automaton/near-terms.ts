// Which terms of a dictionary are near a word? Walked once for each word; a sealed dictionary never changes, so what it said
// is kept for as long as it lives, the last few hundred answers of each.

import type { TermDictionary } from '../node/terms/term-set-node.ts';
import type { Steps } from '../steps.ts';
import type { EditAutomaton } from './edit-automaton.ts';
import { walkTerms } from './walk-terms.ts';

/** Ordinals and how far from exact they are. */
export type NearTerms = readonly (readonly [ordinal: number, distance: number])[];

/** Answers kept for a dictionary. */
const MOST_KEPT = 256;
/** Terms of an answer that is kept. */
const LARGEST_KEPT = 256;

const kept = new WeakMap<TermDictionary, Map<string, NearTerms>>();

/** The terms that an automaton of edits accepts. */
export function* nearTerms(terms: TermDictionary, automaton: EditAutomaton): Steps<NearTerms> {
  if (!terms.sorted) return yield* look(terms, automaton);
  let mine = kept.get(terms);
  if (mine === undefined) kept.set(terms, (mine = new Map()));
  const known = mine.get(automaton.key);
  if (known !== undefined) {
    mine.delete(automaton.key);
    mine.set(automaton.key, known);
    return known;
  }
  const near = yield* look(terms, automaton);
  if (near.length > LARGEST_KEPT) return near;
  for (const oldest of mine.keys()) {
    if (mine.size < MOST_KEPT) break;
    mine.delete(oldest);
  }
  mine.set(automaton.key, near);
  return near;
}

function* look(terms: TermDictionary, automaton: EditAutomaton): Steps<NearTerms> {
  const near: [number, number][] = [];
  yield* walkTerms(terms, automaton, (ordinal, distance) => near.push([ordinal, distance]));
  return near;
}
