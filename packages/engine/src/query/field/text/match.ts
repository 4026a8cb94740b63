// Plans a text for one field, for match, match_phrase, multi_match and the query string: analysis, then
// terms, phrases, prefixes or fuzzy terms.

import type { Analyzer } from '../../../analysis/analyzer.ts';
import { pairOf } from '../../../analysis/derived-analyzers.ts';
import { type EngineError, illegalArgument } from '../../../errors.ts';
import { utf8Text } from '../../../json/bytes.ts';
import type { JsonValue } from '../../../json/value.ts';
import { PHRASE_PART, PREFIX_PART } from '../../../mapping/field.ts';
import type { FieldType } from '../../../mapping/types/type.ts';
import { minimumShouldMatch } from '../../minimum-should-match.ts';
import { NONE } from '../../node/clauses/match-all-node.ts';
import type { PlanNode } from '../../node/node.ts';
import type { Planner } from '../../plan/planner.ts';
import {
  checkSearchable,
  isStringField,
  isTextField,
  leniently,
  plainString,
  typeName,
  utf8,
} from '../field-value.ts';
import { type FuzzyOptions, fuzzyNode } from '../fuzzy.ts';
import { isMeta } from '../metadata.ts';
import { termNode, valueNode } from '../term.ts';
import { keepsStart, prefixNode, startNode } from '../term-patterns.ts';
import { constantTermNode } from '../term-set.ts';
import {
  analyzeParts,
  checkPositions,
  expandPrefix,
  phraseNode,
  placeNode,
  zeroTermsNode,
} from './analyzed-text.ts';
import { graphPhrase } from './graph-phrase.ts';
import { isFork, spelledOut, type TextFork, type TextPart, type TextPlace } from './token-graph.ts';

/** How a text is matched. */
export interface MatchOptions {
  readonly type: 'boolean' | 'phrase' | 'phrase_prefix' | 'bool_prefix';
  readonly operator: 'and' | 'or';
  readonly minimumShouldMatch?: string | undefined;
  readonly analyzer?: string | undefined;
  readonly slop: number;
  readonly fuzzy?: FuzzyOptions | undefined;
  readonly maxExpansions: number;
  /**
   * Terms in more documents than this are common: a share of all below 1, a number from 1 on. They only raise the
   * scores of documents that have enough of the others.
   */
  readonly cutoff?: number | undefined;
  /**
   * What a text without tokens matches. With `drop` the node is DROPPED, and the caller leaves the clause
   * out.
   */
  readonly zeroTerms: 'none' | 'all' | 'drop';
  readonly lenient: boolean;
  /** Whether the words of a synonym of several words must follow each other; else all of them must occur. */
  readonly synonymPhrases: boolean;
}

export const MATCH_DEFAULTS: MatchOptions = Object.freeze({
  type: 'boolean',
  operator: 'or',
  slop: 0,
  maxExpansions: 50,
  zeroTerms: 'none',
  lenient: false,
  synonymPhrases: true,
});

/** Stands for a text without tokens where `zeroTerms` is `drop`. Matches nothing. */
export const DROPPED: PlanNode = Object.freeze({ ...NONE });

/** Documents whose field matches a text. */
export function matchNode(
  planner: Planner,
  path: string,
  value: JsonValue,
  options: MatchOptions,
  boost: number,
  kind: string = 'match',
): PlanNode {
  const field = planner.field(path);
  if (field === undefined) {
    return isMeta(path)
      ? (leniently(options.lenient, () => termNode(planner, path, value, boost)) ?? NONE)
      : NONE;
  }
  const analyzer = chooseAnalyzer(planner, field, options, kind);
  const work = (): PlanNode => {
    if (analyzer === undefined) return wholeValue(planner, field, value, options, boost);
    checkSearchable(planner, field);
    if (options.type === 'phrase_prefix' && !isTextField(field) && value !== '') throw noPhrasePrefix(field);
    return textNode(planner, field, analyzeParts(analyzer, plainString(value), planner), options, boost);
  };
  return leniently(options.lenient, work) ?? NONE;
}

/** The analyzer for a text; undefined where the field takes values whole. */
export function chooseAnalyzer(
  planner: Planner,
  field: FieldType,
  options: { readonly analyzer?: string | undefined; readonly type: string },
  kind: string,
): Analyzer | undefined {
  if (options.analyzer !== undefined) {
    const named = planner.view.analyzer(options.analyzer);
    if (named === undefined) throw planner.misfit(`[${kind}] analyzer [${options.analyzer}] not found`);
    return isTextField(field) || options.analyzer !== 'keyword' ? named : undefined;
  }
  if (isTextField(field)) {
    const isPhrase = options.type === 'phrase' || options.type === 'phrase_prefix';
    return (isPhrase ? field.searchQuoteAnalyzer : undefined) ?? field.searchAnalyzer ?? field.analyzer;
  }
  return field.params['split_queries_on_whitespace'] === true
    ? planner.view.analyzer('whitespace')
    : undefined;
}

function noPhrasePrefix(field: FieldType): EngineError {
  return illegalArgument(
    `Can only use phrase prefix queries on text fields - not on [${field.path}] which is of type [${typeName(field)}]`,
  );
}

/** The value as one term, for keywords, numbers and dates. */
function wholeValue(
  planner: Planner,
  field: FieldType,
  value: JsonValue,
  options: MatchOptions,
  boost: number,
): PlanNode {
  const forms = field.completion
    ?.searchForms(plainString(value))
    .map((form) => utf8Text(form, 0, form.length));
  if (forms?.length === 0) return withoutTerms(options, boost);
  if (options.type === 'phrase_prefix') throw noPhrasePrefix(field);
  if (options.type === 'bool_prefix' && isStringField(field))
    return startNode(planner, field, plainString(value), boost);
  if (options.fuzzy !== undefined && options.type !== 'phrase')
    return fuzzyNode(planner, field, plainString(value), options.fuzzy, boost);
  // A value that is analysed has a last word, which other fields refuse.
  if (options.type === 'bool_prefix' && (options.analyzer !== undefined || forms !== undefined))
    return prefixNode(planner, field.path, plainString(value), boost);
  if (forms !== undefined)
    return field.inputs === undefined ? NONE : placeNode(planner, field.inputs.path, forms, boost);
  return valueNode(planner, field, value, boost);
}

/** The node of a text without terms. */
function withoutTerms({ zeroTerms }: MatchOptions, boost: number): PlanNode {
  return zeroTerms === 'drop' ? DROPPED : zeroTermsNode(zeroTerms, boost);
}

/** The node of an analysed text. */
function textNode(
  planner: Planner,
  field: FieldType,
  parts: readonly TextPart[],
  options: MatchOptions,
  boost: number,
): PlanNode {
  if (parts.length === 0) return withoutTerms(options, boost);
  const { type } = options;
  if (type !== 'phrase' && type !== 'phrase_prefix') return booleanOf(planner, field, parts, options, boost);
  if (type === 'phrase_prefix' || parts.length > 1) checkPhrase(field, type.replace('_', ' '));
  if (parts.some(isFork)) return phraseOfForks(planner, field, parts, options, boost);
  const places = parts as readonly TextPlace[];
  return type === 'phrase'
    ? phraseOf(planner, field, places, options.slop, boost)
    : phrasePrefix(planner, field, places, options, boost);
}

/** A phrase with synonyms of several words: spans, or with moves one phrase for each way through the text. */
function phraseOfForks(
  planner: Planner,
  field: FieldType,
  parts: readonly TextPart[],
  options: MatchOptions,
  boost: number,
): PlanNode {
  if (options.slop === 0) {
    const prefixes = options.type === 'phrase_prefix' ? options.maxExpansions : 0;
    return graphPhrase(planner, field.path, parts, prefixes, boost);
  }
  const texts = spelledOut(parts, () => planner.countClauses(1));
  const nodes = texts.map((text) => textNode(planner, field, text, options, boost));
  return planner.combine({ should: nodes, least: 1 });
}

/** Several ways through a part of a text: each is a phrase of its own, or words that all must occur. */
function forkNode(
  planner: Planner,
  field: FieldType,
  { paths }: TextFork,
  options: MatchOptions,
  isLast: boolean,
  boost: number,
): PlanNode {
  const typed = isLast && options.type === 'bool_prefix';
  const nodes = paths.map((path) => {
    const phrase = typed ? 'phrase_prefix' : path.length > 1 ? 'phrase' : 'boolean';
    const type = options.synonymPhrases && field.spec.index === 'positions' ? phrase : 'boolean';
    const { fuzzy, maxExpansions } = options;
    const own: MatchOptions = { ...MATCH_DEFAULTS, type, operator: 'and', fuzzy, maxExpansions };
    return textNode(planner, field, path, own, boost);
  });
  return planner.combine({ should: nodes, least: 1 });
}

function placeOrTerms(planner: Planner, field: FieldType, terms: readonly string[], boost: number): PlanNode {
  if (isTextField(field) && field.kind === 'text') return placeNode(planner, field.path, terms, boost);
  const nodes = terms.map((term) =>
    isStringField(field)
      ? constantTermNode(planner, field, utf8(term), boost)
      : valueNode(planner, field, term, boost),
  );
  return planner.combine({ should: nodes, least: 1 });
}

/** Throws where phrases cannot be searched: in beginnings and pairs of words. */
function checkPhrase(field: FieldType, kind: string): void {
  const type = typeName(field);
  if (type !== 'prefix' && type !== 'phrase') return;
  throw illegalArgument(
    `Can only use ${kind} queries on text fields - not on [${field.path}] which is of type [${type}]`,
  );
}

function phraseOf(
  planner: Planner,
  field: FieldType,
  places: readonly TextPlace[],
  slop: number,
  boost: number,
): PlanNode {
  if (places.length === 1) return placeOrTerms(planner, field, places[0]!.terms, boost);
  if (slop === 0 && field.params['index_phrases'] === true && isGapless(places))
    return pairsNode(planner, field, places, boost);
  const slots = places.map(({ position, terms }) => ({ position, terms: terms.map(utf8) }));
  return phraseNode(planner, field.path, slots, slop, boost);
}

function isGapless(places: readonly TextPlace[]): boolean {
  return places.every(({ position }, i) => i === 0 || position === places[i - 1]!.position + 1);
}

/** A phrase over a field with `index_phrases`: its pairs of words, which are fewer and rarer than its words. */
function pairsNode(
  planner: Planner,
  field: FieldType,
  places: readonly TextPlace[],
  boost: number,
): PlanNode {
  const path = `${field.path}.${PHRASE_PART}`;
  const slots = places.slice(0, -1).map(({ position, terms }, i) => ({
    position,
    terms: terms.flatMap((first) => places[i + 1]!.terms.map((second) => utf8(pairOf(first, second)))),
  }));
  if (slots.length > 1) return phraseNode(planner, path, slots, 0, boost);
  const nodes = slots[0]!.terms.map((pair) => planner.term(path, pair, boost));
  return planner.combine({ should: nodes, least: 1 });
}

function phrasePrefix(
  planner: Planner,
  field: FieldType,
  places: readonly TextPlace[],
  options: MatchOptions,
  boost: number,
): PlanNode {
  const last = places[places.length - 1]!;
  if (places.length === 1 && options.slop === 0 && last.terms.every((term) => keepsStart(field, term))) {
    const part = planner.field(`${field.path}.${PREFIX_PART}`)!;
    return placeOrTerms(planner, part, last.terms, boost);
  }
  if (places.length > 1) checkPositions(planner, field.path);
  const ends = last.terms.flatMap((term) => expandPrefix(planner, field.path, term, options.maxExpansions));
  if (ends.length === 0) return NONE;
  if (places.length === 1) {
    const nodes = ends.slice(0, options.maxExpansions).map((bytes) => planner.term(field.path, bytes, boost));
    return planner.combine({ should: nodes, least: 1 });
  }
  const slots = places.slice(0, -1).map(({ position, terms }) => ({ position, terms: terms.map(utf8) }));
  slots.push({ position: last.position, terms: ends.slice(0, options.maxExpansions) });
  return phraseNode(planner, field.path, slots, options.slop, boost);
}

/** A node for each part of a text. */
export function partNodes(
  planner: Planner,
  field: FieldType,
  parts: readonly TextPart[],
  options: MatchOptions,
  boost: number,
): PlanNode[] {
  planner.countWords(parts.length);
  return parts.map((part, i) => {
    const node = (): PlanNode => partNode(planner, field, part, options, i === parts.length - 1, boost);
    return leniently(options.lenient, node) ?? NONE;
  });
}

function partNode(
  planner: Planner,
  field: FieldType,
  part: TextPart,
  options: MatchOptions,
  isLast: boolean,
  boost: number,
): PlanNode {
  if (isFork(part)) return forkNode(planner, field, part, options, isLast, boost);
  const { terms, endsText } = part;
  // Only a word that is still being typed is a prefix. Synonyms never are.
  if (options.type === 'bool_prefix' && isLast && terms.length === 1 && endsText) {
    return isStringField(field)
      ? startNode(planner, field, terms[0]!, boost)
      : prefixNode(planner, field.path, terms[0]!, boost);
  }
  const { fuzzy } = options;
  // Several terms at a place are synonyms, which are taken as they are.
  if (fuzzy === undefined || terms.length > 1) return placeOrTerms(planner, field, terms, boost);
  return fuzzyNode(planner, field, terms[0]!, fuzzy, boost);
}

function booleanOf(
  planner: Planner,
  field: FieldType,
  parts: readonly TextPart[],
  options: MatchOptions,
  boost: number,
): PlanNode {
  const nodes = partNodes(planner, field, parts, options, boost);
  const { cutoff } = options;
  if (cutoff === undefined || options.type !== 'boolean' || options.fuzzy !== undefined) {
    return joinTerms(planner, nodes, options);
  }
  const words = parts.flatMap((part) => (isFork(part) || part.terms.length > 1 ? [] : part.terms));
  if (field.kind !== 'text' || nodes.length === 1 || words.length < parts.length) {
    return joinTerms(planner, nodes, options);
  }
  const terms = nodes.map((node, i) => ({
    node,
    docFreq: planner.stats.term(field.path, utf8(words[i]!)).docFreq,
  }));
  return joinCommonTerms(planner, terms, cutoff, options);
}

/** How many terms of a text must match. */
interface JoinOptions {
  readonly operator: 'and' | 'or';
  readonly minimumShouldMatch?: string | undefined;
}

/** Joins the terms of a text: all must match, or enough of them. */
export function joinTerms(planner: Planner, nodes: readonly PlanNode[], options: JoinOptions): PlanNode {
  if (nodes.length === 1) return nodes[0]!;
  const { operator, minimumShouldMatch: spec } = options;
  // The minimum counts optional terms. Under `and` there are none, so that any minimum is out of reach.
  if (operator === 'and') {
    return planner.combine({ must: nodes, least: spec === undefined ? 0 : minimumShouldMatch(0, spec) });
  }
  const least = spec === undefined ? 1 : minimumShouldMatch(nodes.length, spec);
  return planner.combine({ should: nodes, least: Math.max(1, least) });
}

/** Joins terms of which those in more documents than `cutoff` are optional (Lucene's CommonTermsQuery). */
export function joinCommonTerms(
  planner: Planner,
  terms: readonly { readonly node: PlanNode; readonly docFreq: number }[],
  cutoff: number,
  options: JoinOptions,
): PlanNode {
  const share = Math.ceil(Math.fround(Math.fround(cutoff) * planner.stats.maxDoc));
  const isCommon = (docFreq: number): boolean => docFreq > share || (cutoff >= 1 && docFreq > cutoff);
  const common = terms.filter(({ docFreq }) => isCommon(docFreq)).map(({ node }) => node);
  const rare = terms.filter(({ docFreq }) => !isCommon(docFreq)).map(({ node }) => node);
  // Only common terms: all of them must match, or the query would match nearly everything.
  if (rare.length === 0) return planner.combine({ must: common });
  const required = joinTerms(planner, rare, options.operator === 'and' ? { operator: 'and' } : options);
  if (common.length === 0) return required;
  return planner.combine({
    must: [required],
    should: [joinTerms(planner, common, { operator: options.operator })],
  });
}
