// Which terms of a completion field a request finds, and what the match is worth: what begins with a text, is
// close to it, or matches a regular expression.

import { illegalArgument } from '../errors.ts';
import { utf8Text } from '../json/bytes.ts';
import type { CompletionType } from '../mapping/types/completion.ts';
import { type Automaton, DEAD } from '../patterns/automaton/automaton.ts';
import { REGEXP_FLAGS, regexpAutomaton } from '../patterns/automaton/regexp.ts';
import { EditAutomaton } from '../query/automaton/edit-automaton.ts';
import type { QueryLimits } from '../query/limits.ts';

/** Options of `fuzzy`. */
export interface FuzzyCompletion {
  readonly edits: number;
  readonly transpositions: boolean;
  readonly minLength: number;
  readonly prefixLength: number;
}

/** Options of `regex`. */
export interface RegexCompletion {
  readonly flags: number;
  readonly maxStates: number;
}

/** Finds analyzed texts. */
export interface CompletionMatcher {
  /** What all of them begin with. */
  readonly prefix: Uint8Array;
  /** What a match of term[from … end) is worth: 0 for nothing extra. Undefined without a match. */
  match(term: Uint8Array, from: number, end: number): number | undefined;
}

const encoder = new TextEncoder();

/** Finds what begins with any reading of a text. */
export function prefixMatchers(type: CompletionType, text: string): CompletionMatcher[] {
  return type.searchForms(text).map((prefix) => ({ prefix, match: () => 0 }));
}

/**
 * Finds what begins with something close to a text. The score is the number of characters that the shortest accepted prefix has in common
 * with the text; with one edit, that is one less than the equal characters (Lucene's FuzzyCompletionQuery).
 */
export function fuzzyMatchers(
  type: CompletionType,
  text: string,
  { edits, transpositions, minLength, prefixLength }: FuzzyCompletion,
): CompletionMatcher[] {
  return type.searchForms(text).map((form) => {
    const word = utf8Text(form, 0, form.length);
    const characters = [...word];
    const isExact = characters.length < minLength || characters.length <= prefixLength;
    const fixed = isExact ? characters.length : prefixLength;
    const automaton = new EditAutomaton(word, isExact ? 0 : edits, fixed, transpositions);
    return {
      prefix: encoder.encode(characters.slice(0, fixed).join('')),
      match(term, from, end) {
        const found = utf8Text(term, from, end);
        const length = acceptedLength(automaton, found);
        if (length === undefined) return undefined;
        let equal = 0;
        const most = Math.min(length, word.length);
        while (equal < most && found[equal] === word[equal]) equal++;
        return equal;
      },
    };
  });
}

/** Finds what begins with a match of a regular expression. */
export function regexMatcher(
  pattern: string,
  { flags, maxStates }: RegexCompletion,
  { maxRegexLength }: QueryLimits,
): CompletionMatcher {
  if (pattern.length > maxRegexLength) {
    throw illegalArgument(
      `The length of regex [${pattern.length}] used in the suggestion has exceeded the allowed maximum of [${maxRegexLength}].`,
    );
  }
  const automaton = regexpAutomaton(pattern, flags, false, maxStates);
  return {
    prefix: new Uint8Array(0),
    match: (term, from, end) =>
      acceptedLength(automaton, utf8Text(term, from, end)) === undefined ? undefined : 0,
  };
}

/** The flags of a regular expression by their names. */
export function regexFlags(names: string): number {
  return names.split('|').reduce((flags, name) => {
    const flag = REGEXP_FLAGS[name.trim().toUpperCase()];
    if (flag === undefined) throw illegalArgument(`Unknown regexp flag [${name}]`);
    return flags | flag;
  }, 0);
}

/** The shortest beginning of a text that an automaton accepts, in UTF-16 units. */
function acceptedLength(automaton: Automaton, text: string): number | undefined {
  let state = automaton.start;
  let at = 0;
  for (const character of text) {
    if (automaton.accepts(state) >= 0) return at;
    state = automaton.step(state, character.codePointAt(0)!);
    if (state === DEAD) return undefined;
    at += character.length;
  }
  return automaton.accepts(state) >= 0 ? at : undefined;
}
