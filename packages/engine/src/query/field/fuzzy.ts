// Plans fuzzy terms: the nearest terms of the dictionaries, at most `expansions`, scored as if they were
// equally rare, less the farther they are (Lucene's FuzzyQuery with blended frequencies).

import { EngineError, illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import { EditAutomaton } from '../automaton/edit-automaton.ts';
import { nearTerms } from '../automaton/near-terms.ts';
import { constantNode } from '../node/clauses/constant-score-node.ts';
import { NONE } from '../node/clauses/match-all-node.ts';
import type { PlanNode } from '../node/node.ts';
import { compareTerms } from '../node/terms/term-sources.ts';
import type { Planner } from '../plan/planner.ts';
import type { TermSource } from '../query-terms.ts';
import type { Steps } from '../steps.ts';
import { checkSearchable, isStringField, isTextField, typeName } from './field-value.ts';
import { constantTermNode, termSetNode } from './term-set.ts';

/** How far apart terms may be. */
export interface FuzzyOptions {
  /** Edits, or the lengths from which AUTO allows one and two. */
  readonly fuzziness: Fuzziness;
  readonly prefixLength: number;
  readonly expansions: number;
  readonly transpositions: boolean;
}

/** A number of edits, or AUTO. */
export type Fuzziness = number | { readonly low: number; readonly high: number };

/** AUTO: one edit from 3 characters on, two from 6. */
export const AUTO: Fuzziness = Object.freeze({ low: 3, high: 6 });

/** Reads 0, 1, 2, AUTO or AUTO:low,high. */
export function parseFuzziness(value: JsonValue): Fuzziness {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (/^auto$/i.test(text)) return AUTO;
  const auto = /^auto:(\d{1,4}),(\d{1,4})$/i.exec(text);
  if (auto !== null) {
    const [low, high] = [Number(auto[1]), Number(auto[2])];
    if (low > high) {
      throw illegalArgument(
        `fuzziness wrongly configured, must be: lowLimit < highLimit, got ${low} and ${high}`,
      );
    }
    return { low, high };
  }
  if (!/^\d{1,3}(\.\d+)?$/.test(text)) {
    if (/^auto:/i.test(text)) {
      throw new EngineError('parse_exception', `failed to find low and high distance values`);
    }
    throw illegalArgument(`Invalid fuzziness value: ${text}`);
  }
  const edits = Math.trunc(Number(text));
  if (edits > 2) {
    throw illegalArgument(`Invalid fuzziness value: ${text}, must be one of [0, 1, 2] or AUTO`);
  }
  return edits;
}

/** The edits that a fuzziness allows a text. */
function editsFor(fuzziness: Fuzziness, text: string): number {
  if (typeof fuzziness === 'number') return fuzziness;
  const length = Array.from(text).length;
  return length < fuzziness.low ? 0 : length < fuzziness.high ? 1 : 2;
}

interface Expansion {
  readonly bytes: Uint8Array;
  readonly boost: number;
}

/** Documents with a term near `text`. The field must be mapped and of strings. */
export function fuzzyNode(
  planner: Planner,
  field: FieldType,
  text: string,
  options: FuzzyOptions,
  boost: number,
): PlanNode {
  if (!isStringField(field) || field.kind === 'constant_keyword') {
    throw illegalArgument(
      `Can only use fuzzy queries on keyword and text fields - not on [${field.path}] which is of type [${typeName(field)}]`,
    );
  }
  checkSearchable(planner, field);
  const encoded = isTextField(field) || field.bytes === undefined ? undefined : field.bytes.encode(text);
  const word = encoded === undefined ? text : new TextDecoder().decode(encoded);
  const found = expand(planner, field.path, word, options);
  if (found.length === 0)
    return planner.keepsAbsent ? termSetNode(field, termsNear(automatonOf(word, options)), boost) : NONE;
  planner.countLeaves(found.length);
  if (field.spec.index === 'none') {
    const nodes = found.map(({ bytes }) => constantTermNode(planner, field, bytes, 1));
    return planner.withoutScores(() => constantNode(planner.combine({ should: nodes, least: 1 }), boost));
  }
  const most = Math.max(...found.map(({ bytes }) => planner.stats.term(field.path, bytes).docFreq));
  const nodes = found.map((each) =>
    planner.term(field.path, each.bytes, Math.fround(each.boost * boost), most),
  );
  return planner.combine({ should: nodes, least: 1 });
}

function automatonOf(word: string, { fuzziness, prefixLength, transpositions }: FuzzyOptions): EditAutomaton {
  const edits = word === '' ? 0 : editsFor(fuzziness, word);
  return new EditAutomaton(word, edits, prefixLength, transpositions);
}

/** The terms of any dictionary that an automaton of edits accepts. */
function termsNear(automaton: EditAutomaton): TermSource {
  return {
    key: `~${automaton.key}`,
    *ordinals(terms) {
      return (yield* nearTerms(terms, automaton)).map(([ordinal]) => ordinal);
    },
  };
}

/** The nearest terms of all leaves; of equally near terms those that sort first. */
function expand(planner: Planner, path: string, word: string, options: FuzzyOptions): Expansion[] {
  const automaton = automatonOf(word, options);
  const key = `~${JSON.stringify([path, automaton.key, options.expansions])}`;
  return planner.lookups.ask(key, () => nearest(planner, path, word, automaton, options.expansions)) ?? [];
}

function* nearest(
  planner: Planner,
  path: string,
  word: string,
  automaton: EditAutomaton,
  expansions: number,
): Steps<Expansion[]> {
  const length = Array.from(word).length;
  const found = new Map<string, Expansion>();
  for (const { leaf } of planner.view.leaves) {
    const terms = leaf.terms(path);
    if (terms === undefined) continue;
    for (const [ordinal, distance] of yield* nearTerms(terms, automaton)) {
      const bytes = terms.term(ordinal);
      const text = Buffer.from(bytes).toString('utf8');
      if (found.has(text)) continue;
      const shorter = Math.min(length, Array.from(text).length);
      const near = distance === 0 ? 1 : Math.max(0, Math.fround(1 - Math.fround(distance / shorter)));
      found.set(text, { bytes: bytes.slice(), boost: near });
    }
  }
  return [...found.values()]
    .sort((a, b) => b.boost - a.boost || compareTerms(a.bytes, b.bytes))
    .slice(0, expansions);
}
