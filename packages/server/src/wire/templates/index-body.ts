// What does the body that creates an index say? Settings, mappings and aliases, checked; everything else is refused.

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

/** The body of PUT /{index}. Settings are checked by `checkedSettings` once the name is known to be free. */
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

/** A member that has to be an object; `{}` when it is missing. */
export function section(body: JsonObject, key: string): JsonObject {
  const value = body[key];
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new EngineError('parse_exception', `key [${key}] must be an object`);
  }
  return value;
}

/** Mappings of a body; typed ones are refused as the peer refuses them. */
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

/** Settings ready for the catalog: known, of the right kind, and those set to null left out. */
export function checkedSettings(flat: FlatSettings): Record<string, string> {
  validateIndexSettings(flat);
  const out: Record<string, string> = {};
  for (const key of Object.keys(flat)) if (flat[key] !== null) out[key] = flat[key]!;
  return out;
}

/** Refuses alias names that break the rules. */
export function checkAliasNames(aliases: Readonly<Record<string, unknown>>): void {
  for (const alias of Object.keys(aliases)) checkAliasName(alias);
}

/** What an index is made of; settings flat with full keys. */
export interface IndexBody {
  readonly settings: Record<string, string>;
  readonly mappings: JsonObject;
  readonly aliases: Record<string, AliasSpec>;
}

/** A body that says nothing. */
export const EMPTY_INDEX_BODY: IndexBody = { settings: {}, mappings: {}, aliases: {} };

/** Every index says how many shards and replicas it has. */
export function withPresets(body: IndexBody): IndexBody {
  return {
    ...body,
    settings: { 'index.number_of_shards': '1', 'index.number_of_replicas': '1', ...body.settings },
  };
}
