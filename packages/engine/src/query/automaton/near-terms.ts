// Finds the terms of a dictionary within an edit distance. A sealed dictionary never changes, so its last few
// hundred answers are kept for as long as it lives.

import type { TermDictionary } from '../query-terms.ts';
import type { Steps } from '../steps.ts';
import type { EditAutomaton } from './edit-automaton.ts';
import { walkTerms } from './walk-terms.ts';

/** Ordinals and how far from exact they are. */
type NearTerms = readonly (readonly [ordinal: number, distance: number])[];

/** Answers kept for a dictionary. */
const MAX_ANSWERS = 256;
/** Larger answers are not kept. */
const MAX_TERMS = 256;

const memo = new WeakMap<TermDictionary, Map<string, NearTerms>>();

/** The terms that an automaton of edits accepts. */
export function* nearTerms(terms: TermDictionary, automaton: EditAutomaton): Steps<NearTerms> {
  if (!terms.sorted) return yield* findNear(terms, automaton);
  let answers = memo.get(terms);
  if (answers === undefined) memo.set(terms, (answers = new Map()));
  const known = answers.get(automaton.key);
  if (known !== undefined) {
    answers.delete(automaton.key);
    answers.set(automaton.key, known);
    return known;
  }
  const near = yield* findNear(terms, automaton);
  if (near.length > MAX_TERMS) return near;
  for (const oldest of answers.keys()) {
    if (answers.size < MAX_ANSWERS) break;
    answers.delete(oldest);
  }
  answers.set(automaton.key, near);
  return near;
}

function* findNear(terms: TermDictionary, automaton: EditAutomaton): Steps<NearTerms> {
  const near: [number, number][] = [];
  yield* walkTerms(terms, automaton, (ordinal, distance) => near.push([ordinal, distance]));
  return near;
}
