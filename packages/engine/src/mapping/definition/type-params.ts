// The parameters of each field type: their kinds, their defaults, and which may change later.

import { EngineError } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';

/** The kind of value of a parameter. */
type ParamKind = 'boolean' | 'integer' | 'number' | 'text' | 'list' | 'json' | 'object';

interface Param {
  readonly kind: ParamKind;
  readonly fallback: JsonValue;
  /** Whether an update may change it: never, always, or only from true to false. */
  readonly update: 'never' | 'always' | 'off';
  readonly accepted?: readonly string[];
}

function param(
  kind: ParamKind,
  fallback: JsonValue,
  update: Param['update'] = 'never',
  accepted?: readonly string[],
): Param {
  return accepted === undefined ? { kind, fallback, update } : { kind, fallback, update, accepted };
}

const COMMON: Record<string, Param> = {
  store: param('boolean', false),
  meta: param('object', null, 'always'),
  boost: param('number', 1, 'always'),
};
const INDEXED: Record<string, Param> = {
  ...COMMON,
  index: param('boolean', true),
  doc_values: param('boolean', true),
  skip_list: param('boolean', false),
};
const OPTIONS = ['positions', 'docs', 'freqs', 'offsets'];

const NUMBER: Record<string, Param> = {
  ...INDEXED,
  coerce: param('boolean', true, 'always'),
  ignore_malformed: param('boolean', false, 'always'),
  null_value: param('json', null),
};

const TEXT: Record<string, Param> = {
  ...COMMON,
  index: param('boolean', true),
  analyzer: param('text', 'default'),
  search_analyzer: param('text', null, 'always'),
  search_quote_analyzer: param('text', null, 'always'),
  index_options: param('text', 'positions', 'never', OPTIONS),
  norms: param('boolean', true, 'off'),
  position_increment_gap: param('integer', 100),
  similarity: param('text', null),
  term_vector: param('text', 'no'),
  fielddata: param('boolean', false, 'always'),
  fielddata_frequency_filter: param('object', null, 'always'),
  eager_global_ordinals: param('boolean', false, 'always'),
  index_prefixes: param('object', null),
  index_phrases: param('boolean', false),
};

const KEYWORD: Record<string, Param> = {
  ...INDEXED,
  ignore_above: param('integer', 2147483647, 'always'),
  null_value: param('text', null),
  normalizer: param('text', null),
  norms: param('boolean', false),
  index_options: param('text', 'docs', 'never', ['docs', 'freqs']),
  similarity: param('text', null),
  use_similarity: param('boolean', false, 'always'),
  eager_global_ordinals: param('boolean', false, 'always'),
  split_queries_on_whitespace: param('boolean', false, 'always'),
};

const DATE: Record<string, Param> = {
  ...INDEXED,
  format: param('text', 'strict_date_optional_time||epoch_millis'),
  print_format: param('text', null),
  locale: param('text', ''),
  ignore_malformed: param('boolean', false, 'always'),
  null_value: param('json', null),
};

const RANGE: Record<string, Param> = { ...INDEXED, coerce: param('boolean', true) };

/** Parameters by type, without `fields` and `copy_to`. */
export const PARAMS: Readonly<Record<string, Readonly<Record<string, Param>>>> = {
  text: TEXT,
  match_only_text: TEXT,
  keyword: KEYWORD,
  wildcard: { ...KEYWORD, doc_values: param('boolean', false) },
  constant_keyword: { ...COMMON, value: param('text', null) },
  long: NUMBER,
  integer: NUMBER,
  short: NUMBER,
  byte: NUMBER,
  double: NUMBER,
  float: NUMBER,
  half_float: NUMBER,
  unsigned_long: NUMBER,
  scaled_float: { ...NUMBER, scaling_factor: param('number', null) },
  boolean: { ...INDEXED, null_value: param('boolean', null) },
  date: DATE,
  date_nanos: DATE,
  ip: { ...INDEXED, ignore_malformed: param('boolean', false, 'always'), null_value: param('text', null) },
  binary: { ...COMMON, doc_values: param('boolean', false) },
  geo_point: {
    ...INDEXED,
    ignore_malformed: param('boolean', false, 'always'),
    ignore_z_value: param('boolean', true, 'always'),
    null_value: param('json', null),
  },
  completion: {
    ...COMMON,
    analyzer: param('text', 'simple'),
    search_analyzer: param('text', null, 'always'),
    preserve_separators: param('boolean', true),
    preserve_position_increments: param('boolean', true),
    max_input_length: param('integer', 50, 'always'),
    contexts: param('json', null),
  },
  search_as_you_type: {
    ...TEXT,
    // A mapping is printed, and so stored, with it.
    doc_values: param('boolean', false),
    max_shingle_size: param('integer', 3),
  },
  token_count: {
    ...INDEXED,
    analyzer: param('text', null),
    enable_position_increments: param('boolean', true),
    null_value: param('integer', null),
  },
  flat_object: { ...COMMON },
  rank_feature: { meta: COMMON['meta']!, positive_score_impact: param('boolean', true) },
  rank_features: { meta: COMMON['meta']! },
  integer_range: RANGE,
  long_range: RANGE,
  float_range: RANGE,
  double_range: RANGE,
  date_range: { ...RANGE, format: DATE['format']!, locale: DATE['locale']! },
  ip_range: RANGE,
};

/** A parameter's value as the mapping stores it. Errors name parameter and field. */
export function readParam(
  name: string,
  spec: Param,
  value: JsonValue,
  path: string,
  type: string,
): JsonValue {
  if (value === null) {
    if (spec.fallback === null) return null;
    throw mapperParsing(`[${name}] on mapper [${path}] of type [${type}] must not have a [null] value`);
  }
  switch (spec.kind) {
    case 'boolean':
      return booleanParam(value);
    case 'integer': {
      const number = typeof value === 'string' && /^[+-]?\d{1,10}$/.test(value) ? Number(value) : value;
      if (typeof number !== 'number')
        throw new EngineError('number_format_exception', `For input string: "${javaValueText(value)}"`);
      return Math.trunc(number);
    }
    case 'number': {
      const number = typeof value === 'string' ? Number(value) : value;
      if (typeof number !== 'number' || Number.isNaN(number)) {
        throw new EngineError('number_format_exception', `For input string: "${javaValueText(value)}"`);
      }
      return number;
    }
    case 'text': {
      const text = javaValueText(value);
      if (spec.accepted !== undefined && !spec.accepted.includes(text)) {
        throw mapperParsing(
          `Unknown value [${text}] for field [${name}] - accepted values are [${spec.accepted.join(', ')}]`,
        );
      }
      return text;
    }
    case 'object':
      if (typeof value !== 'object' || Array.isArray(value))
        throw mapperParsing(`[${name}] must be an object, got ${javaValueText(value)}`);
      return value;
    default:
      return value;
  }
}

/** A boolean or its text; anything else is an error. */
export function booleanParam(value: JsonValue): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new EngineError(
    'illegal_argument_exception',
    `Failed to parse value [${javaValueText(value)}] as only [true] or [false] are allowed.`,
  );
}

/** A value as Java prints it in messages: `[a, b]`, `{a=1}`. */
export function javaValueText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(javaValueText).join(', ')}]`;
  if (value !== null && typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, item]) => `${key}=${javaValueText(item)}`)
      .join(', ')}}`;
  }
  return String(value);
}

export function mapperParsing(reason: string, causedBy?: EngineError): EngineError {
  return new EngineError('mapper_parsing_exception', reason, causedBy === undefined ? {} : { causedBy });
}
