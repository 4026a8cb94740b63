// match, match_phrase, match_phrase_prefix, match_bool_prefix: a text, analysed as the field's texts are.

import { illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { parsingError } from '../errors.ts';
import { type Fuzziness, parseFuzziness } from '../field/fuzzy.ts';
import { MATCH_DEFAULTS, type MatchOptions, matchNode } from '../field/text/match.ts';
import {
  isObject,
  jsonToken,
  objectBody,
  type ParameterReaders,
  readBooleanParameter,
  readInteger,
  readNumber,
  readOperator,
  readParameters,
  readText,
  singleField,
} from '../parameters.ts';
import type { Query } from '../query.ts';
import type { QueryKind } from './kind.ts';

interface MatchQuery extends Query {
  readonly field: string;
  readonly text: JsonValue;
  readonly options: MatchOptions;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Parameters of a text while they are read. */
interface MatchDraft extends Writable<Omit<MatchOptions, 'fuzzy'>> {
  fuzziness: Fuzziness | undefined;
  prefixLength: number;
  transpositions: boolean;
}

/** A draft with the defaults of a type. */
export function newDraft(type: MatchOptions['type']): MatchDraft {
  return { ...MATCH_DEFAULTS, type, fuzziness: undefined, prefixLength: 0, transpositions: true };
}

/** The options of a complete draft. */
export function finishDraft(draft: MatchDraft): MatchOptions {
  const { fuzziness, prefixLength, transpositions, ...options } = draft;
  const fuzzy =
    fuzziness === undefined
      ? undefined
      : { fuzziness, prefixLength, expansions: options.maxExpansions, transpositions };
  return Object.freeze({ ...options, fuzzy });
}

/** Readers of all parameters of a text, by their names on the wire. */
export function matchReaders(kind: string, draft: MatchDraft): ParameterReaders {
  return {
    analyzer: (v) => (draft.analyzer = readText(v, kind, 'analyzer')),
    operator: (v) => (draft.operator = readOperator(v, kind, 'operator')),
    minimum_should_match: (v) => (draft.minimumShouldMatch = readText(v, kind, 'minimum_should_match')),
    fuzziness: (v) => (draft.fuzziness = parseFuzziness(v)),
    prefix_length: (v) => (draft.prefixLength = natural(v, kind, 'prefix_length')),
    max_expansions: (v) => (draft.maxExpansions = positive(v, kind, 'max_expansions')),
    fuzzy_transpositions: (v) =>
      (draft.transpositions = readBooleanParameter(v, kind, 'fuzzy_transpositions')),
    fuzzy_rewrite: (v) => void readText(v, kind, 'fuzzy_rewrite'),
    lenient: (v) => (draft.lenient = readBooleanParameter(v, kind, 'lenient')),
    zero_terms_query: (v) => (draft.zeroTerms = zeroTermsOf(readText(v, kind, 'zero_terms_query'))),
    auto_generate_synonyms_phrase_query: (v) =>
      (draft.synonymPhrases = readBooleanParameter(v, kind, 'auto_generate_synonyms_phrase_query')),
    cutoff_frequency: (v) => (draft.cutoff = readNumber(v, kind, 'cutoff_frequency')),
    slop: (v) => (draft.slop = slopOf(v, kind)),
  };
}

function natural(value: JsonValue, kind: string, parameter: string): number {
  const n = readInteger(value, kind, parameter);
  if (n < 0) throw illegalArgument(`[${kind}] requires ${parameter.replace('_', ' ')} to be non-negative.`);
  return n;
}

function positive(value: JsonValue, kind: string, parameter: string): number {
  const n = readInteger(value, kind, parameter);
  if (n <= 0) throw illegalArgument(`[${kind}] requires ${parameter.replace('_', ' ')} to be positive.`);
  return Math.min(n, 1024);
}

function slopOf(value: JsonValue, kind: string): number {
  const slop = readInteger(value, kind, 'slop');
  if (slop < 0) throw illegalArgument('No negative slop allowed.');
  return slop;
}

function zeroTermsOf(text: string): 'none' | 'all' {
  const lower = text.toLowerCase();
  if (lower === 'none' || lower === 'all') return lower;
  throw parsingError(`Unsupported zero_terms_query value [${text}]`);
}

function pick(readers: ParameterReaders, names: readonly string[]): ParameterReaders {
  return Object.fromEntries(names.map((name) => [name, readers[name]!]));
}

function kindOf(
  name: string,
  type: MatchOptions['type'],
  parameters: readonly string[],
  missing: string,
): QueryKind<MatchQuery> {
  return {
    name,
    parse(json) {
      const body = objectBody(name, json);
      const field = singleField(name, body);
      if (field === undefined) throw parsingError(missing);
      const inner = body[field]!;
      const draft = newDraft(type);
      let text: JsonValue = null;
      let common: { boost: number; name: string | undefined } = { boost: 1, name: undefined };
      if (isObject(inner)) {
        common = readParameters(name, inner, {
          ...pick(matchReaders(name, draft), parameters),
          query: (v) => {
            if (v === null || typeof v === 'object') {
              throw parsingError(`[${name}] unknown token [${jsonToken(v)}] after [query]`);
            }
            text = v;
          },
        });
      } else {
        if (Array.isArray(inner))
          throw parsingError(`[${name}] unknown token [START_ARRAY] after [${field}]`);
        text = inner;
      }
      if (text === null) throw type === 'boolean' ? parsingError(missing) : illegalArgument(missing);
      return Object.freeze({ kind: name, field, text, options: finishDraft(draft), ...common });
    },
    plan: (query, planner, boost) => matchNode(planner, query.field, query.text, query.options, boost, name),
  };
}

const FUZZY = ['fuzziness', 'prefix_length', 'max_expansions', 'fuzzy_transpositions', 'fuzzy_rewrite'];
const MATCH = ['analyzer', 'operator', 'minimum_should_match', 'lenient', 'zero_terms_query', ...FUZZY];

export const match: QueryKind<MatchQuery> = kindOf(
  'match',
  'boolean',
  [...MATCH, 'cutoff_frequency', 'auto_generate_synonyms_phrase_query'],
  'No text specified for text query',
);

export const matchPhrase: QueryKind<MatchQuery> = kindOf(
  'match_phrase',
  'phrase',
  ['analyzer', 'slop', 'zero_terms_query'],
  '[match_phrase] requires query value',
);

export const matchPhrasePrefix: QueryKind<MatchQuery> = kindOf(
  'match_phrase_prefix',
  'phrase_prefix',
  ['analyzer', 'slop', 'max_expansions', 'zero_terms_query'],
  '[match_phrase_prefix] requires query value',
);

export const matchBoolPrefix: QueryKind<MatchQuery> = kindOf(
  'match_bool_prefix',
  'bool_prefix',
  ['analyzer', 'operator', 'minimum_should_match', ...FUZZY],
  '[match_bool_prefix] requires query value',
);
