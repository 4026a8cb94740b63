// The target of a search: the indices of the path with the filters of aliases and types, and the query of the
// parameters.

import { type Engine, type IndexInfo, illegalArgument, type JsonObject } from '@octavo/engine';
import { indexNames } from '@octavo/paging';
import type { Call, Params } from '../router/route.ts';
import { type ResolveOptions, resolveIndices, resolveOptions, SEARCH_OPTIONS } from './resolve.ts';

/** Indices, with the filters of path and aliases. */
export interface Target {
  readonly infos: readonly IndexInfo[];
  readonly indices: readonly string[];
  /** The names of the request in canonical form. Unlike the indices, they do not change while a list is paged. */
  readonly expression: readonly string[];
  readonly filters: ReadonlyMap<string, JsonObject> | undefined;
}

/** The target of `/{index}/{type}/…`; all indices without `{index}`. */
export function searchTarget(
  engine: Engine,
  call: Pick<Call, 'path' | 'params'>,
  defaults: ResolveOptions = SEARCH_OPTIONS,
): Target {
  return targetOf(engine, call.path['index'], call.path['type'], resolveOptions(call.params, defaults));
}

/** The target of one index by its name; undefined if there is no open index of that name. */
export function indexTarget(engine: Engine, name: string): Target | undefined {
  const info = engine.indices.info(name);
  if (info?.state !== 'open' || info.name !== name) return undefined;
  return { infos: [info], indices: [name], expression: [name], filters: undefined };
}

/** The target of an expression and an optional type. */
export function targetOf(
  engine: Engine,
  expression: string | readonly string[] | undefined,
  type: string | undefined,
  options: ResolveOptions,
): Target {
  const resolved = resolveIndices(engine, expression, options);
  const filters = new Map<string, JsonObject>();
  for (const { info, filter } of resolved) {
    const parts: JsonObject[] = filter === undefined ? [] : [filter];
    if (type !== undefined) parts.push({ terms: { _type: type.split(',') } });
    if (parts.length === 1) filters.set(info.name, parts[0]!);
    else if (parts.length > 1) filters.set(info.name, { bool: { filter: parts } });
  }
  return {
    infos: resolved.map((each) => each.info),
    indices: resolved.map((each) => each.info.name),
    expression: indexNames(expression),
    filters: filters.size === 0 ? undefined : filters,
  };
}

/** Parameters read by `queryParam`. */
export const QUERY_PARAMS: readonly string[] = [
  'q',
  'df',
  'analyzer',
  'analyze_wildcard',
  'default_operator',
  'lenient',
];

/** `q=` and its companions as a query_string query. */
export function queryParam(params: Params): JsonObject | undefined {
  const query = params.string('q');
  if (query === undefined) return undefined;
  const [field, analyzer] = [params.string('df'), params.string('analyzer')];
  const [wildcard, lenient] = [params.boolean('analyze_wildcard'), params.boolean('lenient')];
  const operator = params.string('default_operator');
  if (operator !== undefined && !/^(and|or)$/i.test(operator)) {
    throw illegalArgument(`[default_operator] must be AND or OR, found [${operator}]`);
  }
  return {
    query_string: {
      query,
      ...(field === undefined ? {} : { default_field: field }),
      ...(analyzer === undefined ? {} : { analyzer }),
      ...(wildcard === undefined ? {} : { analyze_wildcard: wildcard }),
      ...(lenient === undefined ? {} : { lenient }),
      ...(operator === undefined ? {} : { default_operator: operator }),
    },
  };
}
