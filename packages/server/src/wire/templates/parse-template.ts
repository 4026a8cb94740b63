// Reads the body of a template. It is checked like the body of an index, and stored with flat settings.

import {
  checkMappings,
  EngineError,
  illegalArgument,
  isObject,
  type JsonObject,
  type JsonValue,
} from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import type { Limits } from '../../limits.ts';
import { parseAliases, showAliases } from '../aliases/alias-spec.ts';
import type { Call, Services } from '../router/route.ts';
import { flattenSettings, showSettings, withIndexPrefix } from '../settings/flat-settings.ts';
import { checkAliasNames, checkedSettings, parseMappings, section } from './index-body.ts';

/** What differs between the kinds of templates. */
export interface TemplateFamily {
  /** The kind of the catalog under which they are stored. */
  readonly kind: string;
  readonly path: string;
  /** Its name in errors. */
  readonly displayName: string;
  readonly putParams: readonly string[];
  /** The body of a call in its stored form. Calls `refuseExisting` where the peer checks `create`. */
  readonly parse: (name: string, call: Call, services: Services, refuseExisting: () => void) => JsonObject;
  readonly show: (found: readonly (readonly [string, JsonObject])[], flat: boolean) => ReplyObject;
  /** Throws if a requested name must exist; otherwise the reply is an empty 404. */
  readonly refuseMissing?: (requested: string) => void;
  /** Throws if one of the names may not be removed. */
  readonly refuseRemoval?: (names: readonly string[], services: Services) => void;
}

/** Settings, mappings and aliases of a template in their stored form; only those that are given. */
export function parsePart(body: JsonObject): JsonObject {
  const out: JsonObject = {};
  if (isGiven(body['settings'])) {
    out['settings'] = checkedSettings(withIndexPrefix(flattenSettings(section(body, 'settings'))));
  }
  if (isGiven(body['mappings'])) out['mappings'] = parseMappings(body['mappings']);
  if (isGiven(body['aliases'])) {
    const aliases = parseAliases(body['aliases']);
    checkAliasNames(withoutPlaceholder(aliases));
    out['aliases'] = showAliases(aliases);
  }
  return out;
}

/**
 * Throws if no index can be made with these settings and mappings; otherwise every write that creates an
 * index would fail.
 */
export function refuseUnusable(
  what: string,
  settings: Readonly<Record<string, string>>,
  mappings: JsonObject,
  { fieldsPerIndex }: Pick<Limits, 'fieldsPerIndex'>,
): void {
  try {
    checkMappings(settings, mappings, fieldsPerIndex);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError('illegal_argument_exception', what, { causedBy: error });
  }
}

/** The aliases with a valid name in place of `{index}`. */
function withoutPlaceholder(aliases: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const alias of Object.keys(aliases)) out[alias.replaceAll('{index}', 'index')] = aliases[alias];
  return out;
}

function isGiven(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

/** A stored part as the wire shows it. */
export function showPart(part: JsonObject, flat: boolean): JsonObject {
  const settings = part['settings'];
  return {
    ...(isObject(settings) && { settings: showSettings(settings as Record<string, string>, flat) }),
    ...(part['mappings'] !== undefined && { mappings: part['mappings'] }),
    ...(part['aliases'] !== undefined && { aliases: part['aliases'] }),
  };
}

/** `index_patterns`: a string with commas, or a list of strings. Undefined when missing or empty. */
export function parsePatterns(value: JsonValue | undefined): string[] | undefined {
  const list = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : undefined;
  if (value !== undefined && value !== null && list === undefined) {
    throw illegalArgument('Malformed [index_patterns] value, should be a string or a list of strings');
  }
  if (list === undefined || list.length === 0) return undefined;
  return list.map((pattern) => {
    if (typeof pattern !== 'string') {
      throw illegalArgument('Malformed [index_patterns] value, should be a string or a list of strings');
    }
    return pattern.trim();
  });
}

/** Throws for patterns that no index name can fit. */
export function checkPatterns(name: string, patterns: readonly string[]): void {
  const faults: string[] = [];
  for (const pattern of patterns) {
    if (pattern.includes(' ')) faults.push(`index_patterns [${pattern}] must not contain a space`);
    if (pattern.includes(',')) faults.push(`index_pattern [${pattern}] must not contain a ','`);
    if (pattern.includes('#')) faults.push(`index_pattern [${pattern}] must not contain a '#'`);
    if (pattern.includes(':')) faults.push(`index_pattern [${pattern}] must not contain a ':'`);
    if (pattern.startsWith('_')) faults.push(`index_pattern [${pattern}] must not start with '_'`);
  }
  if (faults.length === 0) return;
  throw new EngineError(
    'invalid_index_template_exception',
    `index_template [${name}] invalid, cause [${faults[0]}]`,
  );
}

/** Throws for names that the peer refuses. */
export function checkTemplateName(name: string): void {
  const fault = nameFault(name);
  if (fault === undefined) return;
  throw new EngineError(
    'invalid_index_template_exception',
    `index_template [${name}] invalid, cause [${fault}]`,
  );
}

function nameFault(name: string): string | undefined {
  if (name.includes(' ')) return 'name must not contain a space';
  if (name.includes(',')) return "name must not contain a ','";
  if (name.includes('#')) return "name must not contain a '#'";
  if (name.includes('*')) return "name must not contain a '*'";
  if (name.startsWith('_')) return "name must not start with '_'";
  if (name !== name.toLowerCase()) return 'name must be lower cased';
  return undefined;
}

/** An integer member. */
export function readIntegerMember(body: JsonObject, key: string): number | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw illegalArgument(`Malformed [${key}] value, should be an integer`);
}
