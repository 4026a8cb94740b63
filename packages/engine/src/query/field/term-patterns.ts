// Plans prefixes, wildcards and regular expressions over the dictionary of a string field. Every match scores
// the same.

import { illegalArgument } from '../../errors.ts';
import { PREFIX_PART, prefixLengths } from '../../mapping/field.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import type { Automaton } from '../../patterns/automaton/automaton.ts';
import { prefixAutomaton, wildcardAutomaton } from '../../patterns/automaton/literal.ts';
import { regexpAutomaton } from '../../patterns/automaton/regexp.ts';
import { automatonTerms } from '../automaton/walk-terms.ts';
import { AllNode, NONE } from '../node/clauses/match-all-node.ts';
import type { PlanNode } from '../node/node.ts';
import { TermSetNode } from '../node/terms/term-set-node.ts';
import { prefixTerms } from '../node/terms/term-sources.ts';
import type { Planner } from '../plan/planner.ts';
import { fieldExistsNode } from './exists.ts';
import { checkSearchable, isStringField, isTextField, typeName, utf8 } from './field-value.ts';
import { isMeta, matchesIndex, routingNode, simpleMatch } from './metadata.ts';
import { constantTermNode, termSetNode } from './term-set.ts';

/** The field, if it is one of strings; undefined when it is not mapped. */
function stringField(planner: Planner, kind: string, path: string): FieldType | undefined {
  const field = planner.field(path);
  if (field === undefined) return undefined;
  if (!isStringField(field)) throw notString(planner, kind, path, typeName(field));
  checkSearchable(planner, field);
  return field;
}

function notString(planner: Planner, kind: string, path: string, type: string): Error {
  return planner.misfit(
    `Can only use ${kind} queries on keyword and text fields - not on [${path}] which is of type [${type}]`,
  );
}

/** Normalises a text as the values of the field were: keywords may have a normalizer. */
function normalised(field: FieldType, text: string): string {
  if (isTextField(field) || field.bytes === undefined) return text;
  const { prefix: key = '' } = field.bytes;
  return new TextDecoder().decode(field.bytes.encode(text)).slice(key.length);
}

/** The prefix of a field's values in the dictionary, with special characters escaped. */
function keyPattern(field: FieldType, special: RegExp): string {
  return (field.bytes?.prefix ?? '').replace(special, '\\$&');
}

/** Normalises a pattern between its wildcards. */
function normalisedPattern(field: FieldType, pattern: string): string {
  if (isTextField(field) || field.bytes === undefined) return pattern;
  return pattern.replace(/\\.|[*?]|[^*?\\]+/gsu, (piece) =>
    /^[*?\\]/.test(piece) ? piece : normalised(field, piece),
  );
}

function metaPattern(planner: Planner, kind: string, path: string, pattern: string, boost: number): PlanNode {
  if (path === '_index') return matchesIndex(planner, pattern) ? new AllNode(boost) : NONE;
  if (path === '_routing') {
    return routingNode(`~${pattern}`, boost, (routing) => simpleMatch(pattern, routing));
  }
  if (path === '_ignored') {
    return new TermSetNode(
      path,
      automatonTerms(wildcardAutomaton(pattern, false, planner.limits.maxStates)),
      boost,
    );
  }
  throw notString(planner, kind, path, path);
}

/** Documents with a term that begins with some text. */
export function prefixNode(
  planner: Planner,
  path: string,
  text: string,
  boost: number,
  insensitive: boolean = false,
): PlanNode {
  if (isMeta(path)) return metaPattern(planner, 'prefix', path, `${text.replace(/[*?\\]/g, '\\$&')}*`, boost);
  const field = stringField(planner, 'prefix', path);
  if (field === undefined) return NONE;
  if (!insensitive) return startNode(planner, field, normalised(field, text), boost);
  // Where words of one character are kept as beginnings, the peer's automaton of no characters accepts nothing.
  if (text === '' && prefixLengths(field)?.min === 1) return NONE;
  const start = (field.bytes?.prefix ?? '') + normalised(field, text);
  return termSetNode(field, automatonTerms(prefixAutomaton(start, true)), boost);
}

/** Whether the field has the beginning of words as a term of its own. */
export function keepsStart(field: FieldType, start: string): boolean {
  const lengths = prefixLengths(field);
  return lengths !== undefined && start.length >= lengths.min && start.length <= lengths.max;
}

/** Documents with a term that begins with `start`, which is normalised. */
export function startNode(planner: Planner, field: FieldType, start: string, boost: number): PlanNode {
  // The beginnings of words are terms of this field. Theirs is the only prefix query whose matches score differently.
  if (typeName(field) === 'prefix') return planner.term(field.path, utf8(start), boost);
  if (keepsStart(field, start)) {
    const part = planner.field(`${field.path}.${PREFIX_PART}`);
    if (part !== undefined) return constantTermNode(planner, part, utf8(start), boost);
  }
  return termSetNode(field, prefixTerms(utf8((field.bytes?.prefix ?? '') + start)), boost);
}

/** Documents with a term that a pattern of `*` and `?` fits. */
export function wildcardNode(
  planner: Planner,
  path: string,
  pattern: string,
  boost: number,
  insensitive: boolean = false,
): PlanNode {
  if (isMeta(path)) return metaPattern(planner, 'wildcard', path, pattern, boost);
  const field = stringField(planner, 'wildcard', path);
  if (field === undefined) return NONE;
  // Every document with a value matches. Only highlights need the pattern, for other fields.
  if (/^\*+$/.test(pattern) && !isTextField(field) && !planner.keepsAbsent)
    return fieldExistsNode(field, boost);
  const normal = keyPattern(field, /[*?\\]/g) + normalisedPattern(field, pattern);
  const simple = /^[^*?\\]*\*$/.test(normal) && !insensitive;
  const source = simple
    ? prefixTerms(utf8(normal.slice(0, -1)))
    : automatonTerms(wildcardAutomaton(normal, insensitive, planner.limits.maxStates) as Automaton);
  return termSetNode(field, source, boost);
}

/** How a regular expression is read. */
interface RegexpOptions {
  readonly flags: number;
  readonly insensitive: boolean;
  readonly maxStates: number;
}

/** Documents with a term that a regular expression fits. */
export function regexpNode(
  planner: Planner,
  path: string,
  pattern: string,
  options: RegexpOptions,
  boost: number,
): PlanNode {
  if (isMeta(path)) throw notString(planner, 'regexp', path, path);
  return regexpTerms(planner, stringField(planner, 'regexp', path), pattern, options, boost);
}

/** Documents with a term in a field of strings that a regular expression fits; none if there is no field. */
export function regexpTerms(
  planner: Planner,
  field: FieldType | undefined,
  pattern: string,
  options: RegexpOptions,
  boost: number,
): PlanNode {
  const limit = planner.limits.maxRegexLength;
  if (pattern.length > limit) {
    throw illegalArgument(
      `The length of regex [${pattern.length}] used in the Regexp Query request has exceeded the allowed maximum of [${limit}]. This maximum can be set by changing the [index.max_regex_length] index level setting.`,
    );
  }
  const states = Math.min(options.maxStates, planner.limits.maxStates);
  if (field === undefined) {
    // An invalid pattern is an error even if the field is unmapped.
    regexpAutomaton(pattern, options.flags, options.insensitive, states);
    return NONE;
  }
  const normal = keyPattern(field, /[^\p{L}\p{N}_]/gu) + normalised(field, pattern);
  const automaton = regexpAutomaton(normal, options.flags, options.insensitive, states);
  return termSetNode(field, automatonTerms(automaton), boost);
}
