// Plans the words of a query string in their fields: one node for each kind of word, over one field or the
// best of several.

import type { Analyzer } from '../../analysis/analyzer.ts';
import { EngineError } from '../../errors.ts';
import type { FieldType, RangeBounds } from '../../mapping/types/type.ts';
import { REGEXP_FLAGS } from '../../patterns/automaton/regexp.ts';
import { existsNode } from '../field/exists.ts';
import { expandFields, type WeightedField } from '../field/field-list.ts';
import { checkSearchable, isStringField, isTextField, leniently, utf8 } from '../field/field-value.ts';
import { type Fuzziness, fuzzyNode } from '../field/fuzzy.ts';
import { lowers } from '../field/lower-case.ts';
import { isMeta } from '../field/metadata.ts';
import { rangeNode } from '../field/range.ts';
import { prefixNode, regexpTerms, startNode, wildcardNode } from '../field/term-patterns.ts';
import { termSetNode } from '../field/term-set.ts';
import { analyzeParts } from '../field/text/analyzed-text.ts';
import {
  chooseAnalyzer,
  joinTerms,
  MATCH_DEFAULTS,
  type MatchOptions,
  partNodes,
} from '../field/text/match.ts';
import { type MultiType, multiFieldNode, TIE_BREAKERS } from '../field/text/multi-field.ts';
import { isFork } from '../field/text/token-graph.ts';
import { AllNode, NONE } from '../node/clauses/match-all-node.ts';
import type { PlanNode } from '../node/node.ts';
import { prefixTerms } from '../node/terms/term-sources.ts';
import type { Planner } from '../plan/planner.ts';

/** How words are planned. */
export interface WordOptions {
  /** Fields of words that name none. */
  readonly fields: readonly WeightedField[];
  /** Whether these are all fields. */
  readonly allFields: boolean;
  readonly type: MultiType;
  readonly tieBreaker: number | undefined;
  readonly operator: 'and' | 'or';
  readonly lenient: boolean;
  readonly analyzer: string | undefined;
  /** As in MatchOptions. */
  readonly synonymPhrases: boolean;
  readonly quoteAnalyzer: string | undefined;
  readonly slop: number;
  readonly fuzziness: Fuzziness;
  readonly fuzzyPrefix: number;
  readonly fuzzyExpansions: number;
  readonly transpositions: boolean;
  readonly timeZone: string | undefined;
  readonly maxStates: number;
  /**
   * What becomes of `word*` in a text field. Only `analyze_wildcard` has its words analyzed; `raw` then looks them up among
   * the words of the field, not in its `index_prefixes`.
   */
  readonly prefixes: 'lowered' | 'analyzed' | 'raw';
}

/** Plans words for one view. */
export class WordPlanner {
  readonly planner: Planner;
  readonly options: WordOptions;
  readonly #tieBreaker: number;

  constructor(planner: Planner, options: WordOptions) {
    this.planner = planner;
    this.options = options;
    this.#tieBreaker = options.tieBreaker ?? TIE_BREAKERS[options.type];
  }

  /** The fields that a word is for. */
  fields(field: string | undefined): readonly WeightedField[] {
    return field === undefined
      ? this.options.fields
      : expandFields(this.planner, [{ path: field, boost: 1 }]);
  }

  /** One or more words, analysed; `>=5` and the like are ranges. DROPPED where no token is left. */
  text(field: string | undefined, text: string, boost: number, least?: string): PlanNode {
    if (field === '_exists_') return existsNode(this.planner, text, boost);
    const open = openRange(text);
    if (open !== undefined) return this.range(field, open, boost);
    const { type, operator } = this.options;
    const match: MatchOptions['type'] =
      type === 'phrase' || type === 'phrase_prefix' || type === 'bool_prefix' ? type : 'boolean';
    return this.#match(field, text, { type: match, operator, minimumShouldMatch: least }, type, boost);
  }

  phrase(field: string | undefined, text: string, slop: number, boost: number): PlanNode {
    if (field === '_exists_') return existsNode(this.planner, text, boost);
    const moves = slop < 0 ? this.options.slop : slop;
    const analyzer = this.options.quoteAnalyzer ?? this.options.analyzer;
    const more = { type: 'phrase' as const, slop: moves, analyzer };
    return this.#match(field, text, more, 'phrase', boost);
  }

  /**
   * Whether adjacent words are clauses of their own: they are in a single text field. As in the peer, the boost of a field holds
   * its words together, unless they are the only clause (`isOnly`).
   */
  separatesWords(field: string | undefined, isOnly: boolean): boolean {
    if (this.options.type === 'phrase' || this.options.type === 'phrase_prefix') return false;
    const [only, ...others] = this.fields(field);
    if (only === undefined || others.length > 0 || !(isOnly || only.boost === 1)) return false;
    return this.planner.field(only.path)?.kind === 'text';
  }

  /** A node for each of adjacent words in a single text field; undefined where the words stay together. */
  separateWords(
    field: string | undefined,
    text: string,
    boost: number,
    isOnly: boolean,
  ): PlanNode[] | undefined {
    if (!this.separatesWords(field, isOnly)) return undefined;
    const only = this.fields(field)[0]!;
    const type = this.planner.field(only.path)!;
    checkSearchable(this.planner, type);
    const analyzer = chooseAnalyzer(
      this.planner,
      type,
      { type: 'boolean', analyzer: this.options.analyzer },
      'query_string',
    )!;
    const own = Math.fround(boost * only.boost);
    const options = { ...MATCH_DEFAULTS, synonymPhrases: this.options.synonymPhrases };
    return partNodes(this.planner, type, analyzeParts(analyzer, text, this.planner), options, own);
  }

  prefix(field: string | undefined, text: string, boost: number): PlanNode {
    const { prefixes } = this.options;
    return this.#each(field, boost, (type, path, own) => {
      const words = prefixes === 'raw' ? (type?.inputs ?? type) : type;
      // As in the peer, numbers and dates have no words to look up.
      if (prefixes === 'raw' && words !== undefined && !isStringField(words)) return NONE;
      return prefixes !== 'lowered' && words !== undefined && isTextField(words)
        ? this.#analyzedPrefix(words, text, own)
        : prefixNode(this.planner, path, this.#normal(type, text), own);
    });
  }

  /** The words of a text, of which the last one is only the beginning of a word. */
  #analyzedPrefix(type: FieldType, text: string, boost: number): PlanNode {
    const { planner, options } = this;
    checkSearchable(planner, type);
    const match = { type: 'boolean', analyzer: options.analyzer };
    const analyzer = chooseAnalyzer(planner, type, match, 'query_string')!;
    const parts = analyzeParts(analyzer, text, planner);
    const last = parts.at(-1);
    if (last === undefined || isFork(last))
      return joinTerms(planner, partNodes(planner, type, parts, MATCH_DEFAULTS, boost), options);
    const starts = last.terms.map((term) =>
      options.prefixes === 'raw'
        ? termSetNode(type, prefixTerms(utf8(term)), boost)
        : startNode(planner, type, term, boost),
    );
    const nodes = partNodes(planner, type, parts.slice(0, -1), MATCH_DEFAULTS, boost);
    nodes.push(planner.combine({ should: starts, least: 1 }));
    return joinTerms(planner, nodes, options);
  }

  wildcard(field: string | undefined, pattern: string, boost: number): PlanNode {
    if (pattern === '*') {
      if (field === '*' || (field === undefined && this.options.allFields)) return new AllNode(boost);
      if (field !== undefined) return existsNode(this.planner, field, boost);
      return this.#each(field, boost, (_type, path, own) => existsNode(this.planner, path, own));
    }
    return this.#each(field, boost, (type, path, own) =>
      wildcardNode(this.planner, path, this.#normal(type, pattern), own),
    );
  }

  regexp(field: string | undefined, pattern: string, boost: number): PlanNode {
    const options = { flags: REGEXP_FLAGS['ALL']!, insensitive: false, maxStates: this.options.maxStates };
    return this.#each(field, boost, (type, _path, own) => {
      // As in the peer, whatever terms a field has are looked through. Numbers and dates have none.
      const words = type?.completion === undefined ? type : type.inputs;
      const strings = words !== undefined && isStringField(words) ? words : undefined;
      return regexpTerms(this.planner, strings, this.#normal(strings, pattern), options, own);
    });
  }

  fuzzy(field: string | undefined, text: string, edits: string, boost: number): PlanNode {
    const { fuzzyPrefix, fuzzyExpansions, transpositions } = this.options;
    return this.#each(field, boost, (type, _path, own) => {
      if (type === undefined) return NONE;
      const word = this.#normal(type, text);
      const fuzziness = edits === '' ? this.options.fuzziness : editsOf(edits);
      const options = { fuzziness, prefixLength: fuzzyPrefix, expansions: fuzzyExpansions, transpositions };
      return fuzzyNode(this.planner, type, word, options, own);
    });
  }

  range(field: string | undefined, bounds: RangeBounds, boost: number): PlanNode {
    const { timeZone } = this.options;
    return this.#each(field, boost, (type, path, own) => {
      const normal = type !== undefined && isTextField(type) ? this.#normalBounds(type, bounds) : bounds;
      return rangeNode(this.planner, path, timeZone === undefined ? normal : { ...normal, timeZone }, own);
    });
  }

  #match(
    field: string | undefined,
    text: string,
    more: Partial<MatchOptions>,
    type: MultiType,
    boost: number,
  ): PlanNode {
    const fields = this.fields(field);
    if (fields.length === 0) return NONE;
    const { analyzer, lenient, synonymPhrases } = this.options;
    const own = { analyzer, lenient, synonymPhrases };
    const options: MatchOptions = { ...MATCH_DEFAULTS, ...own, ...more, zeroTerms: 'drop' };
    return multiFieldNode(this.planner, fields, text, type, this.#tieBreaker, options, boost);
  }

  #each(
    field: string | undefined,
    boost: number,
    work: (type: FieldType | undefined, path: string, boost: number) => PlanNode,
  ): PlanNode {
    const nodes = this.fields(field).map(({ path, boost: own }) => {
      const type = this.planner.field(path);
      if (type === undefined && !isMeta(path)) return NONE;
      return leniently(this.options.lenient, () => work(type, path, Math.fround(boost * own))) ?? NONE;
    });
    return this.planner.disMax(nodes, this.#tieBreaker);
  }

  /** Lower-cases a part of a word where the field's analyzer does. */
  #normal(type: FieldType | undefined, text: string): string {
    if (type === undefined || !isTextField(type)) return text;
    const { analyzer: name } = this.options;
    const analyzer: Analyzer | undefined =
      (name === undefined ? undefined : this.planner.view.analyzer(name)) ??
      type.searchAnalyzer ??
      type.analyzer;
    return analyzer !== undefined && lowers(analyzer) ? text.toLowerCase() : text;
  }

  #normalBounds(type: FieldType, bounds: RangeBounds): RangeBounds {
    const entries = Object.entries(bounds).map(([key, value]) => [
      key,
      typeof value === 'string' ? this.#normal(type, value) : value,
    ]);
    return Object.fromEntries(entries) as RangeBounds;
  }
}

/** `>5`, `>=5`, `<5`, `<=5`. */
function openRange(text: string): RangeBounds | undefined {
  const match = /^(>=?|<=?)(.+)$/s.exec(text);
  if (match === null) return undefined;
  const value = match[2]!;
  switch (match[1]) {
    case '>':
      return { gt: value };
    case '>=':
      return { gte: value };
    case '<':
      return { lt: value };
    default:
      return { lte: value };
  }
}

/** The edits of `~2`. Fractions are cut off, so a similarity as in older Lucene allows none. */
function editsOf(text: string): number {
  return Math.min(2, Math.trunc(Number(text)));
}

/** The error for a query string of wrong syntax. */
export function parseFailure(planner: Planner, text: string, why: string): EngineError {
  const inner = new EngineError('parse_exception', why);
  const causedBy = new EngineError('parse_exception', `Cannot parse '${text}': ${why}`, { causedBy: inner });
  return planner.misfit(`Failed to parse query [${text}]`, causedBy);
}
