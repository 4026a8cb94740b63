// Reads the rules of an `intervals` query.

import { illegalArgument } from '../../../errors.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { REGEXP_FLAGS } from '../../../patterns/automaton/regexp.ts';
import { contentError, parsingError } from '../../errors.ts';
import { AUTO, type FuzzyOptions, parseFuzziness } from '../../field/fuzzy.ts';
import {
  isObject,
  jsonToken,
  type ParameterReaders,
  readBooleanParameter,
  readInteger,
  readText,
  unsupportedValue,
} from '../../parameters.ts';

/** Whether parts follow each other. */
export type IntervalMode = 'ordered' | 'unordered' | 'unordered_no_overlap';

interface Filtered {
  readonly filter: { readonly name: string; readonly rule: IntervalRule } | undefined;
}

interface MatchRule extends Filtered {
  readonly type: 'match';
  readonly text: string;
  readonly maxGaps: number;
  readonly mode: IntervalMode;
  readonly analyzer: string | undefined;
  readonly useField: string | undefined;
}

interface AllOfRule extends Filtered {
  readonly type: 'all_of';
  readonly rules: readonly IntervalRule[];
  readonly maxGaps: number;
  readonly mode: IntervalMode;
}

interface AnyOfRule extends Filtered {
  readonly type: 'any_of';
  readonly rules: readonly IntervalRule[];
}

/** Terms of a form, or near another one. */
interface PatternRule {
  readonly type: 'prefix' | 'wildcard' | 'regexp' | 'fuzzy';
  readonly text: string;
  readonly analyzer: string | undefined;
  readonly useField: string | undefined;
  /** Terms at most. */
  readonly most: number;
  readonly fuzzy: FuzzyOptions;
  readonly insensitive: boolean;
  readonly flags: number;
}

export type IntervalRule = MatchRule | AllOfRule | AnyOfRule | PatternRule;

/** Terms that a pattern may stand for where it does not say so. */
const MAX_EXPANSIONS = 128;
const MAX_TERMS = 1024;

/** Reads a rule by its name; undefined where there is none of this name. `levels` is what nesting is left. */
export function readRule(name: string, body: JsonValue, levels: number): IntervalRule {
  if (levels <= 0) throw illegalArgument('[intervals] rules are nested too deeply');
  switch (name) {
    case 'match':
      return readMatch(body, levels);
    case 'all_of':
      return readAllOf(body, levels);
    case 'any_of':
      return readAnyOf(body, levels);
    case 'prefix':
      return readPattern('prefix', 'prefix', body);
    case 'wildcard':
      return readPattern('wildcard', 'pattern', body);
    case 'regexp':
      return readPattern('regexp', 'pattern', body);
    case 'fuzzy':
      return readPattern('fuzzy', 'term', body);
    default:
      throw parsingError(
        `Unknown interval type [${name}], expecting one of [match, any_of, all_of, prefix, wildcard, regexp]`,
      );
  }
}

/** Reads an object with one rule. */
function readOne(value: JsonValue, levels: number): IntervalRule {
  if (!isObject(value)) throw parsingError(`Expected [START_OBJECT] but got [${jsonToken(value)}]`);
  const [name, also] = Object.keys(value);
  if (name === undefined) throw parsingError('Expected [FIELD_NAME] but got [END_OBJECT]');
  if (also !== undefined) throw parsingError('Expected [END_OBJECT] but got [FIELD_NAME]');
  return readRule(name, value[name]!, levels);
}

/** Reads the members of a rule; any other than those that `readers` names is an error. */
function readMembers(kind: string, body: JsonValue, readers: ParameterReaders): void {
  if (!isObject(body)) throw contentError(`[${kind}] Expected START_OBJECT but was: ${jsonToken(body)}`);
  for (const [key, value] of Object.entries(body)) {
    if (!Object.hasOwn(readers, key)) throw contentError(`[${kind}] unknown field [${key}]`);
    readers[key]!(value, kind, { boost: 1, name: undefined });
  }
}

function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw illegalArgument(`Required [${name}]`);
  return value;
}

interface Shared {
  filter: Filtered['filter'];
  maxGaps: number;
  isOrdered: boolean;
  mode: IntervalMode | undefined;
}

function sharedReaders(kind: string, shared: Shared, levels: number): ParameterReaders {
  return {
    filter: (v) => (shared.filter = readFilter(v, levels - 1)),
    max_gaps: (v) => (shared.maxGaps = readInteger(v, kind, 'max_gaps')),
    ordered: (v) => (shared.isOrdered = readBooleanParameter(v, kind, 'ordered')),
    mode: (v) => (shared.mode = readMode(v, kind)),
  };
}

function newShared(): Shared {
  return { filter: undefined, maxGaps: -1, isOrdered: false, mode: undefined };
}

function modeOf({ mode, isOrdered }: Shared): IntervalMode {
  return mode ?? (isOrdered ? 'ordered' : 'unordered');
}

function readMode(value: JsonValue, kind: string): IntervalMode {
  const text = readText(value, kind, 'mode').toLowerCase();
  if (text === 'ordered' || text === 'unordered' || text === 'unordered_no_overlap') return text;
  throw contentError(`Failed to build [${kind}] after last required field arrived`);
}

function readMatch(body: JsonValue, levels: number): MatchRule {
  const shared = newShared();
  let text: string | undefined;
  let analyzer: string | undefined;
  let useField: string | undefined;
  readMembers('match', body, {
    query: (v) => (text = readText(v, 'match', 'query')),
    analyzer: (v) => (analyzer = readText(v, 'match', 'analyzer')),
    use_field: (v) => (useField = readText(v, 'match', 'use_field')),
    ...sharedReaders('match', shared, levels),
  });
  const { filter, maxGaps } = shared;
  const mode = modeOf(shared);
  return { type: 'match', text: required(text, 'query'), maxGaps, mode, analyzer, useField, filter };
}

function readAllOf(body: JsonValue, levels: number): AllOfRule {
  const shared = newShared();
  let rules: readonly IntervalRule[] | undefined;
  readMembers('all_of', body, {
    intervals: (v) => (rules = readList('all_of', v, levels - 1)),
    ...sharedReaders('all_of', shared, levels),
  });
  const { filter, maxGaps } = shared;
  return { type: 'all_of', rules: required(rules, 'intervals'), maxGaps, mode: modeOf(shared), filter };
}

function readAnyOf(body: JsonValue, levels: number): AnyOfRule {
  let filter: Filtered['filter'];
  let rules: readonly IntervalRule[] | undefined;
  readMembers('any_of', body, {
    intervals: (v) => (rules = readList('any_of', v, levels - 1)),
    filter: (v) => (filter = readFilter(v, levels - 1)),
  });
  return { type: 'any_of', rules: required(rules, 'intervals'), filter };
}

function readList(kind: string, value: JsonValue, levels: number): IntervalRule[] {
  if (!Array.isArray(value)) {
    throw unsupportedValue(kind, 'intervals', value);
  }
  return value.map((each) => readOne(each, levels));
}

function readFilter(value: JsonValue, levels: number): Filtered['filter'] {
  if (!isObject(value)) throw parsingError(`Expected [START_OBJECT] but got [${jsonToken(value)}]`);
  const body: JsonObject = value;
  const [name, also] = Object.keys(body);
  if (name === undefined) throw parsingError('Expected [FIELD_NAME] but got [END_OBJECT]');
  if (also !== undefined) throw parsingError('Expected [END_OBJECT] but got [FIELD_NAME]');
  if (name === 'script') throw illegalArgument('[intervals] filters by [script] are not supported');
  return { name, rule: readOne(body[name]!, levels) };
}

function readPattern(type: PatternRule['type'], member: string, body: JsonValue): PatternRule {
  let text: string | undefined;
  let analyzer: string | undefined;
  let useField: string | undefined;
  let most = MAX_EXPANSIONS;
  let insensitive = false;
  let flags = REGEXP_FLAGS['ALL']!;
  const fuzzy = { fuzziness: AUTO, prefixLength: 0, expansions: MAX_EXPANSIONS, transpositions: true };
  const readers: Record<string, ParameterReaders[string]> = {
    [member]: (v) => (text = readText(v, type, member)),
    use_field: (v) => (useField = readText(v, type, 'use_field')),
  };
  if (type !== 'regexp') readers['analyzer'] = (v) => (analyzer = readText(v, type, 'analyzer'));
  if (type === 'wildcard' || type === 'regexp') {
    readers['max_expansions'] = (v) => {
      most = readInteger(v, type, 'max_expansions');
      if (most <= 0 || most > MAX_TERMS)
        throw illegalArgument(`max_expansions [${most}] has to be between 1 and ${MAX_TERMS}`);
    };
  }
  if (type === 'regexp') {
    readers['case_insensitive'] = (v) => (insensitive = readBooleanParameter(v, type, 'case_insensitive'));
    readers['flags_value'] = (v) => (flags = readInteger(v, type, 'flags_value'));
  }
  if (type === 'fuzzy') {
    readers['fuzziness'] = (v) => (fuzzy.fuzziness = parseFuzziness(v));
    readers['prefix_length'] = (v) =>
      (fuzzy.prefixLength = Math.max(0, readInteger(v, type, 'prefix_length')));
    readers['transpositions'] = (v) =>
      (fuzzy.transpositions = readBooleanParameter(v, type, 'transpositions'));
  }
  readMembers(type, body, readers);
  return { type, text: required(text, member), analyzer, useField, most, fuzzy, insensitive, flags };
}
