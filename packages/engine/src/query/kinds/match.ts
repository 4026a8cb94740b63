// match, match_phrase, match_phrase_prefix, match_bool_prefix: a text, analysed as the field's texts are.

import { illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { parsing } from '../errors.ts';
import { type Fuzziness, parseFuzziness } from '../field/fuzzy.ts';
import { MATCH_DEFAULTS, type MatchOptions, matchNode } from '../field/match.ts';
import {
  booleanOf,
  integerOf,
  isObject,
  objectBody,
  operatorOf,
  type Readers,
  readParameters,
  singleField,
  textOf,
  tokenOf,
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
export interface Draft extends Writable<Omit<MatchOptions, 'fuzzy'>> {
  fuzziness: Fuzziness | undefined;
  prefixLength: number;
  transpositions: boolean;
}

/** A draft with the defaults of a type. */
export function draft(type: MatchOptions['type']): Draft {
  return { ...MATCH_DEFAULTS, type, fuzziness: undefined, prefixLength: 0, transpositions: true };
}

/** The options that a draft has come to. */
export function finished(draft: Draft): MatchOptions {
  const { fuzziness, prefixLength, transpositions, ...options } = draft;
  const fuzzy =
    fuzziness === undefined
      ? undefined
      : { fuzziness, prefixLength, expansions: options.maxExpansions, transpositions };
  return Object.freeze({ ...options, fuzzy });
}

/** Readers of the parameters that a kind has, by their names on the wire. */
export function matchReaders(kind: string, draft: Draft): Readers {
  return {
    analyzer: (v) => (draft.analyzer = textOf(v, kind, 'analyzer')),
    operator: (v) => (draft.operator = operatorOf(v, kind, 'operator')),
    minimum_should_match: (v) => (draft.minimumShouldMatch = textOf(v, kind, 'minimum_should_match')),
    fuzziness: (v) => (draft.fuzziness = parseFuzziness(v)),
    prefix_length: (v) => (draft.prefixLength = natural(v, kind, 'prefix_length')),
    max_expansions: (v) => (draft.maxExpansions = positive(v, kind, 'max_expansions')),
    fuzzy_transpositions: (v) => (draft.transpositions = booleanOf(v, kind, 'fuzzy_transpositions')),
    fuzzy_rewrite: (v) => void textOf(v, kind, 'fuzzy_rewrite'),
    lenient: (v) => (draft.lenient = booleanOf(v, kind, 'lenient')),
    zero_terms_query: (v) => (draft.zeroTerms = zeroTermsOf(textOf(v, kind, 'zero_terms_query'))),
    auto_generate_synonyms_phrase_query: (v) =>
      void booleanOf(v, kind, 'auto_generate_synonyms_phrase_query'),
    cutoff_frequency: (v) => void textOf(v, kind, 'cutoff_frequency'),
    slop: (v) => (draft.slop = slopOf(v, kind)),
  };
}

function natural(value: JsonValue, kind: string, parameter: string): number {
  const n = integerOf(value, kind, parameter);
  if (n < 0) throw illegalArgument(`[${kind}] requires ${parameter.replace('_', ' ')} to be non-negative.`);
  return n;
}

function positive(value: JsonValue, kind: string, parameter: string): number {
  const n = integerOf(value, kind, parameter);
  if (n <= 0) throw illegalArgument(`[${kind}] requires ${parameter.replace('_', ' ')} to be positive.`);
  return Math.min(n, 1024);
}

function slopOf(value: JsonValue, kind: string): number {
  const slop = integerOf(value, kind, 'slop');
  if (slop < 0) throw illegalArgument('No negative slop allowed.');
  return slop;
}

function zeroTermsOf(text: string): 'none' | 'all' {
  const lower = text.toLowerCase();
  if (lower === 'none' || lower === 'all') return lower;
  throw parsing(`Unsupported zero_terms_query value [${text}]`);
}

function pick(readers: Readers, names: readonly string[]): Readers {
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
      if (field === undefined) throw parsing(missing);
      const inner = body[field]!;
      const reading = draft(type);
      let text: JsonValue = null;
      let common: { boost: number; name: string | undefined } = { boost: 1, name: undefined };
      if (isObject(inner)) {
        common = readParameters(name, inner, {
          ...pick(matchReaders(name, reading), parameters),
          query: (v) => {
            if (v === null || typeof v === 'object') {
              throw parsing(`[${name}] unknown token [${tokenOf(v)}] after [query]`);
            }
            text = v;
          },
        });
      } else {
        if (Array.isArray(inner)) throw parsing(`[${name}] unknown token [START_ARRAY] after [${field}]`);
        text = inner;
      }
      if (text === null) throw parsing(missing);
      return Object.freeze({ kind: name, field, text, options: finished(reading), ...common });
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
