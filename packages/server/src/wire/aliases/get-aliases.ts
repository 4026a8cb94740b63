// GET and HEAD `_alias`: the aliases of indices, and the requested names that are missing.

import type { AliasSpec, IndexInfo, JsonObject } from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import { matchesWildcard } from '../../patterns/wildcard.ts';
import { describableIndices, HIDDEN_SCOPE, indicesOf } from '../resolve/scope.ts';
import type { Call, Reply, Services } from '../router/route.ts';
import { showAlias } from './alias-spec.ts';

/** One alias of one index. */
export interface FoundAlias {
  readonly info: IndexInfo;
  readonly alias: string;
  readonly spec: AliasSpec;
}

/** The aliases of indices that an expression (`a,b*,-b1`) names; all of them if it is undefined. */
export function findAliases(
  infos: readonly IndexInfo[],
  patterns: readonly string[] | undefined,
): FoundAlias[] {
  const out: FoundAlias[] = [];
  for (const info of infos) {
    for (const alias of Object.keys(info.aliases).sort()) {
      if (patterns === undefined || isNamed(alias, patterns))
        out.push({ info, alias, spec: info.aliases[alias]! });
    }
  }
  return out;
}

/**
 * True if the expression names an alias. `-name` excludes if it is a wildcard or follows one; otherwise it is
 * a plain name.
 */
function isNamed(alias: string, patterns: readonly string[]): boolean {
  let named = false;
  let wildcards = false;
  for (const pattern of patterns) {
    if (pattern.startsWith('-') && (wildcards || pattern.includes('*'))) {
      wildcards = true;
      if (fitsName(pattern.slice(1), alias)) named = false;
    } else {
      if (isWildcard(pattern)) wildcards = true;
      if (fitsName(pattern, alias)) named = true;
    }
  }
  return named;
}

function fitsName(pattern: string, alias: string): boolean {
  return pattern === '_all' || matchesWildcard(pattern, alias);
}

function isWildcard(pattern: string): boolean {
  return pattern.includes('*') || pattern === '_all';
}

/** The plain names that were not found, sorted, without names that a later part excludes. */
function missingNames(patterns: readonly string[], found: ReadonlySet<string>): string[] {
  const missing = new Set<string>();
  let wildcards = false;
  patterns.forEach((pattern, at) => {
    const excludes = pattern.startsWith('-') && (wildcards || pattern.includes('*'));
    if (isWildcard(pattern)) wildcards = true;
    if (excludes || isWildcard(pattern) || found.has(pattern)) return;
    const takenAway = patterns
      .slice(at + 1)
      .some(
        (later) =>
          later.startsWith('-') && (later.slice(1) === pattern || matchesWildcard(later.slice(1), pattern)),
      );
    if (!takenAway) missing.add(pattern);
  });
  return [...missing].sort();
}

/** GET _alias in all its shapes. */
export function getAliases(call: Call, services: Services): Reply {
  const infos = describableIndices(call, services, HIDDEN_SCOPE);
  const patterns = call.path['name']?.split(',').filter((part) => part !== '');
  const found = findAliases(infos, patterns);
  const out: ReplyObject = Object.create(null) as ReplyObject;
  if (patterns === undefined)
    for (const info of infos) out[info.name] = { aliases: Object.create(null) as JsonObject };
  for (const { info, alias, spec } of found) {
    const entry = (out[info.name] ??= { aliases: Object.create(null) as JsonObject }) as {
      aliases: JsonObject;
    };
    entry.aliases[alias] = showAlias(spec);
  }
  const missing =
    patterns === undefined ? [] : missingNames(patterns, new Set(found.map(({ alias }) => alias)));
  if (missing.length === 0) return { body: out };
  const word = missing.length === 1 ? 'alias' : 'aliases';
  return { status: 404, body: { error: `${word} [${missing.join(',')}] missing`, status: 404, ...out } };
}

/** HEAD _alias: 200 if an alias was found. */
export function hasAliases(call: Call, services: Services): Reply {
  const infos = indicesOf(call, services, { ...HIDDEN_SCOPE, ignoreUnavailable: true });
  const patterns = call.path['name']?.split(',').filter((part) => part !== '');
  return { status: findAliases(infos, patterns).length > 0 ? 200 : 404 };
}
