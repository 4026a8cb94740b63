// Reads the parameters of a query. Each kind names those it has; any other is an error with its name. Scalars
// are lenient as the peer's are: numbers and booleans may come as text.

import { EngineError, illegalArgument } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { attachPlace } from '../place.ts';
import { didYouMean } from './did-you-mean.ts';
import { contentError, parsingError, unknownParameter } from './errors.ts';

/** The parameters that every kind of query has. */
export interface CommonParameters {
  boost: number;
  name: string | undefined;
}

/** Readers of parameters by name. */
export type ParameterReaders = Readonly<
  Record<string, (value: JsonValue, kind: string, common: CommonParameters) => void>
>;

/** Whether a value is an object, not an array. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The body of a query that has to be an object. */
export function objectBody(kind: string, body: JsonValue): JsonObject {
  if (isObject(body)) return body;
  throw parsingError(`[${kind}] query malformed, no start_object after query name`);
}

/** The error for a parameter of a type that its parser does not take. */
export function unsupportedValue(parser: string, name: string, value: JsonValue): EngineError {
  return contentError(`[${parser}] ${name} doesn't support values of type: ${jsonToken(value)}`);
}

/** Reads `boost`, `_name` and the parameters that `readers` names. */
export function readParameters(
  kind: string,
  body: JsonObject,
  readers: ParameterReaders,
  unknown: (parameter: string) => EngineError = (parameter) => unknownParameter(kind, parameter),
): CommonParameters {
  const common: CommonParameters = { boost: 1, name: undefined };
  for (const [key, value] of Object.entries(body)) {
    const read = Object.hasOwn(readers, key) ? readers[key]! : commonReader(key);
    if (read === undefined) {
      const error = unknown(key);
      const at = error.type === 'x_content_parse_exception' ? 'key' : 'value';
      throw attachPlace(error, { holder: body, key, at });
    }
    try {
      read(value, kind, common);
    } catch (error) {
      throw error instanceof EngineError ? attachPlace(error, { holder: body, key, at: 'value' }) : error;
    }
  }
  return common;
}

/** Reads one parameter. */
type Reader = ParameterReaders[string];

const boostReader: Reader = (value, kind, common) => {
  common.boost = readBoost(kind, value);
};

const nameReader: Reader = (value, kind, common) => {
  common.name = readText(value, kind, '_name');
};

function commonReader(key: string): Reader | undefined {
  return key === 'boost' ? boostReader : key === '_name' ? nameReader : undefined;
}

/** Readers whose errors name the parameter, for kinds whose errors the peer wraps so. */
export function wrapErrors(kind: string, readers: ParameterReaders): ParameterReaders {
  const entries = Object.entries({ boost: boostReader, ...readers }).map(([key, read]) => [
    key,
    (value: JsonValue, _kind: string, common: CommonParameters) => {
      try {
        read(value, kind, common);
      } catch (error) {
        if (!(error instanceof EngineError) || error.type === 'parsing_exception') throw error;
        throw new EngineError('parsing_exception', `[${kind}] failed to parse field [${key}]`, {
          causedBy: error,
        });
      }
    },
  ]);
  return Object.fromEntries(entries) as ParameterReaders;
}

/** The error for an unknown parameter, for kinds that the peer reads by its object parser. */
export function unknownFieldError(
  kind: string,
  known: readonly string[] = [],
): (parameter: string) => EngineError {
  return (parameter) => parsingError(`[${kind}] unknown field [${parameter}]${didYouMean(parameter, known)}`);
}

/** The single field of a query such as `{"term": {"user": …}}`; undefined where there is none. */
export function singleField(
  kind: string,
  body: JsonObject,
  also: readonly string[] = [],
): string | undefined {
  let field: string | undefined;
  for (const key of Object.keys(body)) {
    if (also.includes(key)) continue;
    if (field !== undefined) {
      const error = parsingError(
        `[${kind}] query doesn't support multiple fields, found [${field}] and [${key}]`,
      );
      throw attachPlace(error, { holder: body, key, at: 'value' });
    }
    field = key;
  }
  return field;
}

/** Error for a query without a field. */
export function missingFieldError(): EngineError {
  return illegalArgument('field name is null or empty');
}

/** The name of a value's first token, as the peer's parser calls it. */
export function jsonToken(value: JsonValue): string {
  if (value === null) return 'VALUE_NULL';
  if (Array.isArray(value)) return 'START_ARRAY';
  if (typeof value === 'object') return 'START_OBJECT';
  if (typeof value === 'boolean') return 'VALUE_BOOLEAN';
  return typeof value === 'string' ? 'VALUE_STRING' : 'VALUE_NUMBER';
}

/** A scalar as text. */
export function readText(value: JsonValue, kind: string, parameter: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  throw parsingError(`[${kind}] unknown token [${jsonToken(value)}] after [${parameter}]`);
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** A number, or a text that is one. */
export function readNumber(value: JsonValue, kind: string, parameter: string): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value === 'string') {
    if (DECIMAL.test(value.trim())) return Number(value);
    throw new EngineError('number_format_exception', `For input string: "${value}"`);
  }
  throw parsingError(`[${kind}] unknown token [${jsonToken(value)}] after [${parameter}]`);
}

/** A whole number within 32 bits. */
export function readInteger(value: JsonValue, kind: string, parameter: string): number {
  const n = Math.trunc(readNumber(value, kind, parameter));
  if (Math.abs(n) > 0x7fffffff) throw illegalArgument(`Value [${n}] is out of range for [${parameter}]`);
  return n;
}

/** A boolean, or a text that is one. */
export function readBooleanParameter(value: JsonValue, kind: string, parameter: string): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  if (value === 'false') return false;
  if (value === null || typeof value === 'object') {
    throw parsingError(`[${kind}] unknown token [${jsonToken(value)}] after [${parameter}]`);
  }
  throw illegalArgument(`Failed to parse value [${String(value)}] as only [true] or [false] are allowed.`);
}

/** A boost: finite and not negative, as a float32. */
export function readBoost(kind: string, value: JsonValue): number {
  const boost = Math.fround(readNumber(value, kind, 'boost'));
  if (!(boost >= 0 && Number.isFinite(boost))) {
    throw illegalArgument(
      `negative [boost] are not allowed in [${kind}], use a value between 0 and 1 to deboost`,
    );
  }
  return boost;
}

/** `AND` or `OR`, in any case. */
export function readOperator(value: JsonValue, kind: string, parameter: string): 'and' | 'or' {
  const text = readText(value, kind, parameter);
  const lower = text.toLowerCase();
  if (lower === 'and' || lower === 'or') return lower;
  throw illegalArgument(`No enum constant org.opensearch.index.query.Operator.${text.toUpperCase()}`);
}
