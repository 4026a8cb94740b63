// The rights of one caller on the cluster, under the rules of the embedded engine. Index expressions are
// resolved here, so the cluster only ever sees names of indices that the caller may touch.

import { type Engine, EngineError, type IndexInfo, type JsonObject } from '@octavo/engine';
import type { Principal } from '../../access/callers/principal.ts';
import { type Action, CallerRules } from '../../access/guard/caller-rules.ts';
import { guardEngine } from '../../access/guard/guarded-engine.ts';
import { resolveDateMathName } from '../../patterns/date-math.ts';
import {
  type ResolveOptions,
  resolveOne,
  resolveOptions,
  SEARCH_OPTIONS,
} from '../../wire/resolve/resolve.ts';
import { targetOf } from '../../wire/resolve/target.ts';
import type { Params } from '../../wire/router/route.ts';
import { notOnCluster } from '../empty-engine.ts';
import type { ClusterCatalog } from './cluster-catalog.ts';

/** The indices that an expression names, as the cluster gets them. */
export interface ResolvedIndices {
  /**
   * The first segment of the path, encoded. Undefined if the caller named no index and may see all of them.
   */
  readonly path: string | undefined;
  /** The same for a search over a point in time, whose path names no index. */
  readonly pitPath?: string | undefined;
  /** A filter that every document must match. Undefined if nothing is hidden from the caller. */
  readonly narrowing: JsonObject | undefined;
}

/** Both products accept 4,096 bytes for the first line of a request. */
const MAX_PATH = 3_000;
/** An expression that resolves to no index in every endpoint. */
const NOTHING = '*,-*';

export class ClusterCaller {
  readonly rules: CallerRules;
  readonly #principal: Principal;
  readonly #catalog: ClusterCatalog;

  constructor(principal: Principal, catalog: ClusterCatalog) {
    this.#principal = principal;
    this.#catalog = catalog;
    this.rules = new CallerRules(principal);
  }

  /** True if nothing in the cluster is hidden from the caller; its requests are forwarded unchanged. */
  get seesAll(): boolean {
    return this.rules.allIndices && this.#principal.documentFilter === undefined;
  }

  get filter(): JsonObject | undefined {
    return this.#principal.documentFilter;
  }

  /** Throws security_exception if the caller's scopes or document filter do not allow the action. */
  require(verb: 'read' | 'write' | 'admin', action: Action, index?: string): void {
    this.rules.require(verb, action, index);
  }

  /** Throws if anything in the cluster is hidden from the caller. */
  requireAll(action: Action): void {
    if (!this.rules.allIndices)
      throw this.rules.refusal(action, undefined, 'it is restricted to some indices');
    if (this.filter !== undefined) throw this.rules.refusal(action, undefined, 'it has a document filter');
  }

  /** Throws if the caller has a document filter, for endpoints that cannot be checked against one. */
  refuseFiltered(action: Action, index?: string): void {
    if (this.filter !== undefined)
      throw this.rules.refusal(
        action,
        index,
        'on a cluster this request cannot be checked against its document filter',
      );
  }

  /** Resolves an index expression to the indices that the caller may see. */
  async resolveIndices(
    expression: string | undefined,
    params: Params,
    defaults: ResolveOptions = SEARCH_OPTIONS,
  ): Promise<ResolvedIndices> {
    if (this.seesAll) return { path: undefined, narrowing: undefined };
    const options = resolveOptions(params, defaults);
    const target = await this.#withCatalog((engine) => targetOf(engine, expression, undefined, options));
    const path = target.indices.length === 0 ? NOTHING : target.indices.join(',');
    if (encodeSegment(path).length > MAX_PATH)
      throw notOnCluster('a search over so many indices', 'name fewer of them');
    return { path: encodeSegment(path), narrowing: this.#narrowing(target.indices, target.filters) };
  }

  /** Adds the caller's present document filter to an earlier narrowing. */
  narrow(before: JsonObject | undefined): JsonObject | undefined {
    if (this.filter === undefined || before === undefined) return this.filter ?? before;
    return { bool: { filter: [this.filter, before] } };
  }

  /** Resolves a name to the one index that a single document is read from. */
  async resolveIndex(name: string): Promise<string> {
    if (this.seesAll) return name;
    return await this.#withCatalog((engine) => {
      const info = resolveOne(engine, name);
      refuseRouted(info, name);
      return info.name;
    });
  }

  /** Resolves a name to the one index that a write goes to. The index may not exist yet. */
  async resolveWriteIndex(name: string, action: Action): Promise<string> {
    if (this.seesAll) return name;
    const plain = resolveDateMathName(name);
    // An unknown name may be a new alias: read the catalog again before treating it as an index.
    const index =
      findWriteIndex(await this.#catalog.engine(), plain) ??
      findWriteIndex(await this.#catalog.engine(true), plain) ??
      plain;
    if (!this.rules.allowsIndex(index)) throw this.rules.refusal(action, name);
    return index;
  }

  /** `resolveIndex` as a path segment; undefined leaves the caller's name in the path. */
  async indexPath(name: string): Promise<string | undefined> {
    return this.seesAll ? undefined : encodeSegment(await this.resolveIndex(name));
  }

  async writeIndexPath(name: string, action: Action): Promise<string | undefined> {
    return this.seesAll ? undefined : encodeSegment(await this.resolveWriteIndex(name, action));
  }

  /** The indices and aliases that the caller sees. `anew` bypasses the cached catalog. */
  async visibleCatalog(anew = false): Promise<Engine> {
    return guardEngine(await this.#catalog.engine(anew), this.#principal);
  }

  /** Runs a lookup, once more on a fresh catalog if it fails with index_not_found_exception. */
  async #withCatalog<T>(ask: (engine: Engine) => T): Promise<T> {
    try {
      return ask(await this.visibleCatalog());
    } catch (error) {
      if (!(error instanceof EngineError) || error.type !== 'index_not_found_exception') throw error;
      return ask(await this.visibleCatalog(true));
    }
  }

  #narrowing(
    indices: readonly string[],
    filters: ReadonlyMap<string, JsonObject> | undefined,
  ): JsonObject | undefined {
    const parts: JsonObject[] = this.filter === undefined ? [] : [this.filter];
    if (filters !== undefined) {
      const free = indices.filter((index) => !filters.has(index));
      const should: JsonObject[] = [...filters].map(([index, filter]) => ({
        bool: { filter: [{ term: { _index: index } }, filter] },
      }));
      if (free.length > 0) should.push({ terms: { _index: free } });
      parts.push({ bool: { should, minimum_should_match: 1 } });
    }
    return parts.length < 2 ? parts[0] : { bool: { filter: parts } };
  }
}

/**
 * The index that writes to a name go to: the name itself, or the write index of an alias. Undefined if it is
 * neither.
 */
export function findWriteIndex({ indices }: Engine, name: string): string | undefined {
  if (indices.info(name) !== undefined) return name;
  const holders = indices
    .names()
    .map((each) => indices.info(each))
    .filter((info): info is IndexInfo => info !== undefined && Object.hasOwn(info.aliases, name));
  const writer = holders.find((info) => info.aliases[name]?.isWriteIndex === true);
  const found = writer ?? (holders.length === 1 ? holders[0] : undefined);
  refuseRouted(found, name);
  return found?.name;
}

/** Refuses an alias with a routing: only the name of its index is forwarded, so the routing would be lost. */
function refuseRouted(info: IndexInfo | undefined, name: string): void {
  const { indexRouting, searchRouting } = info?.aliases[name] ?? {};
  if (indexRouting === undefined && searchRouting === undefined) return;
  throw notOnCluster(
    `a document by the alias [${name}] under this key`,
    'the alias has a routing: name its index, and send the [routing]',
  );
}

/** Encodes a path segment. Commas and asterisks stay, since they separate and match names. */
export function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll('%2C', ',').replaceAll('%2A', '*');
}
