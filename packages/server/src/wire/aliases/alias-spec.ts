// Reads an alias from a body, and shows it.

import {
  type AliasSpec,
  EngineError,
  illegalArgument,
  type JsonObject,
  type JsonValue,
  parseQuery,
  plainText,
} from '@octavo/engine';

/** Members of an alias body that describe the alias itself. */
export const SPEC_FIELDS: ReadonlySet<string> = new Set([
  'filter',
  'routing',
  'index_routing',
  'indexRouting',
  'index-routing',
  'search_routing',
  'searchRouting',
  'search-routing',
  'is_write_index',
  'is_hidden',
]);

/** Reads the body of an alias; the caller checks for other members. `isStored`: it was checked when it was stored. */
export function parseAliasSpec(alias: string, body: JsonObject, isStored = false): AliasSpec {
  const routing = word(body['routing']);
  const indexRouting =
    word(body['index_routing'] ?? body['indexRouting'] ?? body['index-routing']) ?? routing;
  const searchRouting =
    word(body['search_routing'] ?? body['searchRouting'] ?? body['search-routing']) ?? routing;
  if (indexRouting?.includes(',')) {
    throw illegalArgument(`alias [${alias}] has several index routing values associated with it`);
  }
  const filter = filterOf(alias, body['filter']);
  if (filter !== undefined && !isStored) checkFilter(alias, filter);
  const isWriteIndex = flag('is_write_index', body['is_write_index']);
  const isHidden = flag('is_hidden', body['is_hidden']);
  return {
    ...(filter !== undefined && { filter }),
    ...(indexRouting !== undefined && { indexRouting }),
    ...(searchRouting !== undefined && { searchRouting }),
    ...(isWriteIndex !== undefined && { isWriteIndex }),
    ...(isHidden !== undefined && { isHidden }),
  };
}

/** The `aliases` of an index body or a template. */
export function parseAliases(body: JsonValue | undefined, isStored = false): Record<string, AliasSpec> {
  const out: Record<string, AliasSpec> = Object.create(null) as Record<string, AliasSpec>;
  if (body === undefined || body === null) return out;
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new EngineError('parse_exception', 'key [aliases] must be an object');
  }
  for (const alias of Object.keys(body)) {
    const spec = body[alias]!;
    if (spec === null || typeof spec !== 'object' || Array.isArray(spec)) {
      throw illegalArgument(`failed to parse alias [${alias}]: an object is expected`);
    }
    out[alias] = parseAliasSpec(alias, spec, isStored);
  }
  return out;
}

/** As GET _alias shows it. */
export function showAlias(spec: AliasSpec): JsonObject {
  return {
    ...(spec.filter !== undefined && { filter: spec.filter }),
    ...(spec.indexRouting !== undefined && { index_routing: spec.indexRouting }),
    ...(spec.searchRouting !== undefined && { search_routing: spec.searchRouting }),
    ...(spec.isWriteIndex !== undefined && { is_write_index: spec.isWriteIndex }),
    ...(spec.isHidden !== undefined && { is_hidden: spec.isHidden }),
  };
}

/** All aliases of an index, by name. */
export function showAliases(aliases: Readonly<Record<string, AliasSpec>>): JsonObject {
  const out: JsonObject = Object.create(null) as JsonObject;
  for (const alias of Object.keys(aliases).sort()) out[alias] = showAlias(aliases[alias]!);
  return out;
}

function word(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object') throw illegalArgument('a routing value must be a string or a number');
  return String(value);
}

function flag(name: string, value: JsonValue | undefined): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw illegalArgument(
    `Failed to parse value [${plainText(value)}] of [${name}] as only [true] or [false] are allowed.`,
  );
}

function filterOf(alias: string, value: JsonValue | undefined): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw illegalArgument(`failed to parse filter for alias [${alias}]`);
  }
  return Object.keys(value).length === 0 ? undefined : value;
}

/** Throws for a filter that is no query: every search of the alias would fail. */
function checkFilter(alias: string, filter: JsonObject): void {
  try {
    parseQuery(filter);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const message = `failed to parse filter for alias [${alias}]`;
    throw new EngineError('illegal_argument_exception', message, { causedBy: error });
  }
}
