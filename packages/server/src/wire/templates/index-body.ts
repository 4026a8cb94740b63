// The body of an index: settings, mappings and aliases. Reads and checks it; unknown members are refused.

import {
  type AliasSpec,
  EngineError,
  illegalArgument,
  type JsonObject,
  type JsonValue,
} from '@octavo/engine';
import { parseAliases } from '../aliases/alias-spec.ts';
import { checkAliasName } from '../resolve/index-name.ts';
import { type FlatSettings, flattenSettings, withIndexPrefix } from '../settings/flat-settings.ts';
import { validateIndexSettings } from '../settings/validate-settings.ts';

/**
 * Reads the body of PUT /{index}. Its settings are checked later, by `checkedSettings`, once its name is
 * known to be free.
 */
export function parseIndexBody(
  body: JsonObject,
): Omit<IndexBody, 'settings'> & { readonly settings: FlatSettings } {
  for (const key of Object.keys(body)) {
    if (key !== 'settings' && key !== 'mappings' && key !== 'aliases') {
      throw new EngineError('parse_exception', `unknown key [${key}] for create index`);
    }
  }
  return {
    settings: withIndexPrefix(flattenSettings(section(body, 'settings'))),
    mappings: parseMappings(body['mappings']),
    aliases: parseAliases(body['aliases']),
  };
}

/** A member that has to be an object; `{}` if it is missing. */
export function section(body: JsonObject, key: string): JsonObject {
  const value = body[key];
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new EngineError('parse_exception', `key [${key}] must be an object`);
  }
  return value;
}

/** The mappings of a body. Typed ones are refused, as by the peer. */
export function parseMappings(value: JsonValue | undefined): JsonObject {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new EngineError('parse_exception', 'key [mappings] must be an object');
  }
  if (isTyped(value)) throw illegalArgument('The mapping definition cannot be nested under a type');
  return value;
}

/** `{"_doc": {…}}`: a mapping under a type. */
export function isTyped(mappings: JsonObject): boolean {
  return Object.hasOwn(mappings, '_doc');
}

/** Settings for the catalog: checked, without those that are null. */
export function checkedSettings(flat: FlatSettings): Record<string, string> {
  validateIndexSettings(flat);
  const out: Record<string, string> = {};
  for (const key of Object.keys(flat)) if (flat[key] !== null) out[key] = flat[key]!;
  return out;
}

/** Throws for invalid names of aliases. */
export function checkAliasNames(aliases: Readonly<Record<string, unknown>>): void {
  for (const alias of Object.keys(aliases)) checkAliasName(alias);
}

/** The settings (flat, with full keys), mappings and aliases of an index. */
export interface IndexBody {
  readonly settings: Record<string, string>;
  readonly mappings: JsonObject;
  readonly aliases: Record<string, AliasSpec>;
}

/** A body that says nothing. */
export const EMPTY_INDEX_BODY: IndexBody = { settings: {}, mappings: {}, aliases: {} };
