// query_string and simple_query_string: queries as people type them (string/).

import { EngineError } from '../../errors.ts';
import { plainText } from '../../json/java-text.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { parsingError, tooManyClauses } from '../errors.ts';
import { defaultFields, expandFields, parseWeightedField, type WeightedField } from '../field/field-list.ts';
import { AUTO, parseFuzziness } from '../field/fuzzy.ts';
import { DROPPED, joinTerms } from '../field/text/match.ts';
import type { MultiType } from '../field/text/multi-field.ts';
import { AllNode, NONE } from '../node/clauses/match-all-node.ts';
import type { PlanNode } from '../node/node.ts';
import {
  objectBody,
  type ParameterReaders,
  readBooleanParameter,
  readInteger,
  readNumber,
  readOperator,
  readParameters,
  readText,
} from '../parameters.ts';
import type { Planner } from '../plan/planner.ts';
import type { Query } from '../query.ts';
import { LexicalError } from '../string/lexer.ts';
import { parseSimple, SIMPLE_OPERATORS, type Simple } from '../string/parse-simple.ts';
import { escapeSyntax, parseSyntax, QuerySyntaxError, type Syntax } from '../string/parse-syntax.ts';
import { planSyntax } from '../string/plan-syntax.ts';
import { parseFailure, type WordOptions, WordPlanner } from '../string/word-planner.ts';
import type { QueryKind } from './kind.ts';
import { readFields, readMultiType } from './multi-match.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

interface StringQuery extends Query {
  readonly text: string;
  readonly fields: readonly WeightedField[];
  readonly defaultField: string | undefined;
  readonly lenient: boolean | undefined;
  readonly least: string | undefined;
  readonly leadingWildcard: boolean;
  readonly flags: number;
  /** Whether the text has no operators, patterns or fields: each of their characters stands for itself. */
  readonly escape: boolean;
  readonly words: Omit<WordOptions, 'fields' | 'allFields' | 'lenient'>;
}

function defaultWordOptions(): Writable<StringQuery['words']> {
  return {
    type: 'best_fields' as MultiType,
    tieBreaker: undefined,
    operator: 'or',
    analyzer: undefined,
    synonymPhrases: true,
    quoteAnalyzer: undefined,
    slop: 0,
    fuzziness: AUTO,
    fuzzyPrefix: 0,
    fuzzyExpansions: 50,
    transpositions: true,
    timeZone: undefined,
    maxStates: Number.POSITIVE_INFINITY,
    prefixes: 'lowered',
  };
}

/** Readers of the parameters that both kinds have. */
function sharedReaders(
  kind: string,
  words: Writable<StringQuery['words']>,
  query: Writable<Omit<StringQuery, keyof Query>>,
): ParameterReaders {
  const ignored = (parameter: string) => (v: JsonValue) => void readText(v, kind, parameter);
  return {
    query: (v) => (query.text = readText(v, kind, 'query')),
    fields: (v) => (query.fields = readStringFields(v, kind)),
    analyzer: (v) => (words.analyzer = readText(v, kind, 'analyzer')),
    default_operator: (v) => (words.operator = readOperator(v, kind, 'default_operator')),
    lenient: (v) => (query.lenient = readBooleanParameter(v, kind, 'lenient')),
    minimum_should_match: (v) => (query.least = readText(v, kind, 'minimum_should_match')),
    analyze_wildcard: (v) => {
      const analyzed = kind === 'query_string' ? 'analyzed' : 'raw';
      words.prefixes = readBooleanParameter(v, kind, 'analyze_wildcard') ? analyzed : 'lowered';
    },
    auto_generate_synonyms_phrase_query: (v) =>
      (words.synonymPhrases = readBooleanParameter(v, kind, 'auto_generate_synonyms_phrase_query')),
    fuzzy_prefix_length: (v) =>
      (words.fuzzyPrefix = Math.max(0, readInteger(v, kind, 'fuzzy_prefix_length'))),
    fuzzy_max_expansions: (v) => {
      words.fuzzyExpansions = Math.min(1024, Math.max(1, readInteger(v, kind, 'fuzzy_max_expansions')));
    },
    fuzzy_transpositions: (v) =>
      (words.transpositions = readBooleanParameter(v, kind, 'fuzzy_transpositions')),
    quote_field_suffix: ignored('quote_field_suffix'),
  };
}

/** Fields of a query string: one that is named again without a boost keeps the one it has. */
function readStringFields(value: JsonValue, kind: string): WeightedField[] {
  const names = Array.isArray(value) ? value : [value];
  const found = new Map<string, number>();
  for (const [i, { path, boost }] of readFields(value, kind).entries())
    if (!found.has(path) || plainText(names[i]).includes('^')) found.set(path, boost);
  return [...found].map(([path, boost]) => ({ path, boost }));
}

const NO_TEXT = '\u0000';

export const queryString: QueryKind<StringQuery> = {
  name: 'query_string',
  parse(json) {
    const kind = 'query_string';
    const words = defaultWordOptions();
    const query = blank(words);
    const ignored = (parameter: string) => (v: JsonValue) => void readText(v, kind, parameter);
    const common = readParameters(kind, objectBody(kind, json), {
      ...sharedReaders(kind, words, query),
      default_field: (v) => (query.defaultField = readText(v, kind, 'default_field')),
      quote_analyzer: (v) => (words.quoteAnalyzer = readText(v, kind, 'quote_analyzer')),
      allow_leading_wildcard: (v) =>
        (query.leadingWildcard = readBooleanParameter(v, kind, 'allow_leading_wildcard')),
      max_determinized_states: (v) => {
        words.maxStates = Math.max(1, readInteger(v, kind, 'max_determinized_states'));
      },
      enable_position_increments: ignored('enable_position_increments'),
      escape: (v) => (query.escape = readBooleanParameter(v, kind, 'escape')),
      fuzziness: (v) => (words.fuzziness = parseFuzziness(v)),
      fuzzy_rewrite: ignored('fuzzy_rewrite'),
      phrase_slop: (v) => (words.slop = Math.max(0, readInteger(v, kind, 'phrase_slop'))),
      rewrite: ignored('rewrite'),
      tie_breaker: (v) => (words.tieBreaker = readNumber(v, kind, 'tie_breaker')),
      time_zone: (v) => (words.timeZone = readText(v, kind, 'time_zone')),
      type: (v) => (words.type = readMultiType(v, kind)),
    });
    if (query.text === NO_TEXT) throw parsingError('[query_string] must be provided with a [query]');
    return Object.freeze({ kind, ...query, ...common });
  },
  plan(query, planner, boost) {
    if (query.defaultField !== undefined && query.fields.length > 0) {
      throw new EngineError(
        'action_request_validation_exception',
        'Validation Failed: 1: [query_string] cannot use [fields] parameter in conjunction with [default_field];',
      );
    }
    if (query.text.trim() === '') return NONE;
    const words = wordPlanner(query, planner);
    try {
      const syntax = parseSyntax(query.escape ? escapeSyntax(query.text) : query.text);
      checkSyntax(syntax, query, planner);
      const node = planSyntax(words, syntax, boost, query.least);
      return node === DROPPED ? NONE : node;
    } catch (error) {
      if (error instanceof QuerySyntaxError || error instanceof LexicalError) {
        throw parseFailure(planner, query.text, error.message);
      }
      throw error;
    }
  },
};

function blank(words: StringQuery['words']): Writable<Omit<StringQuery, keyof Query>> {
  return {
    text: NO_TEXT,
    fields: [],
    defaultField: undefined,
    lenient: undefined,
    least: undefined,
    leadingWildcard: true,
    flags: SIMPLE_OPERATORS['ALL']!,
    escape: false,
    words,
  };
}

function wordPlanner(query: StringQuery, planner: Planner): WordPlanner {
  let list = query.fields;
  let allFields = list.length === 1 && list[0]!.path === '*';
  if (query.defaultField !== undefined) {
    list = [parseWeightedField(query.defaultField)];
    allFields = query.defaultField === '*';
  } else if (list.length === 0) {
    const defaults = defaultFields(planner);
    list = defaults.list;
    allFields = defaults.all;
  }
  const fields = expandFields(planner, list);
  return new WordPlanner(planner, {
    ...query.words,
    fields,
    allFields,
    lenient: query.lenient ?? (allFields || list.some(({ path }) => path === '*')),
  });
}

/** Throws for what the peer's parser refuses in a tree. */
function checkSyntax(syntax: Syntax, query: StringQuery, planner: Planner): void {
  let clauses = 0;
  const visit = (each: Syntax): void => {
    if (each.kind === 'clauses') {
      clauses += each.clauses.length;
      if (clauses > planner.limits.maxClauses) throw tooManyClauses(planner.limits.maxClauses);
      for (const clause of each.clauses) visit(clause.syntax);
    } else if (each.kind === 'boosted') visit(each.of);
    else if (
      each.kind === 'wildcard' &&
      !query.leadingWildcard &&
      each.text !== '*' &&
      /^[*?]/.test(each.text)
    ) {
      throw new QuerySyntaxError("'*' or '?' not allowed as first character in WildcardQuery");
    }
  };
  visit(syntax);
}

export const simpleQueryString: QueryKind<StringQuery> = {
  name: 'simple_query_string',
  parse(json) {
    const kind = 'simple_query_string';
    const words = defaultWordOptions();
    const query = blank(words);
    const body: JsonObject = objectBody(kind, json);
    const common = readParameters(kind, body, {
      ...sharedReaders(kind, words, query),
      flags: (v) => (query.flags = flagsOf(v)),
    });
    if (query.text === NO_TEXT) throw parsingError('[simple_query_string] query text missing');
    return Object.freeze({ kind, ...query, ...common });
  },
  plan(query, planner, boost) {
    if (query.text.trim() === '*') return new AllNode(boost);
    const words = wordPlanner(query, planner);
    const simple = parseSimple(query.text, query.words.operator, query.flags);
    if (simple === undefined) return NONE;
    const node = simpleNode(words, simple, boost, query.least);
    return node === DROPPED ? NONE : node;
  },
};

function flagsOf(value: JsonValue): number {
  if (typeof value === 'number') return value < 0 ? -1 : value;
  let flags = 0;
  const text = readText(value, 'simple_query_string', 'flags');
  if (text === '') return SIMPLE_OPERATORS['ALL']!;
  for (const name of text.split('|')) {
    const upper = name.trim().toUpperCase();
    if (!Object.hasOwn(SIMPLE_OPERATORS, upper)) {
      throw new EngineError('illegal_argument_exception', `Unknown simple_query_string flag [${name}]`);
    }
    flags |= SIMPLE_OPERATORS[upper]!;
  }
  return flags;
}

function simpleNode(words: WordPlanner, simple: Simple, boost: number, least?: string): PlanNode {
  const { planner } = words;
  if (simple.kind === 'leaf') return inFields(words, simple.syntax, boost, least);
  if (simple.kind === 'not') {
    const node = simpleNode(words, simple.of, boost);
    if (node === DROPPED) return DROPPED;
    return planner.combine({ should: [new AllNode(boost)], mustNot: [node], least: 1 });
  }
  const nodes = simple.of.map((each) => simpleNode(words, each, boost)).filter((node) => node !== DROPPED);
  if (nodes.length === 0) return DROPPED;
  return joinTerms(planner, nodes, { operator: simple.kind, minimumShouldMatch: least });
}

/**
 * A word in every field: the scores of all fields are summed, for a phrase the best one counts. A minimum applies to
 * the words of a single field only, and is lost where that has a boost, as in the peer.
 */
function inFields(words: WordPlanner, syntax: Syntax, boost: number, least: string | undefined): PlanNode {
  const { fields } = words.options;
  const minimum = fields.length === 1 && fields[0]!.boost === 1 ? least : undefined;
  const nodes = fields.map((field) => {
    const one = new WordPlanner(words.planner, { ...words.options, fields: [field], allFields: false });
    return planSyntax(one, syntax, boost, minimum);
  });
  const kept = nodes.filter((node) => node !== DROPPED);
  if (kept.length === 0 && nodes.length > 0) return DROPPED;
  return words.planner.disMax(kept, syntax.kind === 'phrase' ? 0 : 1);
}
