// prefix, wildcard, regexp, fuzzy: documents whose field has a term of a certain form, or near another term.

import { illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { REGEXP_FLAGS } from '../../patterns/automaton/regexp.ts';
import { parsingError } from '../errors.ts';
import { plainString } from '../field/field-value.ts';
import { AUTO, type FuzzyOptions, fuzzyNode, parseFuzziness } from '../field/fuzzy.ts';
import { prefixNode, regexpNode, wildcardNode } from '../field/term-patterns.ts';
import { NONE } from '../node/clauses/match-all-node.ts';
import {
  type CommonParameters,
  isObject,
  missingFieldError,
  objectBody,
  type ParameterReaders,
  readBooleanParameter,
  readInteger,
  readParameters,
  readText,
  singleField,
} from '../parameters.ts';
import type { Query } from '../query.ts';
import type { QueryKind } from './kind.ts';

interface PatternQuery extends Query {
  readonly field: string;
  readonly text: string;
  readonly insensitive: boolean;
}

/** Reads `{field: text}` or `{field: {value: text, …}}`. */
function readPattern(
  kind: string,
  json: JsonValue,
  readers: ParameterReaders,
  names: readonly string[] = ['value'],
): CommonParameters & { field: string; text: string } {
  const body = objectBody(kind, json);
  const field = singleField(kind, body);
  if (field === undefined || field === '') throw missingFieldError();
  const inner = body[field]!;
  if (inner === null) throw illegalArgument('value cannot be null');
  if (Array.isArray(inner)) {
    throw parsingError(`[${kind}] query doesn't support multiple fields, found [${field}] and [null]`);
  }
  if (!isObject(inner)) return { field, text: plainString(inner), boost: 1, name: undefined };
  let text: string | undefined;
  const take = (v: JsonValue): void => {
    if (v !== null) text = readText(v, kind, 'value');
  };
  const values = Object.fromEntries(names.map((name) => [name, take]));
  const common = readParameters(kind, inner, {
    ...readers,
    ...values,
    rewrite: (v) => void readText(v, kind, 'rewrite'),
  });
  if (text === undefined) throw illegalArgument('value cannot be null');
  return { field, text, ...common };
}

export const prefix: QueryKind<PatternQuery> = {
  name: 'prefix',
  isNone: ({ field }, planner) => planner.isUnmapped(field),
  parse(json) {
    let insensitive = false;
    const read = readPattern(
      'prefix',
      json,
      { case_insensitive: (v) => (insensitive = readBooleanParameter(v, 'prefix', 'case_insensitive')) },
      ['value', 'prefix'],
    );
    return Object.freeze({ kind: 'prefix', insensitive, ...read });
  },
  plan: (query, planner, boost) => prefixNode(planner, query.field, query.text, boost, query.insensitive),
};

export const wildcard: QueryKind<PatternQuery> = {
  name: 'wildcard',
  isNone: ({ field }, planner) => planner.isUnmapped(field),
  parse(json) {
    let insensitive = false;
    const read = readPattern(
      'wildcard',
      json,
      { case_insensitive: (v) => (insensitive = readBooleanParameter(v, 'wildcard', 'case_insensitive')) },
      ['value', 'wildcard'],
    );
    return Object.freeze({ kind: 'wildcard', insensitive, ...read });
  },
  plan: (query, planner, boost) => wildcardNode(planner, query.field, query.text, boost, query.insensitive),
};

interface RegexpQuery extends PatternQuery {
  readonly flags: number;
  readonly maxStates: number;
}

export const regexp: QueryKind<RegexpQuery> = {
  name: 'regexp',
  parse(json) {
    let insensitive = false;
    let flags = REGEXP_FLAGS['ALL']!;
    let maxStates = Number.POSITIVE_INFINITY;
    const read = readPattern('regexp', json, {
      case_insensitive: (v) => (insensitive = readBooleanParameter(v, 'regexp', 'case_insensitive')),
      flags: (v) => (flags = flagsOf(readText(v, 'regexp', 'flags'))),
      flags_value: (v) => void readInteger(v, 'regexp', 'flags_value'),
      max_determinized_states: (v) => {
        maxStates = Math.max(1, readInteger(v, 'regexp', 'max_determinized_states'));
      },
    });
    return Object.freeze({ kind: 'regexp', insensitive, flags, maxStates, ...read });
  },
  plan: (query, planner, boost) => regexpNode(planner, query.field, query.text, query, boost),
};

function flagsOf(text: string): number {
  if (text === '') return REGEXP_FLAGS['ALL']!;
  let flags = 0;
  for (const name of text.split('|')) {
    const flag = Object.hasOwn(REGEXP_FLAGS, name.toUpperCase())
      ? REGEXP_FLAGS[name.toUpperCase()]
      : undefined;
    if (flag === undefined) throw illegalArgument(`Unknown regexp flag [${name}]`);
    flags |= flag;
  }
  return flags;
}

interface FuzzyQuery extends PatternQuery {
  readonly options: FuzzyOptions;
}

export const fuzzy: QueryKind<FuzzyQuery> = {
  name: 'fuzzy',
  isNone: ({ field }, planner) => planner.isUnmapped(field),
  parse(json) {
    const options = { fuzziness: AUTO, prefixLength: 0, expansions: 50, transpositions: true };
    const read = readPattern(
      'fuzzy',
      json,
      {
        fuzziness: (v) => (options.fuzziness = parseFuzziness(v)),
        prefix_length: (v) => (options.prefixLength = Math.max(0, readInteger(v, 'fuzzy', 'prefix_length'))),
        max_expansions: (v) => {
          options.expansions = Math.min(1024, Math.max(1, readInteger(v, 'fuzzy', 'max_expansions')));
        },
        transpositions: (v) => (options.transpositions = readBooleanParameter(v, 'fuzzy', 'transpositions')),
      },
      ['value', 'term'],
    );
    return Object.freeze({ kind: 'fuzzy', insensitive: false, options: Object.freeze(options), ...read });
  },
  plan(query, planner, boost) {
    const field = planner.field(query.field);
    return field === undefined ? NONE : fuzzyNode(planner, field, query.text, query.options, boost);
  },
};
