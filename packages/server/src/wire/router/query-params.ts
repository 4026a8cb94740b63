// The query string: typed getters with the peer's errors for values that do not parse, and the check that
// refuses unknown parameters.

import { EngineError, illegalArgument } from '@octavo/engine';
import { nearestNames } from '../../patterns/nearest-names.ts';
import type { Params } from './route.ts';

/** Parameters of every endpoint. */
export const GENERAL_PARAMS: ReadonlySet<string> = new Set([
  'pretty',
  'human',
  'error_trace',
  'filter_path',
  'format',
  'source',
  'source_content_type',
]);

const UNITS: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Parameters that are read beside another one only. Without it they are unknown. */
const COMPANIONS: ReadonlyMap<string, string> = new Map([
  ['df', 'q'],
  ['analyzer', 'q'],
  ['analyze_wildcard', 'q'],
  ['default_operator', 'q'],
  ['lenient', 'q'],
  ['suggest_mode', 'suggest_field'],
  ['suggest_size', 'suggest_field'],
  ['suggest_text', 'suggest_field'],
]);

/** Names more alike than this are offered in place of an unknown one. */
const LIKENESS = 0.5;
const LONGEST_NAME = 64;

/** The parameters of one request. Of several values of a name the last counts, as with the peer. */
export class QueryParams implements Params {
  readonly #values: ReadonlyMap<string, string>;

  constructor(query: string) {
    this.#values = query === '' ? NONE : parseQuery(query);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  string(name: string): string | undefined {
    return this.#values.get(name);
  }

  list(name: string): string[] | undefined {
    const value = this.#values.get(name);
    return value === undefined ? undefined : value.split(',').filter((part) => part !== '');
  }

  boolean(name: string): boolean | undefined {
    const value = this.#values.get(name);
    if (value === undefined) return undefined;
    if (value === '' || value === 'true') return true;
    if (value === 'false') return false;
    throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
  }

  integer(name: string): number | undefined {
    const value = this.#values.get(name);
    if (value === undefined) return undefined;
    const number = /^[+-]?\d{1,19}$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isSafeInteger(number)) return number;
    throw new EngineError(
      'illegal_argument_exception',
      `Failed to parse int parameter [${name}] with value [${value}]`,
      { causedBy: new EngineError('number_format_exception', `For input string: "${value}"`) },
    );
  }

  number(name: string): number | undefined {
    const value = this.#values.get(name);
    if (value === undefined) return undefined;
    const number = value.trim() === '' ? Number.NaN : Number(value);
    if (Number.isFinite(number)) return number;
    throw new EngineError(
      'illegal_argument_exception',
      `Failed to parse float parameter [${name}] with value [${value}]`,
      { causedBy: new EngineError('number_format_exception', `For input string: "${value}"`) },
    );
  }

  millis(name: string): number | undefined {
    const value = this.#values.get(name);
    return value === undefined ? undefined : parseMillis(value, name);
  }

  /** Throws for parameters that are neither general nor in `known`, and for those without what they belong to. */
  refuseUnknown(known: readonly string[], path: string): void {
    let unknown: string[] | undefined;
    for (const name of this.#values.keys()) {
      if (GENERAL_PARAMS.has(name)) continue;
      if (!known.includes(name) || this.#isAlone(name, known)) (unknown ??= []).push(name);
    }
    if (unknown === undefined) return;
    const usable = known.filter((name) => !this.#isAlone(name, known));
    const named = unknown.sort().map((name) => {
      const [best] = nearestNames(name, [...usable, ...GENERAL_PARAMS], LIKENESS, LONGEST_NAME);
      return best === undefined ? `[${name}]` : `[${name}] -> did you mean [${best}]?`;
    });
    const word = unknown.length > 1 ? 'parameters' : 'parameter';
    throw illegalArgument(`request [${path}] contains unrecognized ${word}: ${named.join(', ')}`);
  }

  /** Whether a parameter belongs to another one that was not given. */
  #isAlone(name: string, known: readonly string[]): boolean {
    const needed = COMPANIONS.get(name);
    return needed !== undefined && known.includes(needed) && !this.#values.has(needed);
  }
}

const NONE: ReadonlyMap<string, string> = new Map();

/** The parameters of a request without a query string. */
export const NO_PARAMS: QueryParams = new QueryParams('');

/** True if a parameter is there and not `false`. */
export function isFlagSet(params: QueryParams | undefined, name: string): boolean {
  return params?.has(name) === true && params.string(name) !== 'false';
}

/** A duration such as `1m`, `500ms`, `-1`, in milliseconds. `M` is no unit: minutes are written `m`. */
export function parseMillis(text: string, name: string): number {
  const trimmed = text.trim();
  const value = trimmed.endsWith('M') ? trimmed : trimmed.toLowerCase();
  if (value === '-1' || value === '0') return Number(value);
  const match = /^(-?\d{1,18}(?:\.\d+)?)(nanos|micros|ms|s|m|h|d)$/.exec(value);
  if (match === null) {
    throw illegalArgument(
      `failed to parse setting [${name}] with value [${text}] as a time value: unit is missing or unrecognized`,
    );
  }
  const [, digits = '', unit = 'ms'] = match;
  if (digits.startsWith('-') || digits.includes('.')) {
    throw illegalArgument(
      digits.includes('.')
        ? `failed to parse [${text}], fractional time values are not supported`
        : `failed to parse setting [${name}] with value [${text}] as a time value: negative durations are not supported`,
    );
  }
  return Number(digits) * (UNITS[unit] ?? 1);
}

function parseQuery(query: string): ReadonlyMap<string, string> {
  const out = new Map<string, string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    out.set(decodePart(name), equals < 0 ? '' : decodePart(pair.slice(equals + 1)));
  }
  return out;
}

/** Percent-decoding in the query string, where `+` is a space. */
function decodePart(part: string): string {
  return decodePercent(part.includes('+') ? part.replaceAll('+', ' ') : part);
}

/** Percent-decoding. Throws for escapes that are not UTF-8. */
export function decodePercent(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    const at = part.search(/%(?![0-9a-fA-F]{2})/);
    const cause =
      at < 0
        ? `invalid UTF-8 in percent escapes: ${part}`
        : `invalid escape sequence \`${part.slice(at, at + 3)}' at index ${at} of: ${part}`;
    throw new EngineError('bad_parameter_exception', cause, {
      causedBy: illegalArgument(cause),
    });
  }
}

/** ` did you mean [x]?` with the nearest known name; empty if none is near. */
export function nearestNameHint(name: string, known: readonly string[]): string {
  const [best] = nearestNames(name, known, LIKENESS, LONGEST_NAME);
  return best === undefined ? '' : ` did you mean [${best}]?`;
}

const COPY =
  /^_(?:local|only_local|primary|primary_first|replica|replica_first|search_replica|(?:prefer|only)_nodes:.+)$/s;

/** Throws for a `preference` of the peer's form that the peer does not know. It has no effect: there is one copy. */
export function refusePreference(preference: string | undefined): void {
  if (preference === undefined || isPreference(preference)) return;
  throw illegalArgument(`no Preference for [${preference}]`);
}

/** Which copies of which shards to ask. A text without an underscore at its start is a session. */
function isPreference(text: string): boolean {
  if (!text.startsWith('_')) return true;
  if (!text.startsWith('_shards:')) return COPY.test(text);
  const [shards = '', ...copies] = text.slice('_shards:'.length).split('|');
  return /^[\d, ]*$/.test(shards) && copies.every((copy) => COPY.test(copy));
}
