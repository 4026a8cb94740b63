// Resolves an expression to indices: names, aliases, wildcards, exclusions, `_all` and date maths, with the
// filters that aliases put on a search.

import {
  type AliasSpec,
  type Engine,
  EngineError,
  type IndexInfo,
  illegalArgument,
  type JsonObject,
} from '@octavo/engine';
import { resolveDateMathName } from '../../patterns/date-math.ts';
import { matchesWildcard } from '../../patterns/wildcard.ts';
import type { Params } from '../router/route.ts';

/** How expressions are read. Each endpoint has defaults, which parameters of the same names change. */
export interface ResolveOptions {
  /** Names of missing and closed indices are skipped. */
  readonly ignoreUnavailable: boolean;
  /** A wildcard may match nothing. */
  readonly allowNoIndices: boolean;
  readonly expandOpen: boolean;
  readonly expandClosed: boolean;
  readonly expandHidden: boolean;
  /** The name of a closed index is an error. */
  readonly forbidClosed: boolean;
  /** Aliases are not matched. */
  readonly ignoreAliases: boolean;
  /** `resource.type` of the error for a missing index. */
  readonly resourceType: 'index_or_alias' | 'index_expression';
}

/** The defaults of searches: open indices only; a wildcard may match nothing. */
export const SEARCH_OPTIONS: ResolveOptions = {
  ignoreUnavailable: false,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: false,
  expandHidden: false,
  forbidClosed: true,
  ignoreAliases: false,
  resourceType: 'index_or_alias',
};

/** Parameters that change the options. */
export const RESOLVE_PARAMS: readonly string[] = [
  'ignore_unavailable',
  'allow_no_indices',
  'expand_wildcards',
  'ignore_throttled',
];

/** One index that an expression names. */
interface ResolvedIndex {
  readonly info: IndexInfo;
  /** The filters of the aliases that name it; undefined if it is named without a filter, too. */
  readonly filter: JsonObject | undefined;
  /** The aliases that name it. */
  readonly aliases: readonly string[];
}

/** The options of a call: the defaults, changed by its parameters. */
export function resolveOptions(params: Params, defaults: ResolveOptions = SEARCH_OPTIONS): ResolveOptions {
  const expand = params.list('expand_wildcards');
  return {
    ...defaults,
    ignoreUnavailable: params.boolean('ignore_unavailable') ?? defaults.ignoreUnavailable,
    allowNoIndices: params.boolean('allow_no_indices') ?? defaults.allowNoIndices,
    ...(expand === undefined ? {} : expandWildcards(expand)),
  };
}

function expandWildcards(
  values: readonly string[],
): Pick<ResolveOptions, 'expandOpen' | 'expandClosed' | 'expandHidden'> {
  let [expandOpen, expandClosed, expandHidden] = [false, false, false];
  for (const value of values) {
    if (value === 'open') expandOpen = true;
    else if (value === 'closed') expandClosed = true;
    else if (value === 'hidden') expandHidden = true;
    else if (value === 'none') [expandOpen, expandClosed, expandHidden] = [false, false, false];
    else if (value === 'all') [expandOpen, expandClosed, expandHidden] = [true, true, true];
    else {
      throw new EngineError('illegal_argument_exception', `No valid expand wildcard value [${value}]`);
    }
  }
  return { expandOpen, expandClosed, expandHidden };
}

/** The indices of an expression (`a,b*,-b1`), sorted by name. Undefined, empty, `_all` and `*` name all indices. */
export function resolveIndices(
  engine: Engine,
  expression: string | readonly string[] | undefined,
  options: ResolveOptions = SEARCH_OPTIONS,
): ResolvedIndex[] {
  const parts = expressionParts(expression);
  const found = new Map<string, Reached>();
  if (parts.length === 0 || (parts.length === 1 && (parts[0] === '_all' || parts[0] === '*'))) {
    for (const info of expandable(engine, '*', options)) reach(found, info, undefined);
    if (found.size === 0 && !options.allowNoIndices) throw indexMissing(parts[0] ?? '_all', options);
    return finish(found);
  }
  let wildcards = false;
  for (const part of parts) {
    if (part.startsWith('-') && wildcards) exclude(engine, found, part.slice(1), options);
    else if (part.includes('*')) {
      wildcards = true;
      includePattern(engine, found, part, options);
    } else includeName(engine, found, part, options);
  }
  if (found.size === 0 && !options.allowNoIndices) throw indexMissing(parts.join(','), options);
  return finish(found);
}

/** The index of a single-document endpoint. Throws if it is missing, closed, or an alias of several indices. */
export function resolveOne(engine: Engine, name: string): IndexInfo {
  const options: ResolveOptions = { ...SEARCH_OPTIONS, resourceType: 'index_expression' };
  const direct = engine.indices.info(name);
  if (direct !== undefined) return requireOpen(direct);
  const found = resolveIndices(engine, [resolveDateMathName(name)], options);
  if (found.length === 0) throw indexMissing(name, options);
  if (found.length > 1) {
    const names = found.map((each) => each.info.name).join(', ');
    throw new EngineError(
      'illegal_argument_exception',
      `alias [${name}] has more than one index associated with it [${names}], can't execute a single index op`,
    );
  }
  return found[0]!.info;
}

/** The aliases of an index that match one of the patterns. */
function matchingAliases(info: IndexInfo, patterns: readonly string[]): [string, AliasSpec][] {
  return Object.entries(info.aliases).filter(([name]) => patterns.some((p) => matchesWildcard(p, name)));
}

/** The peer's error for a missing index. */
export function indexMissing(name: string, options: Pick<ResolveOptions, 'resourceType'>): EngineError {
  return new EngineError('index_not_found_exception', `no such index [${name}]`, {
    details: {
      index: name,
      'resource.id': name,
      'resource.type': options.resourceType,
      index_uuid: '_na_',
    },
  });
}

interface Reached {
  readonly info: IndexInfo;
  /** Filters so far; undefined once it was named itself or by an alias without filter. */
  filters: JsonObject[] | undefined;
  readonly aliases: string[];
}

function expressionParts(expression: string | readonly string[] | undefined): string[] {
  const list =
    expression === undefined ? [] : typeof expression === 'string' ? expression.split(',') : expression;
  return list.filter((part) => part !== '').map((part) => resolveDateMathName(part));
}

function reach(found: Map<string, Reached>, info: IndexInfo, alias: [string, AliasSpec] | undefined): void {
  const filter = alias?.[1].filter;
  const reached = found.get(info.name);
  if (reached === undefined) {
    found.set(info.name, {
      info,
      filters: filter === undefined ? undefined : [filter],
      aliases: alias === undefined ? [] : [alias[0]],
    });
    return;
  }
  if (filter === undefined) reached.filters = undefined;
  else reached.filters?.push(filter);
  if (alias !== undefined) reached.aliases.push(alias[0]);
}

function finish(found: ReadonlyMap<string, Reached>): ResolvedIndex[] {
  const out: ResolvedIndex[] = [];
  for (const { info, filters, aliases } of found.values()) {
    out.push({ info, filter: filters === undefined ? undefined : anyOf(filters), aliases });
  }
  return out.sort((a, b) => (a.info.name < b.info.name ? -1 : a.info.name > b.info.name ? 1 : 0));
}

function anyOf(filters: readonly JsonObject[]): JsonObject {
  return filters.length === 1 ? filters[0]! : { bool: { should: [...filters] } };
}

function includeName(
  engine: Engine,
  found: Map<string, Reached>,
  name: string,
  options: ResolveOptions,
): void {
  if (name.startsWith('_')) {
    throw new EngineError(
      'invalid_index_name_exception',
      `Invalid index name [${name}], must not start with '_'.`,
      { details: { index: name, index_uuid: '_na_' } },
    );
  }
  const direct = engine.indices.info(name);
  if (direct !== undefined) {
    if (direct.state === 'close' && options.ignoreUnavailable && options.forbidClosed) return;
    reach(found, options.forbidClosed ? requireOpen(direct) : direct, undefined);
    return;
  }
  let exists = false;
  for (const indexName of options.ignoreAliases ? [] : engine.indices.names()) {
    const info = engine.indices.info(indexName);
    const spec = info !== undefined && Object.hasOwn(info.aliases, name) ? info.aliases[name] : undefined;
    if (info === undefined || spec === undefined) continue;
    exists = true;
    if (info.state === 'close' && options.forbidClosed) {
      if (options.ignoreUnavailable) continue;
      requireOpen(info);
    }
    reach(found, info, [name, spec]);
  }
  if (!exists && !options.ignoreUnavailable) throw indexMissing(name, options);
}

function includePattern(
  engine: Engine,
  found: Map<string, Reached>,
  pattern: string,
  options: ResolveOptions,
): void {
  let any = false;
  for (const info of expandable(engine, pattern, options)) {
    any = true;
    if (matchesWildcard(pattern, info.name)) reach(found, info, undefined);
    if (options.ignoreAliases) continue;
    for (const alias of matchingAliases(info, [pattern])) {
      if (alias[1].isHidden !== true || showsHidden(alias[0], pattern, options)) reach(found, info, alias);
    }
  }
  if (!any && !options.allowNoIndices) throw indexMissing(pattern, options);
}

function exclude(
  engine: Engine,
  found: Map<string, Reached>,
  pattern: string,
  options: ResolveOptions,
): void {
  if (!pattern.includes('*')) {
    const exists = engine.indices.info(pattern) !== undefined || isAlias(engine, pattern);
    if (!exists && !options.ignoreUnavailable) throw indexMissing(pattern, options);
  }
  for (const { info } of [...found.values()]) {
    if (matchesWildcard(pattern, info.name)) found.delete(info.name);
    else if (!options.ignoreAliases && matchingAliases(info, [pattern]).length > 0) found.delete(info.name);
  }
}

function isAlias(engine: Engine, name: string): boolean {
  return engine.indices.names().some((each) => Object.hasOwn(engine.indices.info(each)?.aliases ?? {}, name));
}

/** Indices that a wildcard matches, by their own name or by an alias. */
function* expandable(engine: Engine, pattern: string, options: ResolveOptions): Generator<IndexInfo> {
  for (const name of engine.indices.names()) {
    const info = engine.indices.info(name);
    if (info === undefined) continue;
    if (info.state === 'open' ? !options.expandOpen : !options.expandClosed) continue;
    const own = matchesWildcard(pattern, name);
    if (own && info.settings['index.hidden'] === 'true' && !showsHidden(name, pattern, options)) continue;
    if (own || (!options.ignoreAliases && matchingAliases(info, [pattern]).length > 0)) yield info;
  }
}

/** Hidden names match if the options say so, or if both name and pattern begin with a point. */
function showsHidden(name: string, pattern: string, options: ResolveOptions): boolean {
  return options.expandHidden || (name.startsWith('.') && pattern.startsWith('.'));
}

function requireOpen(info: IndexInfo): IndexInfo {
  if (info.state === 'open') return info;
  throw new EngineError('index_closed_exception', 'closed', {
    details: { index: info.name, index_uuid: info.uuid },
  });
}

/** Refuses names that are aliases: a delete would not delete what was named. */
export function refuseAliases(engine: Engine, parts: readonly string[]): void {
  for (const part of parts) {
    if (part.includes('*') || engine.indices.info(part) !== undefined) continue;
    if (isAlias(engine, part)) {
      throw illegalArgument(
        `The provided expression [${part}] matches an alias, specify the corresponding concrete indices instead.`,
      );
    }
  }
}
